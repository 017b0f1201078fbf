import { createHash } from 'node:crypto';
import { createTransport, type Transporter } from 'nodemailer';
import type SMTPPool from 'nodemailer/lib/smtp-pool';
import { htmlOfText, logoAttachment } from './html.ts';
import type { Mailer, OutgoingMail } from './mailer.ts';
import { transportUrl } from './smtp-address.ts';

export interface SmtpOptions {
  smtpUrl: string;
  /** The sender, with or without a name. */
  from: string;
}

/**
 * The configured SMTP server. Nothing of a mail is read from a file or an address, because parts of it come
 * from people.
 */
export function openTransport({ smtpUrl, from }: SmtpOptions): Transporter {
  return createTransport(settingsFor(smtpUrl), { from });
}

/**
 * The same for many mails, over connections that are kept for the next ones. Another one is opened only
 * while all are busy: at the pace of email, a server that answers at once has one or two. A mail that a
 * kept connection lost before any of it was sent goes out over a new one: servers end a connection after
 * some time, or after some mails.
 */
export function openPool({ smtpUrl }: Pick<SmtpOptions, 'smtpUrl'>): SMTPPool {
  const kept = { pool: true, maxConnections: 20, maxRequeues: 1, idleTimeout: 5000 } as const;
  const { transporter, getSocket } = createTransport({ ...settingsFor(smtpUrl), ...kept });
  // Of a proxy that the address names: the object around the pool would set it with its first mail.
  if (getSocket) transporter.getSocket = getSocket;
  return transporter as SMTPPool;
}

function settingsFor(smtpUrl: string) {
  return {
    url: transportUrl(smtpUrl),
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    // A server may look at a mail for long before it takes it: what is given up then arrives twice.
    socketTimeout: 60_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Sends the mails of the product itself. */
export function createSmtpMailer(options: SmtpOptions): Mailer {
  const transport = openTransport(options);
  return {
    async send(mail) {
      await transport.sendMail({
        messageId: messageIdOf(mail, options),
        // As an object: a text would be read as a list, with comments and names in it.
        to: { name: '', address: mail.to },
        subject: mail.subject,
        text: mail.body,
        html: htmlOfText(mail.body),
        attachments: [logoAttachment],
      });
    },
  };
}

function messageIdOf({ key }: OutgoingMail, { from }: SmtpOptions): string {
  const unique = createHash('sha256').update(key).digest('hex').slice(0, 32);
  return `<${unique}@${/@([^\s>]+)/.exec(from)?.[1] ?? 'tirelire'}>`;
}
