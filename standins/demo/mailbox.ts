import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

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

export function openMailbox(file: string, clock: { now(): Date }): Mailbox {
  let mails = readMails(file);
  return {
    async send({ to, subject, body }) {
      mails = [{ to, subject, body, receivedAt: clock.now().toISOString() }, ...mails].slice(
        0,
        100,
      );
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      writeFileSync(`${file}.new`, JSON.stringify(mails));
      renameSync(`${file}.new`, file);
    },
    mails: () => mails,
  };
}

function readMails(file: string): ReceivedMail[] {
  try {
    const mails: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return Array.isArray(mails) ? mails : [];
  } catch {
    return [];
  }
}
