import type { Logger } from 'pino';

/** Sends mails. Throws when the mail was not accepted: the outbox then tries again. */
export interface Mailer {
  send(mail: OutgoingMail): Promise<void>;
}

export interface OutgoingMail {
  to: string;
  subject: string;
  /** Plain text. */
  body: string;
}

/** For an installation without a mail server: logs each mail without the links in it. */
export function createUnsentMailer(log: Logger): Mailer {
  return {
    async send(mail) {
      const body = mail.body.replaceAll(/https?:\/\/\S+/g, '[…]');
      log.warn({ to: mail.to, subject: mail.subject, body }, 'mail not sent: SMTP_URL is not set');
    },
  };
}
