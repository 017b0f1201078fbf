import { Link, useLocation } from 'wouter';
import { Entrance } from '../application/Entrance.tsx';
import { Page } from '../application/Page.tsx';
import styles from '../application/Screen.module.css';
import { Field } from '../design/Field.tsx';
import { Form } from '../design/Form.tsx';
import { EmailField, NewPasswordField } from '../sessions/credentials.tsx';
import { signIn } from '../sessions/sign-in.ts';
import { createUser, signupOf } from './signup.ts';

export function SignupPage() {
  const signUp = useSignup();
  return (
    <Entrance>
      <Page title="Créer un compte" className={styles.form}>
        <h1>Créer un compte</h1>
        <Form submit="Créer mon compte" send={signUp} keep>
          <EmailField autoComplete="email" />
          <NewPasswordField />
          <Field
            label="Prénom"
            name="firstname"
            required
            maxLength={100}
            autoComplete="given-name"
          />
          <Field label="Nom" name="lastname" required maxLength={100} autoComplete="family-name" />
          <TermsConsent />
        </Form>
        <p className={styles.other}>
          <span>
            Déjà inscrit{'\u202f'}? <Link href="/login">Connexion</Link>
          </span>
        </p>
      </Page>
    </Entrance>
  );
}

function TermsConsent() {
  return (
    <div className={styles.consent}>
      <input id="cgu" type="checkbox" name="cguValidated" required />
      <label htmlFor="cgu">
        J'ai lu et j'approuve les{' '}
        <a href="/cgu" target="_blank" rel="noopener">
          Conditions Générales d'Utilisation
        </a>
      </label>
    </div>
  );
}

function useSignup() {
  const [, navigate] = useLocation();
  return async (form: FormData) => {
    const signup = signupOf(form);
    await createUser(signup);
    try {
      await signIn({ email: signup.email, password: signup.password });
    } catch (failure) {
      // The account exists: asking for it once more would only say that the address is taken.
      navigate('/login');
      throw failure;
    }
  };
}
