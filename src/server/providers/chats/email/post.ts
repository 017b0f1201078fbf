import type { Transform } from 'node:stream';
import type { MimeNodeHeaderMap } from 'nodemailer/lib/mime-node';
import { mailSubject } from '../../../../shared/message/mail-words.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { SmtpOptions } from '../../../platform/mail/smtp.ts';
import type { OutgoingMessage, PostResult } from '../posting.ts';
import { htmlBody, textBody } from './body.ts';
import type { Mail } from './mail.ts';
import { resultOfFailure, type SmtpFailure } from './smtp-outcome.ts';

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

const defaultLimits: Limits = { beginMs: 15_000, endMs: 25_000 };

export interface Posting {
  /** One mail to one address. `posted` means that the mail server has taken it. */
  post(recipient: Recipient, message: OutgoingMessage): Promise<PostResult>;
  load(): Promise<void>;
}

/** Nodemailer is loaded by the first of both calls, because it would slow every start. */
export function createPosting(
  configuration: EmailConfiguration,
  clock: Clock,
  limits = defaultLimits,
): Posting {
  const { publicUrl } = configuration;
  const { hostname } = new URL(publicUrl);
  let opening: Promise<Send> | null = null;
  const open = () => {
    opening ??= openConnections(configuration);
    return opening;
  };
  async function post(recipient: Recipient, message: OutgoingMessage): Promise<PostResult> {
    const send = await open();
    const abort = new AbortController();
    const progress = { isBegun: false };
    let timer = setTimeout(() => {
      if (!progress.isBegun) return abort.abort();
      timer = setTimeout(() => abort.abort(), limits.endMs - limits.beginMs);
    }, limits.beginMs);
    try {
      const mail = mailOf({ publicUrl, hostname }, clock.now(), recipient, message);
      const receipt = await send(mail, progress, abort.signal);
      return { end: 'posted', receipt, certainty: 'accepted' };
    } catch (error) {
      return resultOfFailure(error as SmtpFailure, progress.isBegun);
    } finally {
      clearTimeout(timer);
    }
  }
  return {
    post,
    async load() {
      await open();
    },
  };
}

interface Progress {
  /** The server began to take the mail itself. */
  isBegun: boolean;
}

/** Gives the id of the mail that the server has taken. */
type Send = (mail: Mail, progress: Progress, signal: AbortSignal) => Promise<string>;

async function openConnections(options: EmailConfiguration): Promise<Send> {
  const [{ openPool }, { mailWriter }] = await Promise.all([
    import('../../../platform/mail/smtp.ts'),
    import('./mail.ts'),
  ]);
  const pool = openPool(options);
  const write = mailWriter(headersOfAll(options));
  return (mail, progress, signal) => {
    const { envelope, bytes } = write(mail);
    const id = String(mail.headers['Message-ID']);
    // All that the pool asks the library's own kind of message for.
    const message = {
      // Its own each time: the connection notes in it what became of the addresses.
      getEnvelope: () => ({ ...envelope }),
      messageId: () => id,
      getHeader: () => id,
      createReadStream: () => new MailSource(bytes, progress),
    };
    return new Promise((resolve, reject) => {
      const whole = { message, data: { signal } } as unknown as Parameters<typeof pool.send>[0];
      pool.send(whole, (error) => (error ? reject(error) : resolve(id)));
    });
  };
}

/**
 * A mail, which the library asks for when the server takes it: all of a stream that the library uses. A
 * stream of its own for each mail took a tenth of the processor time of a post.
 */
class MailSource {
  /** Nothing of it was read: the library may give it to another connection. */
  readableDidRead = false;
  readonly #bytes: Buffer;
  readonly #progress: Progress;

  constructor(bytes: Buffer, progress: Progress) {
    this.#bytes = bytes;
    this.#progress = progress;
  }

  /**
   * Hands over the whole mail at once. The library's stream, which escapes dots and adds the last line,
   * passes on what it makes of it in one piece: each piece is a packet of its own, and a call of the system.
   */
  pipe(target: Transform): void {
    this.readableDidRead = true;
    this.#progress.isBegun = true;
    target.pause();
    target.end(this.#bytes);
    target.read();
    // The rest, of a mail that is longer than the stream holds at once.
    target.resume();
  }
}

/** The headers that are the same in every mail of an installation. */
function headersOfAll({ publicUrl, from }: EmailConfiguration): MimeNodeHeaderMap {
  return {
    From: from,
    // RFC 3834: no program answers that its owner is on holiday.
    'Auto-Submitted': 'auto-generated',
    // RFC 8058.
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    'List-ID': `<soldes.${new URL(publicUrl).hostname}>`,
  };
}

function mailOf(
  { publicUrl, hostname }: { publicUrl: string; hostname: string },
  now: Date,
  { address, token }: Recipient,
  { text, blocks, isAlert, localZone = paris, clientMessageId }: OutgoingMessage,
): Mail {
  const drawn = blocks?.length ? blocks : [{ type: 'text' as const, text }];
  const footer = {
    home: `${publicUrl}/`,
    unsubscribe: `${publicUrl}/desabonnement#jeton=${token}`,
  };
  return {
    to: address,
    headers: {
      Subject: mailSubject({ blocks: drawn, isAlert }, now, localZone),
      'Message-ID': `<${clientMessageId}@${hostname}>`,
      // RFC 5322 §3.3, as the library writes it.
      Date: now.toUTCString().replace('GMT', '+0000'),
      // RFC 8058, with `List-Unsubscribe-Post`.
      'List-Unsubscribe': `<${publicUrl}/api${unsubscriptionPath}/${token}>`,
      'X-Entity-Ref-ID': clientMessageId,
    },
    text: textBody(drawn, footer),
    html: htmlBody(drawn, footer),
  };
}

const paris = { zone: 'Europe/Paris', offsetMinutes: null };
