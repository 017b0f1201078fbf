import { type FormEvent, useEffect, useState } from 'react';
import { Link } from 'wouter';
import { failureText } from '../api/failure.ts';
import { Page } from '../application/Page.tsx';
import styles from '../application/Screen.module.css';
import { Button } from '../design/Button.tsx';
import { Field } from '../design/Field.tsx';
import { textOf } from '../design/form.ts';
import { PasswordField } from '../design/PasswordField.tsx';
import { showToast } from '../toasts/toasts.ts';
import { forgetExpiry, sessionExpired } from './expiry.ts';
import { signIn } from './sign-in.ts';

export function LoginPage() {
  const { loading, submit } = useLogin();
  return (
    <Page title="Connexion" className={styles.form}>
      <h1>Connexion</h1>
      <ExpiredNotice />
      <form onSubmit={submit}>
        <Field
          label="Email"
          name="email"
          type="email"
          required
          maxLength={254}
          autoComplete="username"
        />
        <PasswordField autoComplete="current-password" />
        <Button type="submit" look="primary" busy={loading}>
          Connexion
        </Button>
      </form>
      <p className={styles.other}>
        <Link href="/signup">Créer un compte</Link>
      </p>
    </Page>
  );
}

function useLogin() {
  const [loading, setLoading] = useState(false);
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (loading) return;
    const form = new FormData(event.currentTarget);
    setLoading(true);
    try {
      await signIn({ email: textOf(form, 'email'), password: textOf(form, 'password') });
    } catch (failure) {
      showToast('error', failureText(failure));
    } finally {
      setLoading(false);
    }
  }
  return { loading, submit };
}

function ExpiredNotice() {
  const [expired] = useState(sessionExpired);
  useEffect(() => () => forgetExpiry(), []);
  if (!expired) return null;
  return (
    <p role="alert" className={styles.expired}>
      Votre session a expiré
    </p>
  );
}
