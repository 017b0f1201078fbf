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
  // One page for both steps: the second says itself where the focus goes.
  return (
    <Entrance>
      <Page title={half ? 'Validation' : 'Connexion'} className={styles.form}>
        {half ? (
          <OtpStep busy={loading} onCode={(otp) => send({ ...half, otp })} onBack={back} />
        ) : (
          <PasswordStep busy={loading} onLogin={send} />
        )}
      </Page>
    </Entrance>
  );
}

function PasswordStep({ busy, onLogin }: { busy: boolean; onLogin: (login: Login) => void }) {
  return (
    <>
      <h1>Connexion</h1>
      <ExpiredNotice />
      <form onSubmit={(event) => onLogin(loginOf(event))}>
        <Field
          label="Email"
          name="email"
          type="email"
          required
          maxLength={254}
          autoComplete="username"
        />
        <PasswordField autoComplete="current-password" />
        <Button type="submit" look="primary" busy={busy}>
          Connexion
        </Button>
      </form>
      <p className={styles.other}>
        <Link href="/signup">Créer un compte</Link>
        <Link href="/mot-de-passe">Mot de passe oublié{'\u202f'}?</Link>
      </p>
    </>
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
