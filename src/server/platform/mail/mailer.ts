import type { Logger } from 'pino';
import type { Configuration } from '../configuration/configuration.ts';
import { redactAddresses } from './redaction.ts';

/** Sends mails. Throws when the mail was not accepted: the outbox then tries again. */
export interface Mailer {
  send(mail: OutgoingMail): Promise<void>;
}

export interface OutgoingMail {
  /** The same at each try of one mail, so that mail programs show it once where two tries arrived. */
  key: string;
  to: string;
  subject: string;
  /** Plain text. */
  body: string;
}

/** Whether mails leave this installation: in the demonstration they are shown on a page of its own. */
export function canMail({ mail, demoUrl }: Pick<Configuration, 'mail' | 'demoUrl'>): boolean {
  return mail !== null || demoUrl !== null;
}

/** For an installation without a mail server: logs each mail without the links and addresses in it. */
export function createUnsentMailer(log: Logger): Mailer {
  return {
    async send(mail) {
      const [subject, body] = [mail.subject, mail.body].map((text) =>
        redactAddresses(text.replaceAll(/https?:\/\/\S+/g, '[…]')),
      );
      log.warn({ subject, body }, 'mail not sent: SMTP_URL is not set');
    },
  };
}
