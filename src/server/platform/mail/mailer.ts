import type { Logger } from 'pino';

/** Hands a mail to whoever carries it. Throws when it was not taken: the outbox tries again. */
export interface Mailer {
  send(mail: OutgoingMail): Promise<void>;
}

export interface OutgoingMail {
  to: string;
  subject: string;
  /** Plain text. */
  body: string;
}

/** For an installation without a mail server: says what was not sent, without the links in it. */
export function createUnsentMailer(log: Logger): Mailer {
  return {
    async send(mail) {
      const body = mail.body.replaceAll(/https?:\/\/\S+/g, '[…]');
      log.warn({ to: mail.to, subject: mail.subject, body }, 'mail not sent: SMTP_URL is not set');
    },
  };
}
