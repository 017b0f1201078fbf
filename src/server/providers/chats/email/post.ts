import { Readable } from 'node:stream';
import type { SendMailOptions, Transporter } from 'nodemailer';
import type { Clock } from '../../../platform/clock.ts';
import { logoAttachment } from '../../../platform/mail/letter.ts';
import type { SmtpOptions } from '../../../platform/mail/smtp.ts';
import type { OutgoingMessage, PostResult } from '../posting.ts';
import { htmlLetter, plainLetter } from './letter.ts';
import { endOfFailure, type SmtpFailure } from './smtp-outcome.ts';

export interface EmailConfiguration extends SmtpOptions {
  /** Without a trailing slash. */
  publicUrl: string;
}

/** What a destination's secret says. */
export interface Recipient {
  address: string;
  /** Ends the mails to this address. */
  token: string;
}

/** Below /api. It stands in mails that were sent long ago: it stays. */
export const unsubscriptionPath = '/messengers/email/unsubscription';

/** Milliseconds. */
interface Limits {
  /** Until a free connection takes the mail: given up before, nothing of it was sent. */
  beginMs: number;
  /** That wait and the whole conversation: before another worker may take the message. */
  endMs: number;
}

const usualLimits: Limits = { beginMs: 15_000, endMs: 25_000 };

export type Post = (recipient: Recipient, message: OutgoingMessage) => Promise<PostResult>;

/** One mail to one address. `posted` means that the mail server has taken it. */
export function createPost(
  configuration: EmailConfiguration,
  clock: Clock,
  limits = usualLimits,
): Post {
  let opening: Promise<Transporter> | null = null;
  return async (recipient, message) => {
    opening ??= openConnections(configuration);
    const transport = await opening;
    const abort = new AbortController();
    const mail: TrackedMail = {
      ...mailOf(configuration, clock.now(), recipient, message),
      signal: abort.signal,
      progress: { isBegun: false },
    };
    const begin = setTimeout(() => mail.progress.isBegun || abort.abort(), limits.beginMs);
    const end = setTimeout(() => abort.abort(), limits.endMs);
    try {
      await transport.sendMail(mail);
      return { end: 'posted', receipt: String(mail.messageId), certainty: 'accepted' };
    } catch (error) {
      return endOfFailure(error as SmtpFailure, mail.progress.isBegun);
    } finally {
      clearTimeout(begin);
      clearTimeout(end);
    }
  };
}

interface TrackedMail extends SendMailOptions {
  progress: {
    /** The server began to take the mail itself. */
    isBegun: boolean;
  };
}

/** Opened with the first mail, because nodemailer would slow every start. */
async function openConnections(options: SmtpOptions): Promise<Transporter> {
  const smtp = await import('../../../platform/mail/smtp.ts');
  const transport = smtp.openPool(options);
  // The transport reads ahead, so that only this stream knows when the server began to take the mail.
  transport.use('stream', ({ message, data }, done) => {
    const { progress } = data as TrackedMail;
    message.build((error, bytes) => {
      message.createReadStream = () => {
        return new Readable({
          read() {
            progress.isBegun = true;
            this.push(bytes);
            this.push(null);
          },
        });
      };
      done(error);
    });
  });
  return transport;
}

function mailOf(
  { publicUrl }: EmailConfiguration,
  now: Date,
  { address, token }: Recipient,
  { text, blocks, clientMessageId }: OutgoingMessage,
): SendMailOptions {
  const { hostname } = new URL(publicUrl);
  const drawn = blocks?.length ? blocks : [{ type: 'text' as const, text }];
  const foot = { home: `${publicUrl}/`, unsubscribe: `${publicUrl}/desabonnement#jeton=${token}` };
  return {
    // As an object: a text would be read as a list.
    to: { name: '', address },
    subject: `${blocks?.some(({ type }) => type === 'accounts') ? 'Vos soldes' : 'Votre message'} du ${day.format(now)}`,
    date: now,
    messageId: `<${clientMessageId}@${hostname}>`,
    text: plainLetter(drawn, foot),
    html: htmlLetter(drawn, foot),
    attachments: [logoAttachment],
    list: { unsubscribe: { url: `${publicUrl}/api${unsubscriptionPath}/${token}`, comment: '' } },
    headers: {
      // RFC 3834: no program answers that its owner is on holiday.
      'Auto-Submitted': 'auto-generated',
      // RFC 8058.
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'List-Id': `<soldes.${hostname}>`,
      'X-Entity-Ref-ID': clientMessageId,
    },
  };
}

/** « 3 octobre », as the calendar of most readers has it. */
const day = new Intl.DateTimeFormat('fr-FR', {
  day: 'numeric',
  month: 'long',
  timeZone: 'Europe/Paris',
});
