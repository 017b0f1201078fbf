import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Logger } from 'pino';
import type { Clock } from '../../../platform/clock.ts';
import { logoAttachment } from '../../../platform/mail/letter.ts';
import type { SmtpOptions } from '../../../platform/mail/smtp.ts';
import type { ServiceCheck } from '../../service-check.ts';
import type { ChatProvider, Link } from '../port.ts';
import type { OutgoingMessage, PostResult } from '../posting.ts';
import { endOfFailure, type SmtpFailure } from './answers.ts';
import { capacity, htmlLetter, plainLetter } from './letter.ts';
import { errors, name, reasons, words } from './words.ts';

export interface EmailConfiguration extends SmtpOptions {
  /** Without a trailing slash. */
  publicUrl: string;
}

/** Email as a chat: each linked address is one channel, and each message one mail to it. */
export function createEmail(
  configuration: EmailConfiguration,
  { clock, log }: { clock: Clock; log: Logger },
): ChatProvider {
  return {
    ...{ name, errors, words, reasons, capacity },
    linkings: [
      {
        way: 'mailbox',
        unsubscription: {
          path: unsubscriptionPath,
          summary: 'Se désabonner en un geste depuis son logiciel de courrier (RFC 8058)',
        },
        link: linkOf,
      },
    ],
    channels: 'one',
    drawing: 'table',
    codes: { removed: 'unsubscribed', limited: 'try_later' },
    // With the same Message-ID, of which many servers and programs show one mail.
    repeat: 'safe',
    // Servers that relay for small senders take a few mails a second, and a few hundred an hour.
    pace: { channelGapMs: 1000, perTeam: 1, perSecond: 3 },
    check: () => check(configuration),
    // An address is nobody's to end but its owner's, who unsubscribes.
    withdraw: async () => {},
    async post(secret, message) {
      const result = await post(configuration, clock, secret, message);
      if (result.end === 'permanent' && result.cause === 'permission') {
        log.error({ code: result.code }, 'a mail server refuses the mails of this installation');
      }
      return result;
    },
  };
}

/** Below /api. It stands in mails that were sent long ago: it stays. */
const unsubscriptionPath = '/messengers/email/unsubscription';

/** What a destination's secret says. */
interface Recipient {
  address: string;
  /** Ends the mails to this address. */
  token: string;
}

function linkOf(channelId: string, { address, token }: Recipient): Link {
  return {
    secret: JSON.stringify({ address, token } satisfies Recipient),
    teamId: createHash('sha256').update(address.toLowerCase()).digest('hex').slice(0, 32),
    teamName: null,
    botUserId: null,
    channel: { id: channelId, name: address, isPrivate: true, isExternal: false },
    scope: '',
  };
}

/** One mail to one address. `posted` means that the mail server has taken it. */
async function post(
  { smtpUrl, from, publicUrl }: EmailConfiguration,
  clock: Clock,
  secret: string,
  { text, blocks, clientMessageId }: OutgoingMessage,
): Promise<PostResult> {
  const { address, token } = JSON.parse(secret) as Recipient;
  const { hostname } = new URL(publicUrl);
  const drawn = blocks?.length ? blocks : [{ type: 'text' as const, text }];
  const foot = { home: `${publicUrl}/`, unsubscribe: `${publicUrl}/desabonnement#jeton=${token}` };
  const messageId = `<${clientMessageId}@${hostname}>`;
  const transport = await openTransport({ smtpUrl, from });
  let isBegun = false;
  // The transport reads ahead, so that only this stream knows when the server began to take the mail.
  transport.use('stream', ({ message }, done) => {
    message.build((error, bytes) => {
      message.createReadStream = () => {
        return new Readable({
          read() {
            isBegun = true;
            this.push(bytes);
            this.push(null);
          },
        });
      };
      done(error);
    });
  });
  try {
    await transport.sendMail({
      // As an object: a text would be read as a list.
      to: { name: '', address },
      subject: `${blocks?.some(({ type }) => type === 'accounts') ? 'Vos soldes' : 'Votre message'} du ${day.format(clock.now())}`,
      date: clock.now(),
      messageId,
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
    });
    return { end: 'posted', receipt: messageId, certainty: 'accepted' };
  } catch (error) {
    return endOfFailure(error as SmtpFailure, isBegun);
  }
}

/** « 3 octobre », as the calendar of most readers has it. */
const day = new Intl.DateTimeFormat('fr-FR', {
  day: 'numeric',
  month: 'long',
  timeZone: 'Europe/Paris',
});

async function check({ smtpUrl, from }: EmailConfiguration): Promise<ServiceCheck> {
  try {
    await (await openTransport({ smtpUrl, from })).verify();
    return { end: 'accepted' };
  } catch (error) {
    const result = endOfFailure(error as SmtpFailure, false);
    if (result.end === 'fault') return { end: 'refused', code: result.code };
    return { end: 'unavailable', cause: (error as SmtpFailure).code ?? String(error) };
  }
}

/** Loaded with the first mail, because nodemailer would slow every start. */
async function openTransport(options: SmtpOptions) {
  const smtp = await import('../../../platform/mail/smtp.ts');
  return smtp.openTransport(options);
}
