import { createTransport } from 'nodemailer';
import { letterAttachments, letterOf } from './letter.ts';
import type { Mailer } from './mailer.ts';
import { transportUrl } from './smtp-address.ts';

/** Sends mails through the configured SMTP server, with a time limit of ten seconds. */
export function createSmtpMailer(options: { smtpUrl: string; from: string }): Mailer {
  const transport = createTransport(
    {
      url: transportUrl(options.smtpUrl),
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 10_000,
    },
    { from: options.from },
  );
  return {
    async send(mail) {
      await transport.sendMail({
        // As an object: a text would be read as a list, with comments and names in it.
        to: { name: '', address: mail.to },
        subject: mail.subject,
        text: mail.body,
        html: letterOf(mail.body),
        attachments: letterAttachments,
      });
    },
  };
}
