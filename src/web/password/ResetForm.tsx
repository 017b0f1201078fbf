import { useState } from 'react';
import { Link } from 'wouter';
import type { PasswordReset } from '../../shared/contract/accounts.ts';
import { call } from '../api/call.ts';
import { Page } from '../application/Page.tsx';
import styles from '../application/Screen.module.css';
import { Form } from '../design/Form.tsx';
import { textOf } from '../design/form.ts';
import { NewPasswordField } from '../sessions/credentials.tsx';
import { forgetSession } from '../sessions/sign-out.ts';

export function ResetForm({ token }: { token: string }) {
  const [done, setDone] = useState(false);
  async function reset(form: FormData) {
    const body: PasswordReset = { token, password: textOf(form, 'password') };
    await call('POST', '/accounts/password/reset', { body });
    // The server ended every session, this browser's too.
    forgetSession();
    setDone(true);
  }
  if (done) return <Done />;
  return (
    <Page title="Nouveau mot de passe" className={styles.form}>
      <h1>Nouveau mot de passe</h1>
      <Form submit="Enregistrer" send={reset} keep>
        <NewPasswordField />
      </Form>
      <p className={styles.other}>
        <Link href="/login">Revenir à la connexion</Link>
      </p>
    </Page>
  );
}

function Done() {
  return (
    <Page key="done" title="Mot de passe changé" className={styles.narrow}>
      <h1>Mot de passe changé</h1>
      <p>Toutes les sessions ouvertes sont terminées. Connectez-vous avec le nouveau.</p>
      <p>
        <Link href="/login">Se connecter</Link>
      </p>
    </Page>
  );
}
