import { useEffect } from 'react';
import { Link } from 'wouter';
import type { Deletion } from '../../shared/contract/deletions.ts';
import { deletionSteps } from '../../shared/deletion/steps.ts';
import { Loaded } from '../api/Loaded.tsx';
import { useReading } from '../api/reading.ts';
import { useFragment } from '../application/fragment.ts';
import { Page } from '../application/Page.tsx';
import screen from '../application/Screen.module.css';
import { Button } from '../design/Button.tsx';
import { Callout } from '../design/Callout.tsx';
import { fullDate } from '../time/full-date.ts';
import styles from './Receipt.module.css';

const POLL_MS = 4_000;

/** What became of an erasure, for whoever holds its receipt. Its address may be kept. */
export function ReceiptPage() {
  const { value: receipt, opened } = useFragment('recu');
  return (
    <Page title="Suppression du compte" className={screen.narrow}>
      <h1>Suppression de votre compte</h1>
      {receipt === null ? (
        <Callout look="failure">
          Cette adresse n'est pas complète{'\u202f'}: il y manque le reçu. Ouvrez le lien reçu par
          email.
        </Callout>
      ) : (
        <Receipt key={opened} receipt={receipt} />
      )}
      <p>
        <Link href="/login">Revenir à la connexion</Link>
      </p>
    </Page>
  );
}

function Receipt({ receipt }: { receipt: string }) {
  const reading = useReading<Deletion>(`/accounts/deletions/${encodeURIComponent(receipt)}`);
  const { data, busy, again } = reading;
  const isOpen = data !== null && data.doneDate === null;
  useEffect(() => {
    // A slow answer is waited for: asking again would end it.
    if (!isOpen || busy) return;
    const timer = setTimeout(again, POLL_MS);
    return () => clearTimeout(timer);
  }, [isOpen, busy, again]);
  return (
    <Loaded
      reading={reading}
      failed="Le reçu n'a pas pu être chargé."
      waiting={
        <p role="status" className={styles.waiting}>
          Chargement du reçu…
        </p>
      }
    >
      {(deletion) => <Steps deletion={deletion} />}
    </Loaded>
  );
}

function Steps({ deletion }: { deletion: Deletion }) {
  const done = deletion.doneDate;
  return (
    <>
      <p>Demande reçue le {fullDate(new Date(deletion.requestDate))}.</p>
      <ol className={styles.steps}>
        {deletion.steps.map(({ name, doneDate }) => (
          <li key={name}>
            <span>{deletionSteps[name]}</span>
            <span className={doneDate === null ? styles.state : styles.done}>
              {doneDate === null ? 'en cours' : `fait le ${fullDate(new Date(doneDate))}`}
            </span>
          </li>
        ))}
      </ol>
      <p role="status">
        {done === null
          ? 'Ce qui reste est réessayé automatiquement. Cette page se met à jour, et ce reçu vous est envoyé par email une fois tout terminé.'
          : `Tout est terminé depuis le ${fullDate(new Date(done))}. Ce reçu vous est aussi envoyé par email.`}
      </p>
      <Button onClick={() => print()}>Imprimer ce reçu</Button>
    </>
  );
}
