import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import type { EmailConfirmation } from '../../shared/contract/accounts.ts';
import { call } from '../api/call.ts';
import { failureText } from '../api/failure.ts';
import { takeFragment } from '../application/fragment.ts';
import { Page } from '../application/Page.tsx';
import styles from '../application/Screen.module.css';
import { Callout } from '../design/Callout.tsx';
import { useToken } from '../sessions/token.ts';

/** Opened by the link of a mail: the address that received it is its owner's. */
export function ConfirmationPage() {
  const signedIn = useToken() !== null;
  const outcome = useConfirmation();
  return (
    <Page title="Adresse email" className={styles.narrow}>
      <h1>Confirmation de votre adresse</h1>
      <div role="status">
        {outcome === 'waiting' && <p>Confirmation en cours…</p>}
        {outcome === 'done' && <p>Votre adresse est confirmée, merci.</p>}
      </div>
      {typeof outcome === 'object' && (
        <div role="alert">
          <Callout look="failure">{outcome.refusal}</Callout>
        </div>
      )}
      <p>
        {signedIn ? (
          <Link href="/profil">Aller à mon compte</Link>
        ) : (
          <Link href="/login">Se connecter</Link>
        )}
      </p>
    </Page>
  );
}

type Outcome = 'waiting' | 'done' | { refusal: string };

const incomplete: Outcome = {
  refusal:
    "Ce lien n'est pas complet. Ouvrez-le depuis l'email, ou demandez-en un autre depuis votre compte.",
};

function useConfirmation(): Outcome {
  const [token] = useState(() => takeFragment('jeton'));
  const [outcome, setOutcome] = useState<Outcome>(token === null ? incomplete : 'waiting');
  useEffect(() => {
    if (token === null) return;
    const body: EmailConfirmation = { token };
    call('POST', '/accounts/email/confirmation', { body }).then(
      () => setOutcome('done'),
      (failure) => setOutcome({ refusal: failureText(failure) }),
    );
  }, [token]);
  return outcome;
}
