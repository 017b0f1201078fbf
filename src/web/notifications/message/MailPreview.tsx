import type { ReactNode } from 'react';
import type { MessageBlock } from '../../../shared/contract/messages.ts';
import { mailSubject, mailWords } from '../../../shared/message/mail-words.ts';
import { Logo } from '../../design/Logo.tsx';
import { clockWords, localZoneOf } from '../../time/calendar.ts';
import { useNow } from '../../time/clock.ts';
import type { Values } from '../draft.ts';
import styles from './Preview.module.css';

interface MailPreviewProps {
  values: Values;
  /** Null until they are known. */
  blocks: MessageBlock[] | null;
  /** The message drawn. */
  children: ReactNode;
}

/** As a mail program shows what arrives: its subject, who writes to whom, and the letter. */
export function MailPreview({ values, blocks, children }: MailPreviewProps) {
  const now = useNow();
  return (
    <div className={styles.message}>
      <p>
        <b>{blocks && mailSubject({ blocks }, now, localZoneOf(values.hour))}</b>
      </p>
      <p className={styles.envelope}>
        <span>De Tirelire à {values.slackChannelName}</span>
        <time>{clockWords(values.hour)}</time>
      </p>
      <div className={`stack ${styles.body} ${styles.letter}`}>
        <p className={styles.sender}>
          <Logo />
          Tirelire
        </p>
        {children}
        <p>
          <a href="/" target="_blank" rel="noreferrer" className={styles.home}>
            {mailWords.home}
          </a>
        </p>
        <p className={styles.foot}>
          {mailWords.reason} <u>{mailWords.unsubscribe}</u>
        </p>
      </div>
    </div>
  );
}
