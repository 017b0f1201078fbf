import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { OpenSession } from '../../shared/contract/sessions.ts';
import { call, callToDelete } from '../api/call.ts';
import { QueryResult } from '../api/QueryResult.tsx';
import { Button } from '../design/Button.tsx';
import { Panel } from '../design/Panel.tsx';
import { useNow } from '../time/clock.ts';
import { relativeDate } from '../time/relative.ts';
import { deviceWords } from './device.ts';
import styles from './SessionsPanel.module.css';

export const sessionsKey = ['sessions'];

export function SessionsPanel() {
  const query = useQuery({
    queryKey: sessionsKey,
    queryFn: ({ signal }) => call<OpenSession[]>('GET', '/users/me/sessions', { signal }),
  });
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <Panel title="Sessions ouvertes" headingRef={heading}>
      <QueryResult
        query={query}
        failed="Vos sessions n'ont pas pu être chargées."
        waiting={<p role="status">Chargement…</p>}
      >
        {(sessions) => (
          <ul className={styles.sessions}>
            {sessions.map((session) => (
              // The button that has the focus goes away with its line.
              <Session key={session.id} session={session} onEnd={() => heading.current?.focus()} />
            ))}
          </ul>
        )}
      </QueryResult>
    </Panel>
  );
}

function Session({ session, onEnd }: { session: OpenSession; onEnd: () => void }) {
  const now = useNow();
  const device = deviceWords(session.device);
  const { mutate, isPending } = useMutation({
    mutationFn: () => callToDelete(`/users/me/sessions/${session.id}`),
    meta: { done: 'La session est terminée', changed: [sessionsKey] },
  });
  return (
    <li>
      <p>
        <strong>{device}</strong>
        <br />
        <span className="note">
          Dernière utilisation{' '}
          <time dateTime={session.lastUseDate}>
            {relativeDate(new Date(session.lastUseDate), now)}
          </time>
        </span>
      </p>
      {session.current ? (
        <p className={styles.current}>Session actuelle</p>
      ) : (
        <Button busy={isPending} onClick={() => mutate(undefined, { onSuccess: onEnd })}>
          Déconnecter<span className="unseen"> {device}</span>
        </Button>
      )}
    </li>
  );
}
