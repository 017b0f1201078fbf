import { useState } from 'react';
import { Link } from 'wouter';
import type { ForgottenPassword } from '../../shared/contract/accounts.ts';
import { call } from '../api/call.ts';
import { Page } from '../application/Page.tsx';
import styles from '../application/Screen.module.css';
import { Callout } from '../design/Callout.tsx';
import { Form } from '../design/Form.tsx';
import { textOf } from '../design/form.ts';
import { EmailField } from '../sessions/credentials.tsx';

export function ForgottenForm() {
  const [asked, setAsked] = useState<string | null>(null);
  async function ask(form: FormData) {
    const body: ForgottenPassword = { email: textOf(form, 'email') };
    await call('POST', '/accounts/password/forgotten', { body });
    setAsked(body.email);
  }
  return (
    <Page title="Mot de passe oublié" className={styles.form}>
      <h1>Mot de passe oublié</h1>
      <Form
        submit="Recevoir un lien"
        send={ask}
        keep
        after={<div role="status">{asked !== null && <Sent email={asked} />}</div>}
      >
        <p>Indiquez votre adresse email, nous y envoyons un lien pour en choisir un nouveau.</p>
        <EmailField autoComplete="username" />
      </Form>
      <p className={styles.other}>
        <Link href="/login">Revenir à la connexion</Link>
      </p>
    </Page>
  );
}

/** The same for every address: nobody learns here who has an account. */
function Sent({ email }: { email: string }) {
  return (
    <Callout look="quiet">
      Si un compte existe pour {email}, un lien valable 30 minutes vient d'y être envoyé. Sans
      nouvelles, regardez dans les indésirables, puis demandez un lien à l'exploitant de ce service.
    </Callout>
  );
}
