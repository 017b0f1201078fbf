import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import type { Login } from '../../shared/contract/sessions.ts';
import { ServerRefusal } from '../api/failure.ts';
import { Entrance } from '../application/Entrance.tsx';
import { Page } from '../application/Page.tsx';
import styles from '../application/Screen.module.css';
import { Form } from '../design/Form.tsx';
import { textOf } from '../design/form.ts';
import { PasswordField } from '../design/PasswordField.tsx';
import { EmailField } from './credentials.tsx';
import { forgetExpiry, sessionExpired } from './expiry.ts';
import { OtpStep } from './OtpStep.tsx';
import { signIn } from './sign-in.ts';

export function LoginPage() {
  /** A login whose password was right and whose code is asked for. */
  const [half, setHalf] = useState<Login | null>(null);
  async function send(login: Login) {
    try {
      await signIn(login);
    } catch (failure) {
      if (!isCodeAsked(failure)) throw failure;
      setHalf(login);
    }
  }
  // One page for both steps: the second says itself where the focus goes.
  return (
    <Entrance>
      <Page title={half ? 'Validation' : 'Connexion'} className={styles.form}>
        {half ? (
          <OtpStep onCode={(otp) => send({ ...half, otp })} onBack={() => setHalf(null)} />
        ) : (
          <PasswordStep onLogin={send} />
        )}
      </Page>
    </Entrance>
  );
}

function PasswordStep({ onLogin }: { onLogin: (login: Login) => Promise<void> }) {
  const send = (form: FormData) =>
    onLogin({ email: textOf(form, 'email'), password: textOf(form, 'password') });
  return (
    <>
      <h1>Connexion</h1>
      <ExpiredNotice />
      <Form submit="Connexion" send={send} keep>
        <EmailField autoComplete="username" />
        <PasswordField autoComplete="current-password" />
      </Form>
      <p className={styles.other}>
        <Link href="/signup">Créer un compte</Link>
        <Link href="/mot-de-passe">Mot de passe oublié{'\u202f'}?</Link>
      </p>
    </>
  );
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
      Votre session a expiré. Reconnectez-vous.
    </p>
  );
}
