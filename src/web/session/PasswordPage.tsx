import { useState } from 'react';
import { Link } from 'wouter';
import type { ForgottenPassword, PasswordReset } from '../../shared/contract/accounts.ts';
import { call } from '../api/call.ts';
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

function ForgottenPage() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { busy, submit, refused } = useSubmit(async (body: ForgottenPassword) => {
    await call('POST', '/accounts/password/forgotten', { body });
    setSentTo(body.email);
  });
  return (
    <Page title="Mot de passe oublié" className={styles.form}>
      <h1>Mot de passe oublié</h1>
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
  const [done, setDone] = useState(false);
  const { busy, submit, refused } = useSubmit(async (body: PasswordReset) => {
    await call('POST', '/accounts/password/reset', { body });
    // A 401 to this browser's session ends it and keeps drafts: it may be of another account.
    if (currentToken() !== null) await call('GET', '/users/me').catch(() => {});
    // This page tells of the end.
    forgetSessionEnd();
    setDone(true);
  });
  if (done) return <DonePage />;
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

function BackToLogin() {
  return (
    <p className={styles.other}>
      <Link href="/login">Revenir à la connexion</Link>
    </p>
  );
}

function DonePage() {
  const isOtherOpen = useToken() !== null;
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
