import { useCallback, useEffect, useState } from 'react';
import { Link } from 'wouter';
import type { EmailConfirmation } from '../../shared/contract/accounts.ts';
import { call } from '../api/call.ts';
import { failureText, ServerRefusal } from '../api/failure.ts';
import { useSecretFragment } from '../application/fragment.ts';
import { Page } from '../application/Page.tsx';
import styles from '../application/Screen.module.css';
import { buttonClass } from '../design/Button.tsx';
import { Callout } from '../design/Callout.tsx';
import { Retry } from '../design/Retry.tsx';
import { useToken } from '../sessions/token.ts';

/** Opened by the link of a mail: the address that received it is its owner's. */
export function ConfirmationPage() {
  const { value: token, opened } = useSecretFragment('jeton');
  return <Confirmation key={opened} token={token} />;
}

function Confirmation({ token }: { token: string | null }) {
  const [target, label] =
    useToken() === null ? ['/login', 'Se connecter'] : ['/profil', 'Aller à mon compte'];
  const { outcome, busy, confirm } = useConfirmation(token);
  return (
    <Page title="Adresse email" className={styles.narrow}>
      <h1>Confirmation de votre adresse</h1>
      <div role="status">
        {outcome === 'waiting' && <p>Confirmation en cours…</p>}
        {outcome === 'done' && <p>Votre adresse est confirmée, merci.</p>}
      </div>
      {outcome === 'unanswered' && (
        <Retry text="Votre adresse n'a pas pu être confirmée." busy={busy} onRetry={confirm} />
      )}
      {typeof outcome === 'object' && (
        <div role="alert">
          <Callout look="failure">{outcome.refusal}</Callout>
        </div>
      )}
      <Link href={target} className={buttonClass(outcome === 'done' ? 'primary' : 'plain')}>
        {label}
      </Link>
    </Page>
  );
}

type Outcome = 'waiting' | 'done' | 'unanswered' | { refusal: string };

const incomplete: Outcome = {
  refusal:
    "Ce lien n'est pas complet. Ouvrez-le depuis l'email, ou demandez-en un autre depuis votre compte.",
};

function useConfirmation(token: string | null) {
  const [outcome, setOutcome] = useState<Outcome>(token === null ? incomplete : 'waiting');
  const [busy, setBusy] = useState(false);
  const confirm = useCallback(async () => {
    if (token === null) return;
    const body: EmailConfirmation = { token };
    setBusy(true);
    try {
      await call('POST', '/accounts/email/confirmation', { body });
      setOutcome('done');
    } catch (failure) {
      const isRefusal = failure instanceof ServerRefusal;
      setOutcome(isRefusal ? { refusal: failureText(failure) } : 'unanswered');
    } finally {
      setBusy(false);
    }
  }, [token]);
  useEffect(() => void confirm(), [confirm]);
  return { outcome, busy, confirm };
}
