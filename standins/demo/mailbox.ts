import { readSaved, writeSaved } from '../service/saved-state.ts';

export interface ReceivedMail {
  to: string;
  subject: string;
  body: string;
  receivedAt: string;
}

/** Takes what would have left through SMTP, and keeps the latest hundred. */
export interface Mailbox {
  send(mail: { to: string; subject: string; body: string }): Promise<void>;
  /** Newest first. */
  mails(): readonly ReceivedMail[];
}

const mostMails = 100;

export function openMailbox(file: string, clock: { now(): Date }): Mailbox {
  const saved = readSaved(file);
  let mails: ReceivedMail[] = Array.isArray(saved) ? saved : [];
  return {
    async send({ to, subject, body }) {
      const receivedAt = clock.now().toISOString();
      mails = [{ to, subject, body, receivedAt }, ...mails].slice(0, mostMails);
      writeSaved(file, mails);
    },
    mails: () => mails,
  };
}
