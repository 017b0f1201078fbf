import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Link } from 'wouter';
import type { Login } from '../../shared/contract/sessions.ts';
import { ApiError } from '../api/failure.ts';
import { forgetSessionEnd, onSessionEnd, recallSessionEnd, type SessionEnd } from '../api/token.ts';
import { Button } from '../design/Button.tsx';
import { Form } from '../design/Form.tsx';
import styles from '../design/Page.module.css';
import { Page } from '../design/Page.tsx';
import { PasswordField } from '../design/PasswordField.tsx';
import { AuthLayout } from './AuthLayout.tsx';
import { CodeField, EmailField } from './credentials.tsx';
import { signIn, useSubmit } from './sign-in.ts';

export function LoginPage() {
  /** A login whose password was right and whose code is asked for. */
  const [pendingLogin, setPendingLogin] = useState<Login | null>(null);
  const { busy, submit, refused } = useSubmit(async (login: Login) => {
    try {
      await signIn(login);
    } catch (failure) {
      if (!isCodeAsked(failure)) throw failure;
      setPendingLogin(login);
    }
  });
  // One page for both steps: the second says itself where the focus goes.
  return (
    <AuthLayout>
      <Page title={pendingLogin ? 'Validation' : 'Connexion'} className={styles.form}>
        {pendingLogin ? (
          <CodeStep
            busy={busy}
            refused={refused}
            onCode={(otp) => submit({ ...pendingLogin, otp })}
            onBack={() => setPendingLogin(null)}
          />
        ) : (
          <PasswordStep busy={busy} onLogin={submit} />
        )}
      </Page>
    </AuthLayout>
  );
}

interface PasswordStepProps {
  busy: boolean;
  onLogin: (login: Login) => void;
}

function PasswordStep({ busy, onLogin }: PasswordStepProps) {
  return (
    <>
      <h1>Connexion</h1>
      <EndNotice />
      <Form submit="Connexion" busy={busy} onSend={onLogin}>
        <EmailField autoComplete="username" defaultValue={history.state?.email} />
        <PasswordField autoComplete="current-password" />
      </Form>
      <p className={styles.other}>
        <Link href="/signup">Créer un compte</Link>
        <Link href="/mot-de-passe">Mot de passe oublié{'\u202f'}?</Link>
      </p>
    </>
  );
}

interface CodeStepProps extends Pick<ReturnType<typeof useSubmit>, 'busy' | 'refused'> {
  onCode: (code: string) => void;
  onBack: () => void;
}

/** After the password was right: the code of the moment, or a recovery code. */
function CodeStep({ busy, refused, onCode, onBack }: CodeStepProps) {
  const form = useRef<HTMLFormElement>(null);
  function goBack() {
    // The button that has the focus goes away.
    form.current?.closest('main')?.focus();
    onBack();
  }
  useEffect(() => form.current?.querySelector('input')?.focus(), []);
  return (
    <>
      <h1>Validation en deux étapes</h1>
      <Form
        ref={form}
        submit="Vérifier"
        busy={busy}
        refused={refused}
        onSend={({ otp }: { otp: string }) => onCode(otp.trim())}
        after={<Button onClick={goBack}>Revenir à la connexion</Button>}
      >
        <CodeField />
      </Form>
      <p className={styles.other}>
        Téléphone et codes de secours perdus{'\u202f'}? L'administrateur de ce service peut vous
        aider.
      </p>
    </>
  );
}

function isCodeAsked(failure: unknown): boolean {
  return failure instanceof ApiError && failure.code === 'Second_Factor_Required';
}

/** Said again after a reload of this page; once left, it is not. */
function EndNotice() {
  const end = useSyncExternalStore(onSessionEnd, recallSessionEnd);
  useEffect(
    () => () => {
      if (location.pathname !== '/login') forgetSessionEnd();
    },
    [],
  );
  if (end === null) return null;
  return (
    <p role="alert" className={styles.expired}>
      {endings[end]}
    </p>
  );
}

const endings = {
  expired: 'Votre session a expiré. Reconnectez-vous.',
  gone: "Ce compte n'existe plus.",
  elsewhere: 'Vous avez été déconnecté depuis un autre onglet.',
} as const satisfies Record<SessionEnd, string>;
