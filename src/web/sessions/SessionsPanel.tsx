import { useRef } from 'react';
import type { OpenSession } from '../../shared/contract/sessions.ts';
import { call } from '../api/call.ts';
import { Loaded } from '../api/Loaded.tsx';
import { useReading } from '../api/reading.ts';
import { useSubmission } from '../api/submission.ts';
import { Button } from '../design/Button.tsx';
import { Panel } from '../profile/Panel.tsx';
import { useNow } from '../time/clock.ts';
import { relativeDate } from '../time/relative.ts';
import { showToast } from '../toasts/toasts.ts';
import { deviceWords } from './device.ts';
import styles from './Sessions.module.css';

export function SessionsPanel() {
  const reading = useReading<OpenSession[]>('/users/me/sessions');
  const heading = useRef<HTMLHeadingElement>(null);
  function ended() {
    // The button that had the focus goes with its line.
    heading.current?.focus();
    reading.again();
  }
  return (
    <Panel title="Sessions ouvertes" headingRef={heading}>
      <Loaded
        reading={reading}
        failed="Vos sessions n'ont pas pu être chargées."
        waiting={<p role="status">Chargement…</p>}
      >
        {(sessions) => (
          <ul className={styles.sessions}>
            {sessions.map((session) => (
              <Session key={session.id} session={session} onEnd={ended} />
            ))}
          </ul>
        )}
      </Loaded>
    </Panel>
  );
}

function Session({ session, onEnd }: { session: OpenSession; onEnd: () => void }) {
  const now = useNow();
  const device = deviceWords(session.device);
  const { busy, submit } = useSubmission(async () => {
    await call('DELETE', `/users/me/sessions/${session.id}`);
    showToast('success', 'La session est terminée');
    onEnd();
  });
  return (
    <li>
      <p>
        <strong>{device}</strong>
        <br />
        <span className={styles.use}>
          Dernière utilisation{' '}
          <time dateTime={session.lastUseDate}>
            {relativeDate(new Date(session.lastUseDate), now)}
          </time>
        </span>
      </p>
      {session.current ? (
        <p className={styles.current}>Session actuelle</p>
      ) : (
        <Button busy={busy} onClick={() => submit()}>
          Déconnecter<span className="unseen"> {device}</span>
        </Button>
      )}
    </li>
  );
}
