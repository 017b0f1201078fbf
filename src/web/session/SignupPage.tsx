import { useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import type { Signup, User } from '../../shared/contract/users.ts';
import { call } from '../api/call.ts';
import { Field, named } from '../design/Field.tsx';
import { FieldFault } from '../design/FieldFault.tsx';
import { Form, useFieldFault } from '../design/Form.tsx';
import styles from '../design/Page.module.css';
import { Page } from '../design/Page.tsx';
import { showToast } from '../design/toasts/toasts.ts';
import { AuthLayout } from './AuthLayout.tsx';
import { EmailField, NewPasswordField } from './credentials.tsx';
import { signIn, useSubmit } from './sign-in.ts';

export function SignupPage() {
  const { busy, submit, refused } = useSignup();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // Elsewhere the keyboard of a phone would cover the page.
    if (matchMedia('(pointer: fine)').matches) form.current?.querySelector('input')?.focus();
  }, []);
  return (
    <AuthLayout>
      <Page title="Créer un compte" className={styles.form}>
        <h1>Créer un compte</h1>
        <Form
          ref={form}
          submit="Créer mon compte"
          busy={busy}
          refused={refused}
          // The checkbox is required by the form: nothing is sent before it is ticked.
          onSend={(signup: Signup) => submit({ ...signup, cguValidated: true })}
        >
          <EmailField autoComplete="email" />
          <NewPasswordField />
          <Field label="Prénom" name="firstname" autoComplete="given-name" {...named} />
          <Field label="Nom" name="lastname" autoComplete="family-name" {...named} />
          <TermsConsent />
        </Form>
        <p className={styles.other}>
          <span>
            Déjà inscrit{'\u202f'}? <Link href="/login">Connexion</Link>
          </span>
        </p>
      </Page>
    </AuthLayout>
  );
}

function TermsConsent() {
  const fault = useFieldFault('cguValidated');
  return (
    <div className={styles.consent}>
      <input
        id="cgu"
        type="checkbox"
        name="cguValidated"
        required
        aria-invalid={fault !== null || undefined}
        aria-describedby={fault ? 'cgu-fault' : undefined}
      />
      <label htmlFor="cgu">
        J'ai lu et j'approuve les{' '}
        <a href="/cgu" target="_blank" rel="noopener">
          Conditions Générales d'Utilisation
        </a>
      </label>
      <FieldFault id="cgu-fault" text={fault} />
    </div>
  );
}

function useSignup() {
  const [, navigate] = useLocation();
  return useSubmit(async (signup: Signup) => {
    await call<User>('POST', '/users', { body: signup });
    const { email, password } = signup;
    await signIn({ email, password }).catch(() => {
      // The account exists: a second sign-up would only say that the address is taken.
      showToast('success', 'Votre compte est créé. Connectez-vous.');
      navigate('/login', { state: { email } });
    });
  });
}
