import { readSaved, writeSaved } from '../service/saved-state.ts';

export interface ReceivedMail {
  to: string;
  subject: string;
  /** Plain text. */
  body: string;
  /** The same as mail programs show it; missing in mails that an earlier version kept. */
  html?: string | null;
  receivedAt: string;
}

/** Keeps the latest hundred mails. */
export interface Mailbox {
  send(mail: Omit<ReceivedMail, 'receivedAt'>): Promise<void>;
  /** Newest first. */
  mails(): readonly ReceivedMail[];
}

const maxMails = 100;

export function openMailbox(file: string, clock: { now(): Date }): Mailbox {
  const saved = readSaved(file);
  let mails: ReceivedMail[] = Array.isArray(saved) ? saved : [];
  return {
    async send({ to, subject, body, html }) {
      const receivedAt = clock.now().toISOString();
      mails = [{ to, subject, body, html: html ?? null, receivedAt }, ...mails].slice(0, maxMails);
      writeSaved(file, mails);
    },
    mails: () => mails,
  };
}
