import { Link } from 'wouter';
import type { Operations } from '../../shared/contract/operations.ts';
import { ServerRefusal } from '../api/failure.ts';
import { Loaded } from '../api/Loaded.tsx';
import { useReading } from '../api/reading.ts';
import { NotFoundPage } from '../application/NotFoundPage.tsx';
import { Page } from '../application/Page.tsx';
import { Button } from '../design/Button.tsx';
import panels from '../profile/Panel.module.css';
import { fullDate } from '../time/full-date.ts';
import { Deliveries } from './Deliveries.tsx';
import styles from './Operations.module.css';
import { Troubles } from './Troubles.tsx';
import { UnsentMails } from './UnsentMails.tsx';

/** How the installation fares, for those who run it. For anybody else there is no such page. */
export function OperationsPage() {
  const reading = useReading<Operations>('/operations');
  const { data, failure, busy, again } = reading;
  if (failure instanceof ServerRefusal && failure.status === 404) return <NotFoundPage />;
  return (
    <Page title="Exploitation" className={`${panels.page} ${panels.wide}`}>
      <div className={styles.head}>
        <h1>Exploitation</h1>
        <Button busy={busy && data !== null} onClick={again}>
          Actualiser
        </Button>
      </div>
      <Loaded
        reading={reading}
        failed="L'état du service n'a pas pu être chargé."
        waiting={
          <p role="status" className={panels.waiting}>
            Chargement…
          </p>
        }
      >
        {(operations) => <Everything operations={operations} />}
      </Loaded>
    </Page>
  );
}

function Everything({ operations }: { operations: Operations }) {
  return (
    <>
      <p role="status">
        Du {fullDate(new Date(operations.since))} au {fullDate(new Date(operations.date))}.
      </p>
      <Deliveries operations={operations} />
      <Troubles operations={operations} />
      <UnsentMails mails={operations.mails} canMail={operations.canMail} />
      <p>
        <Link href="/profil">Revenir à mon compte</Link>
      </p>
    </>
  );
}
