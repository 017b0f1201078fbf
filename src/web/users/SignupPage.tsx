import { type FormEvent, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { failureText } from '../api/failure.ts';
import { Entrance } from '../application/Entrance.tsx';
import { Page } from '../application/Page.tsx';
import styles from '../application/Screen.module.css';
import { Button } from '../design/Button.tsx';
import { Field } from '../design/Field.tsx';
import { PasswordField } from '../design/PasswordField.tsx';
import { signIn } from '../sessions/sign-in.ts';
import { showToast } from '../toasts/toasts.ts';
import { createUser, signupOf } from './signup.ts';

export function SignupPage() {
  const { loading, submit } = useSignup();
  return (
    <Entrance>
      <Page title="Créer un compte" className={styles.form}>
        <h1>Créer un compte</h1>
        <form onSubmit={submit}>
          <Field
            label="Email"
            name="email"
            type="email"
            required
            maxLength={254}
            autoComplete="email"
          />
          <PasswordField autoComplete="new-password" hint="12 caractères au moins" />
          <Field
            label="Prénom"
            name="firstname"
            required
            maxLength={100}
            autoComplete="given-name"
          />
          <Field label="Nom" name="lastname" required maxLength={100} autoComplete="family-name" />
          <TermsConsent />
          <Button type="submit" look="primary" busy={loading}>
            Créer mon compte
          </Button>
        </form>
        <p className={styles.other}>
          <span>Déjà inscrit{'\u202f'}?</span>
          <Link href="/login">Connexion</Link>
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
  const [loading, setLoading] = useState(false);
  const [, navigate] = useLocation();
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (loading) return;
    const signup = signupOf(new FormData(event.currentTarget));
    setLoading(true);
    let created = false;
    try {
      await createUser(signup);
      created = true;
      await signIn({ email: signup.email, password: signup.password });
    } catch (failure) {
      showToast('error', failureText(failure));
      // The account exists: asking for it once more would only say that the address is taken.
      if (created) navigate('/login');
    } finally {
      setLoading(false);
    }
  }
  return { loading, submit };
}
