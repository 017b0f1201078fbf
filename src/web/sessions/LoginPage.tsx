import { type FormEvent, useEffect, useState } from 'react';
import { Link } from 'wouter';
import type { Login } from '../../shared/contract/sessions.ts';
import { failureText, ServerRefusal } from '../api/failure.ts';
import { Entrance } from '../application/Entrance.tsx';
import { Page } from '../application/Page.tsx';
import styles from '../application/Screen.module.css';
import { Button } from '../design/Button.tsx';
import { Field } from '../design/Field.tsx';
import { textOf } from '../design/form.ts';
import { PasswordField } from '../design/PasswordField.tsx';
import { showToast } from '../toasts/toasts.ts';
import { forgetExpiry, sessionExpired } from './expiry.ts';
import { OtpStep } from './OtpStep.tsx';
import { signIn } from './sign-in.ts';

export function LoginPage() {
  const { loading, half, send, back } = useLogin();
  if (half) {
    return (
      <Page title="Validation" className={styles.form}>
        <OtpStep busy={loading} onCode={(otp) => send({ ...half, otp })} onBack={back} />
      </Page>
    );
  }
  return (
    <Entrance>
      <Page title="Connexion" className={styles.form}>
        <h1>Connexion</h1>
        <ExpiredNotice />
        <form onSubmit={(event) => send(loginOf(event))}>
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
          <Link href="/mot-de-passe">Mot de passe oublié{'\u202f'}?</Link>
        </p>
      </Page>
    </Entrance>
  );
}

function loginOf(event: FormEvent<HTMLFormElement>): Login {
  event.preventDefault();
  const form = new FormData(event.currentTarget);
  return { email: textOf(form, 'email'), password: textOf(form, 'password') };
}

/** `half` is a login whose password was right and whose code is asked for. */
function useLogin() {
  const [loading, setLoading] = useState(false);
  const [half, setHalf] = useState<Login | null>(null);
  async function send(login: Login) {
    if (loading) return;
    setLoading(true);
    try {
      await signIn(login);
    } catch (failure) {
      if (isCodeAsked(failure)) setHalf(login);
      else showToast('error', failureText(failure));
    } finally {
      setLoading(false);
    }
  }
  return { loading, half, send, back: () => setHalf(null) };
}

function isCodeAsked(failure: unknown): boolean {
  return failure instanceof ServerRefusal && failure.code === 'Second_Factor_Required';
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
