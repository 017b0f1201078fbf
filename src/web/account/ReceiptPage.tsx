import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Deletion } from '../../shared/contract/deletions.ts';
import { deletionSteps } from '../../shared/deletion/steps.ts';
import { backoffMs } from '../api/backoff.ts';
import { call } from '../api/call.ts';
import { ApiError } from '../api/failure.ts';
import { QueryResult } from '../api/QueryResult.tsx';
import { useFragment } from '../browser/fragment.ts';
import { Button } from '../design/Button.tsx';
import { Callout } from '../design/Callout.tsx';
import screen from '../design/Page.module.css';
import { Page } from '../design/Page.tsx';
import { withQueries } from '../session/query-client.tsx';
import { now } from '../time/clock.ts';
import { dateTimeText } from '../time/dates.ts';
import styles from './ReceiptPage.module.css';

/** What became of a deletion, for anyone who holds its receipt. Its address may be kept. */
export const ReceiptPage = withQueries(function ReceiptPage() {
  const { value: receipt, opened } = useFragment('recu');
  return (
    <Page title="Suppression du compte" className={screen.narrow}>
      <h1>Suppression de votre compte</h1>
      {receipt === null ? (
        <Callout variant="failure">
          Cette adresse n'est pas complète{'\u202f'}: il y manque le reçu. Ouvrez-la telle qu'elle
          s'affichait après la suppression.
        </Callout>
      ) : (
        <Receipt key={opened} receipt={receipt} />
      )}
      <p>
        <Link href="/login">Revenir à la connexion</Link>
      </p>
    </Page>
  );
});

const pollMs = 4_000;

/** No receipt has this form, or none is this one: asking again cannot help. */
const unknown = new Set([400, 404]);

/** Read again until everything is done. */
function Receipt({ receipt }: { receipt: string }) {
  const path = `/accounts/deletions/${encodeURIComponent(receipt)}`;
  const query = useQuery({
    queryKey: ['deletion', receipt],
    queryFn: ({ signal }) => call<Deletion>('GET', path, { signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.doneDate === null && backoffMs(now().getTime() - Date.parse(data.requestDate), pollMs),
  });
  if (query.error instanceof ApiError && unknown.has(query.error.status)) {
    return (
      <div role="alert">
        <Callout variant="failure">
          Ce reçu est inconnu{'\u202f'}: cette adresse a été modifiée, elle est d'une autre
          installation, ou la suppression date de plus de 400 jours. Ouvrez-la telle qu'elle
          s'affichait après la suppression.
        </Callout>
      </div>
    );
  }
  return (
    <QueryResult
      query={query}
      failed="Le reçu n'a pas pu être chargé."
      waiting={
        <p role="status" className={styles.waiting}>
          Chargement du reçu…
        </p>
      }
    >
      {(deletion) => <Steps deletion={deletion} />}
    </QueryResult>
  );
}

function Steps({ deletion }: { deletion: Deletion }) {
  const { doneDate: done, canMail } = deletion;
  const isWhole = deletion.steps.every(({ notDone }) => notDone.length === 0);
  return (
    <>
      <p>Demande reçue le {dateTimeText(new Date(deletion.requestDate))}.</p>
      <ol className={styles.steps}>
        {deletion.steps.map((step) => (
          <li key={step.name}>
            <span>{deletionSteps[step.name]}</span>
            <End step={step} />
          </li>
        ))}
      </ol>
      <p role="status">
        {done === null
          ? `Ce qui reste est réessayé automatiquement. Cette page se met à jour${canMail ? ', et ce reçu vous est envoyé par email une fois tout terminé' : ''}.`
          : `${isWhole ? 'Tout est terminé' : 'Ce qui a pu être fait est terminé'} depuis le ${dateTimeText(new Date(done))}.${canMail ? ' Ce reçu vous est aussi envoyé par email.' : ''}`}
      </p>
      <Button onClick={() => print()}>Imprimer ce reçu</Button>
    </>
  );
}

function End({ step: { doneDate, notDone } }: { step: Deletion['steps'][number] }) {
  if (doneDate === null) return <span className="note">en cours</span>;
  const when = dateTimeText(new Date(doneDate));
  if (notDone.length === 0) return <span className={`note ${styles.done}`}>fait le {when}</span>;
  return (
    <>
      <span className="note">incomplet, dernier essai le {when}</span>
      {notDone.map((sentence) => (
        <span key={sentence}>{sentence}</span>
      ))}
    </>
  );
}
