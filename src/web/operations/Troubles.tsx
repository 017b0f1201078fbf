import type { Operations } from '../../shared/contract/operations.ts';
import { Panel } from '../profile/Panel.tsx';
import { fullDate } from '../time/full-date.ts';
import { Lines } from './Lines.tsx';
import styles from './Operations.module.css';
import { counted } from './words.ts';

/** Banks and workspaces that ask for somebody. */
export function Troubles({ operations }: { operations: Operations }) {
  const { banks, readings, workspaces } = operations;
  return (
    <>
      <Panel title="Banques en difficulté">
        <Lines none="Aucune.">
          {[
            ...readings.map(({ kind, sentence, people }) => (
              <li key={kind}>
                {sentence}
                <p className={styles.detail}>{counted(people, 'personne')}</p>
              </li>
            )),
            ...banks.map(({ bank, status, sentence, connections }) => (
              <li key={`${bank.id} ${status}`}>
                <strong>{bank.name}</strong>
                {'\u202f'}: {sentence}
                <p className={styles.detail}>
                  {counted(connections, 'connexion')}, état {status}
                </p>
              </li>
            )),
          ]}
        </Lines>
      </Panel>
      <Panel title="Espaces Slack en difficulté">
        <Lines none="Aucun.">
          {workspaces.map(({ teamName, code, sentence, notifications, since }) => (
            <li key={`${teamName} ${code} ${since}`}>
              <strong>{teamName}</strong>
              {'\u202f'}: {sentence}
              <p className={styles.detail}>
                {counted(notifications, 'notification')} en pause depuis le{' '}
                {fullDate(new Date(since))}, {code}
              </p>
            </li>
          ))}
        </Lines>
      </Panel>
    </>
  );
}
