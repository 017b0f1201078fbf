import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { EmailConfirmation } from '../../shared/contract/accounts.ts';
import { call } from '../api/call.ts';
import { ApiError, failureText } from '../api/failure.ts';
import { currentToken, useToken } from '../api/token.ts';
import { useSecretFragment } from '../browser/fragment.ts';
import { tellOtherTabs } from '../browser/tabs.ts';
import { buttonClass } from '../design/Button.tsx';
import { Callout } from '../design/Callout.tsx';
import { Form } from '../design/Form.tsx';
import styles from '../design/Page.module.css';
import { Page } from '../design/Page.tsx';
import { PasswordField } from '../design/PasswordField.tsx';
import { meQuery } from '../session/me.ts';
import { withQueries } from '../session/query-client.tsx';
import { useSubmit } from '../session/sign-in.ts';

/** Opened by the link of a mail. Mail programs open it too, so nothing is sent before a press. */
export const EmailConfirmationPage = withQueries(function EmailConfirmationPage() {
  const { value: token, opened } = useSecretFragment('jeton');
  if (token !== null) return <Confirmation key={opened} token={token} />;
  if (history.state === confirmed) return <Confirmed />;
  return (
    <EndPage>
      <Refused>
        Ce lien n'est pas complet. Ouvrez-le depuis l'email, ou demandez-en un autre depuis votre
        compte.
      </Refused>
    </EndPage>
  );
});

/** In the history's entry of this page, for a reload. */
const confirmed = 'confirmed';

function Confirmation({ token }: { token: string }) {
  const isSignedIn = useToken() !== null;
  /** The session of this browser is not one of the account that the link is about. */
  const [isOther, setIsOther] = useState(false);
  const [end, setEnd] = useState<typeof confirmed | ApiError | null>(null);
  const client = useQueryClient();
  const { busy, submit, refused } = useSubmit(async (body: EmailConfirmation) => {
    try {
      await call('POST', '/accounts/email/confirmation', { body });
      client.removeQueries(meQuery);
      tellOtherTabs({ changed: meQuery.queryKey });
      history.replaceState(confirmed, '');
      setEnd(confirmed);
    } catch (failure) {
      if (isRefusal(failure, 'Account_Proof_Required')) {
        // A 401 to this browser's session ends it: then it is not of another account.
        await call('GET', '/users/me').catch(() => {});
        setIsOther(currentToken() !== null);
      } else if (isRefusal(failure, 'Link_Invalid', 'Email_Already_Exists')) setEnd(failure);
      else throw failure;
    }
  });
  if (end === confirmed) return <Confirmed />;
  if (end) {
    return (
      <EndPage key="end">
        <Refused>{failureText(end)}</Refused>
      </EndPage>
    );
  }
  return (
    <ConfirmationForm
      account={isOther ? 'other' : isSignedIn ? 'own' : 'unknown'}
      busy={busy}
      refused={refused}
      onConfirm={(proof) => submit({ token, ...proof })}
    />
  );
}

function isRefusal(failure: unknown, ...codes: string[]): failure is ApiError {
  return failure instanceof ApiError && codes.includes(failure.code);
}

interface ConfirmationFormProps {
  /** Whether the link is about the account of this browser's session. */
  account: keyof typeof questions;
  busy: boolean;
  refused: ReturnType<typeof useSubmit>['refused'];
  onConfirm: (proof: Pick<EmailConfirmation, 'password'>) => void;
}

/** The link shows who reads the mailbox; the session or the password, whose the account is. */
function ConfirmationForm({ account, busy, refused, onConfirm }: ConfirmationFormProps) {
  const asksPassword = account !== 'own';
  const form = useRef<HTMLFormElement>(null);
  const [asked] = useState(asksPassword);
  useEffect(() => {
    // It is asked for after a press: the answer to it is where the focus goes.
    if (asksPassword && !asked) form.current?.querySelector('input')?.focus();
  }, [asksPassword, asked]);
  return (
    <Page title="Adresse email" className={styles.form}>
      <h1>Confirmation de votre adresse</h1>
      <Form
        ref={form}
        submit="Confirmer mon adresse"
        busy={busy}
        refused={refused}
        onSend={onConfirm}
        after={
          <p className="note">
            Vous n'avez rien demandé{'\u202f'}? Ne confirmez rien. Si quelqu'un a créé un compte
            avec votre adresse, <Link href="/mot-de-passe">choisissez un nouveau mot de passe</Link>
            {'\u202f'}: vous seul pourrez l'ouvrir, et ses notifications seront mises en pause.
          </p>
        }
      >
        <p>{questions[account]}</p>
        {asksPassword && <PasswordField autoComplete="current-password" />}
      </Form>
    </Page>
  );
}

const questions = {
  own: "Confirmez que l'adresse où vous avez reçu ce lien est la vôtre.",
  unknown: 'Pour confirmer votre adresse, saisissez le mot de passe de votre compte Tirelire.',
  other:
    "Ce lien concerne un autre compte que celui qui est ouvert ici. Saisissez le mot de passe de l'autre compte.",
};

function Confirmed() {
  return (
    <EndPage key="end" isDone>
      <p role="status">Votre adresse est confirmée, merci.</p>
    </EndPage>
  );
}

/** Nothing is left to do here. */
function EndPage({ isDone = false, children }: { isDone?: boolean; children: ReactNode }) {
  const isSignedIn = useToken() !== null;
  const signedIn = isDone ? ['/', "Aller à l'accueil"] : ['/profil', 'Aller à mon compte'];
  const [target = '', label] = isSignedIn ? signedIn : ['/login', 'Se connecter'];
  return (
    <Page title="Adresse email" className={`${styles.form} stack`}>
      <h1>Confirmation de votre adresse</h1>
      {children}
      <Link href={target} className={buttonClass(isDone ? 'primary' : 'plain')}>
        {label}
      </Link>
    </Page>
  );
}

function Refused({ children }: { children: string }) {
  return (
    <div role="alert">
      <Callout variant="failure">{children}</Callout>
    </div>
  );
}
