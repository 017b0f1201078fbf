import type { Operations } from '../../shared/contract/operations.ts';
import { Callout } from '../design/Callout.tsx';
import { Panel } from '../profile/Panel.tsx';
import { fullDate } from '../time/full-date.ts';
import { Lines } from './Lines.tsx';
import styles from './Operations.module.css';

export function UnsentMails({ mails, canMail }: Pick<Operations, 'mails' | 'canMail'>) {
  return (
    <Panel title="Emails non envoyés">
      {!canMail && (
        <Callout look="warning">
          Aucun serveur de courrier n'est configuré (SMTP_URL){'\u202f'}: les emails ne partent pas.
        </Callout>
      )}
      <Lines none="Aucun.">
        {mails.map(({ createDate, recipient, subject, failure }) => (
          <li key={`${createDate} ${recipient} ${subject}`}>
            <strong>{subject}</strong>, à {recipient}
            <p className={styles.detail}>
              {fullDate(new Date(createDate))}
              {'\u202f'}: {failure ?? 'pas encore essayé'}
            </p>
          </li>
        ))}
      </Lines>
    </Panel>
  );
}
