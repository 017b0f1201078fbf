import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Operations } from '../../shared/contract/operations.ts';
import { call } from '../api/call.ts';
import { ApiError } from '../api/failure.ts';
import { QueryResult } from '../api/QueryResult.tsx';
import { Button } from '../design/Button.tsx';
import { Callout } from '../design/Callout.tsx';
import { NotFoundPage } from '../design/NotFoundPage.tsx';
import { Page } from '../design/Page.tsx';
import panels from '../design/Panel.module.css';
import { Panel, PanelNote } from '../design/Panel.tsx';
import { withQueries } from '../session/query-client.tsx';
import { dateTimeText } from '../time/dates.ts';
import { DeliveriesPanel } from './DeliveriesPanel.tsx';
import styles from './Operations.module.css';
import { pluralize } from './words.ts';

/** How the installation fares, for those who run it. For anyone else the page does not exist. */
export const OperationsPage = withQueries(function OperationsPage() {
  const query = useOperations();
  const { data, isFetching, refetch } = query;
  if (data === null) return <NotFoundPage />;
  return (
    <Page title="Administration" className={`stack ${panels.page} ${panels.wide}`}>
      <div className={styles.head}>
        <h1>Administration</h1>
        <Button busy={isFetching && data !== undefined} onClick={() => refetch()}>
          Actualiser
        </Button>
      </div>
      <QueryResult
        query={query}
        failed="L'état du service n'a pas pu être chargé."
        waiting={
          <p role="status" className={panels.waiting}>
            Chargement…
          </p>
        }
      >
        {(operations) => operations && <OperationsReport operations={operations} />}
      </QueryResult>
    </Page>
  );
});

/** Null for anyone but an operator. */
function useOperations() {
  return useQuery({
    queryKey: ['operations'],
    queryFn: async ({ signal }) => {
      try {
        return await call<Operations>('GET', '/operations', { signal });
      } catch (failure) {
        if (failure instanceof ApiError && failure.status === 404) return null;
        throw failure;
      }
    },
  });
}

function OperationsReport({ operations }: { operations: Operations }) {
  return (
    <>
      <p role="status">
        Du {dateTimeText(new Date(operations.since))} au {dateTimeText(new Date(operations.date))}.
      </p>
      <DeliveriesPanel operations={operations} />
      <Troubles operations={operations} />
      <UnsentMails mails={operations.mails} canMail={operations.canMail} />
      <p>
        <Link href="/profil">Revenir à mon compte</Link>
      </p>
    </>
  );
}

/** Banks and workspaces that need someone's action. */
function Troubles({ operations }: { operations: Operations }) {
  const { banks, readings, workspaces } = operations;
  return (
    <>
      <Panel title="Banques en difficulté">
        <Lines none="Aucune.">
          {[
            ...readings.map(({ source, kind, sentence, people }) => (
              <li key={`${source} ${kind}`}>
                {sentence}
                <p className="note">{pluralize(people, 'personne')}</p>
              </li>
            )),
            ...banks.map(({ bank, status, sentence, connections }) => (
              <li key={`${bank.id} ${bank.name} ${status} ${sentence}`}>
                <strong>{bank.name}</strong>
                {/* As the people read it whom it addresses. */}
                {`\u202f: «\u202f${sentence}\u202f»`}
                <p className="note">
                  {pluralize(connections, 'connexion')}, état {status}
                </p>
              </li>
            )),
          ]}
        </Lines>
      </Panel>
      <Panel title="Messageries en difficulté">
        <Lines none="Aucune.">
          {workspaces.map(({ teamName, code, sentence, notifications, since }) => (
            <li key={`${teamName} ${code} ${since}`}>
              <strong>{teamName}</strong>
              {'\u202f'}: {sentence}
              <p className="note">
                {pluralize(notifications, 'notification')} en pause depuis le{' '}
                {dateTimeText(new Date(since))}, {code}
              </p>
            </li>
          ))}
        </Lines>
      </Panel>
    </>
  );
}

function UnsentMails({ mails, canMail }: Pick<Operations, 'mails' | 'canMail'>) {
  return (
    <Panel title="Emails non envoyés">
      {!canMail && (
        <Callout variant="warning">
          Aucun serveur de courrier n'est configuré (SMTP_URL){'\u202f'}: les emails ne partent pas.
        </Callout>
      )}
      <Lines none="Aucun.">
        {mails.map(({ createDate, recipient, subject, failure }) => (
          <li key={`${createDate} ${recipient} ${subject}`}>
            <strong>{subject}</strong>, à {recipient}
            <p className="note">
              {dateTimeText(new Date(createDate))}
              {'\u202f'}: {failure ?? 'pas encore essayé'}
            </p>
          </li>
        ))}
      </Lines>
    </Panel>
  );
}

/** What needs attention, one under the other; without any, `none` says so. */
function Lines({ none, children }: { none: string; children: ReactNode[] }) {
  if (children.length === 0) return <PanelNote>{none}</PanelNote>;
  return <ul className={styles.list}>{children}</ul>;
}
