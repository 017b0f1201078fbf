import { useState } from 'react';
import { Link } from 'wouter';
import type { ForgottenPassword, PasswordReset } from '../../shared/contract/accounts.ts';
import { call } from '../api/call.ts';
import { ApiError, failureText } from '../api/failure.ts';
import { currentToken, forgetSessionEnd, useToken } from '../api/token.ts';
import { useSecretFragment } from '../browser/fragment.ts';
import { Callout } from '../design/Callout.tsx';
import { Form } from '../design/Form.tsx';
import styles from '../design/Page.module.css';
import { Page } from '../design/Page.tsx';
import { EmailField, NewPasswordField } from './credentials.tsx';
import { DemoMailboxLink } from './DemoMailboxLink.tsx';
import { useSubmit } from './sign-in.ts';

/** Asks for a link; opened by one, takes the new password. */
export function PasswordPage() {
  const { value: token, opened } = useSecretFragment('jeton');
  return token === null ? <ForgottenPage /> : <ResetPage key={opened} token={token} />;
}

interface ForgottenPageProps {
  /** Why the link that was opened is of no use. */
  refusal?: string;
}

function ForgottenPage({ refusal }: ForgottenPageProps) {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { busy, submit, refused } = useSubmit(async (body: ForgottenPassword) => {
    await call('POST', '/accounts/password/forgotten', { body });
    setSentTo(body.email);
  });
  return (
    <Page title="Mot de passe oublié" className={styles.form}>
      <h1>Mot de passe oublié</h1>
      {refusal && (
        <div role="alert">
          <Callout variant="failure">{refusal}</Callout>
        </div>
      )}
      <Form
        submit="Recevoir un lien"
        busy={busy}
        refused={refused}
        onSend={submit}
        after={<div role="status">{sentTo !== null && <Sent email={sentTo} />}</div>}
      >
        <p>
          Indiquez votre adresse email, nous y envoyons un lien pour choisir un nouveau mot de
          passe.
        </p>
        <EmailField autoComplete="username" />
      </Form>
      <BackToLogin />
    </Page>
  );
}

/** The same for every address: this page does not tell who has an account. */
function Sent({ email }: { email: string }) {
  return (
    <Callout variant="quiet">
      Si un compte existe pour {email}, un lien valable 30 minutes vient d'y être envoyé. Sans
      nouvelles, regardez dans les indésirables, puis demandez un lien à l'administrateur de ce
      service.
      <DemoMailboxLink />
    </Callout>
  );
}

function ResetPage({ token }: { token: string }) {
  const [end, setEnd] = useState<'own' | 'other' | ApiError | null>(null);
  const { busy, submit, refused } = useSubmit(async (body: PasswordReset) => {
    try {
      await call('POST', '/accounts/password/reset', { body });
    } catch (failure) {
      if (!(failure instanceof ApiError && failure.code === 'Link_Invalid')) throw failure;
      return setEnd(failure);
    }
    // A 401 to this browser's session ends it and keeps drafts: it may be of another account.
    const isOther = currentToken() !== null && (await isSessionValid());
    // This page tells of the end.
    forgetSessionEnd();
    setEnd(isOther ? 'other' : 'own');
  });
  if (end instanceof ApiError) return <ForgottenPage refusal={failureText(end)} />;
  if (end) return <DonePage isOther={end === 'other'} />;
  return (
    <Page title="Nouveau mot de passe" className={styles.form}>
      <h1>Nouveau mot de passe</h1>
      <Form
        submit="Enregistrer"
        busy={busy}
        refused={refused}
        onSend={({ password }: PasswordReset) => submit({ token, password })}
      >
        <NewPasswordField />
      </Form>
      <BackToLogin />
    </Page>
  );
}

function isSessionValid(): Promise<boolean> {
  return call('GET', '/users/me').then(
    () => true,
    () => false,
  );
}

function BackToLogin() {
  return (
    <p className={styles.other}>
      <Link href="/login">Revenir à la connexion</Link>
    </p>
  );
}

interface DonePageProps {
  /** The session of this browser is of another account. */
  isOther: boolean;
}

function DonePage({ isOther }: DonePageProps) {
  const isOtherOpen = useToken() !== null && isOther;
  return (
    <Page key="done" title="Mot de passe changé" className={`${styles.form} stack`}>
      <h1>Mot de passe changé</h1>
      <p>
        Toutes les sessions de ce compte sont terminées.{' '}
        {isOtherOpen
          ? 'Un autre compte est ouvert dans ce navigateur, et le reste. Déconnectez-vous-en avant de vous connecter avec le nouveau mot de passe.'
          : 'Connectez-vous avec le nouveau.'}
      </p>
      <p>
        {isOtherOpen ? (
          <Link href="/">Aller à l'accueil</Link>
        ) : (
          <Link href="/login">Se connecter</Link>
        )}
      </p>
    </Page>
  );
}
