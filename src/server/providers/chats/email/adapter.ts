import type { Logger } from 'pino';
import type { Clock } from '../../../platform/clock.ts';
import { emailKey } from '../../../platform/mail/email-key.ts';
import type { ServiceCheck } from '../../service-check.ts';
import { digestOf } from '../json-posting.ts';
import type { ChatProvider, LinkedTeam } from '../port.ts';
import { capacity } from './body.ts';
import {
  createPosting,
  type EmailConfiguration,
  type Recipient,
  unsubscriptionPath,
} from './post.ts';
import { resultOfFailure, type SmtpFailure } from './smtp-outcome.ts';
import { errors, name, reasons, words } from './words.ts';

/** Email as a chat: each linked address is one channel, and each message one mail to it. */
export function createEmail(
  configuration: EmailConfiguration,
  { clock, log }: { clock: Clock; log: Logger },
): ChatProvider {
  const { post, load } = createPosting(configuration, clock);
  return {
    ...{ name, errors, words, reasons, capacity },
    linkings: [
      {
        way: 'mailbox',
        unsubscription: {
          path: unsubscriptionPath,
          summary: 'Se désabonner en un geste depuis son logiciel de courrier (RFC 8058)',
        },
        ownUnsubscribed: 'own_unsubscribed',
        link: linkOf,
      },
    ],
    channels: 'one',
    drawing: 'mail',
    codes: { removed: 'unsubscribed', limited: 'try_later' },
    // With the same Message-ID, of which many servers and programs show one mail.
    repeat: 'safe',
    // Servers that relay for small senders take a few mails a second, and a few hundred an hour.
    pace: { channelGapMs: 1000, perTeam: 1, perSecond: 3 },
    check: () => check(configuration),
    load,
    // Only the owner of an address ends mails to it, by unsubscribing.
    revoke: async () => {},
    async post(secret, message) {
      const result = await post(JSON.parse(secret) as Recipient, message);
      if (result.end === 'permanent' && result.kind === 'permission') {
        log.error({ code: result.code }, 'a mail server refuses the mails of this installation');
      }
      if (result.end === 'transient' && result.limitScope === 'service') {
        const { code, retryAfterSeconds } = result;
        log.warn({ code, retryAfterSeconds }, 'the mail server takes no mails for a while');
      }
      return result;
    },
  };
}

function linkOf(channelId: string, { address, token }: Recipient): LinkedTeam {
  return {
    secret: JSON.stringify({ address, token } satisfies Recipient),
    // In the form in which addresses are compared: a mailbox has one destination.
    teamId: digestOf(emailKey(address)),
    teamName: null,
    botUserId: null,
    channel: { id: channelId, name: address, isPrivate: true, isExternal: false },
    scope: '',
  };
}

async function check({ smtpUrl, from }: EmailConfiguration): Promise<ServiceCheck> {
  try {
    const smtp = await import('../../../platform/mail/smtp.ts');
    await smtp.openTransport({ smtpUrl, from }).verify();
    return { end: 'accepted' };
  } catch (error) {
    const result = resultOfFailure(error as SmtpFailure, false);
    if (result.end === 'fault') return { end: 'refused', code: result.code };
    return { end: 'unavailable', cause: (error as SmtpFailure).code ?? String(error) };
  }
}
