import type { Logger } from 'pino';
import type { Mailer } from './mailer.ts';

/** For an installation without a mail server: says what was not sent, without the links in it. */
export function createUnsentMailer(log: Logger): Mailer {
  return {
    async send(mail) {
      const body = mail.body.replaceAll(/https?:\/\/\S+/g, '[…]');
      log.warn({ to: mail.to, subject: mail.subject, body }, 'mail not sent: SMTP_URL is not set');
    },
  };
}
