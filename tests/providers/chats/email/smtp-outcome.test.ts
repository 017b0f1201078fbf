import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from 'vitest';
import { configuredEmail } from '../../../../src/server/providers/chats/email/definition.ts';
import {
  createPosting,
  type EmailConfiguration,
} from '../../../../src/server/providers/chats/email/post.ts';
import { resultOfFailure } from '../../../../src/server/providers/chats/email/smtp-outcome.ts';
import type { ChatProvider } from '../../../../src/server/providers/chats/port.ts';
import type { PostResult } from '../../../../src/server/providers/chats/posting.ts';
import {
  type MailFault,
  type MailStandin,
  startMailStandin,
} from '../../../../standins/mail/server.ts';
import { manualClock } from '../../../support/clock.ts';
import { freePort } from '../../../support/ports.ts';
import { chatDepsFor } from '../chat-deps.ts';

/** What each answer of a mail server leads to, through the library and a real conversation. */
let post: MailStandin;
let chat: ChatProvider;

beforeAll(async () => {
  post = await startMailStandin();
  chat = openChat(post.smtpUrl);
});
afterEach(() => post.clear());
afterAll(() => post.close());

function openChat(smtpUrl: string): ChatProvider {
  return configuredEmail(configurationFor(smtpUrl)).open(chatDepsFor(manualClock()));
}

function configurationFor(smtpUrl: string): EmailConfiguration {
  return { smtpUrl, from: 'Tirelire <bot@exemple.fr>', publicUrl: 'https://exemple.fr' };
}

const secret = JSON.stringify({ address: 'ana@exemple.org', token: 'A'.repeat(43) });
const message = {
  channelId: 'x',
  text: 'Bonjour',
  clientMessageId: '0b0e7c2a-3f0a-4c38-9a55-0d8a1d6f2b11',
};

const waits = (code: string, limitScope: 'channel' | 'service', seconds: number) =>
  ({ end: 'transient', code, limitScope, retryAfterSeconds: seconds }) satisfies PostResult;
const address = { end: 'permanent', kind: 'channel', code: 'unknown_address' };
const policy = { end: 'permanent', kind: 'permission', code: 'mail_policy' };
const fault = (code: string) => ({ end: 'fault', code });
const unsent = (code: string) => ({
  end: 'transient',
  code,
  limitScope: null,
  retryAfterSeconds: null,
});
const lost = (code: string) => ({ end: 'ambiguous', code });

const cases: [MailFault['at'], string | undefined, object][] = [
  ['connection', undefined, unsent('network_reset')],
  ['connection', '554 5.3.2 No service', unsent('network_unreadable')],
  ['login', '535 5.7.8 Bad credentials', fault('smtp_login')],
  ['login', '534 5.7.9 Mechanism too weak', fault('smtp_login')],
  ['login', '454 4.7.0 Try later', waits('try_later', 'service', 300)],
  ['login', undefined, unsent('network_reset')],
  ['sender', '530 5.7.0 Authentication required', fault('smtp_login')],
  ['sender', '550 5.7.1 Sender refused', fault('sender_refused')],
  ['sender', '552 5.3.4 Too large', fault('mail_too_large')],
  ['sender', '550 5.4.5 Daily sending quota exceeded', waits('try_later', 'service', 3600)],
  ['sender', '421 4.7.0 Too many', waits('try_later', 'service', 300)],
  ['sender', '452 4.3.1 No storage', waits('try_later', 'service', 300)],
  ['recipient', '550 5.1.1 Unknown user', address],
  ['recipient', '550 5.1.10 Null MX', address],
  ['recipient', '551 5.1.6 Moved', address],
  ['recipient', '553 5.1.3 Bad address', address],
  ['recipient', '550 5.4.1 No route', address],
  ['recipient', '550 5.4.4 Unable to route', address],
  ['recipient', '550 5.4.310 DNS domain does not exist', address],
  ['recipient', '553 5.1.7 Bad sender mailbox address syntax', fault('sender_refused')],
  ['recipient', '550 5.1.8 Access denied, bad outbound sender', fault('sender_refused')],
  ['recipient', '550 5.4.5 Daily user sending limit', waits('try_later', 'service', 3600)],
  ['recipient', '554 5.4.6 Too many hops', waits('try_later', 'channel', 3600)],
  ['recipient', '550 No such user', address],
  ['recipient', '550 5.0.0 No such user', address],
  ['recipient', '550 5.2.1 Mailbox disabled', address],
  ['recipient', '554 Client host [5.1.23.4] blocked', policy],
  ['recipient', '550-Client host 5.1.23.4 is\n550 5.7.1 blocked', policy],
  ['recipient', '550 5.7.1 Blocked', policy],
  ['recipient', '554 5.7.1 Blocked', policy],
  ['recipient', '450 4.2.0 Greylisted', waits('try_later', 'channel', 900)],
  ['recipient', '451 4.7.1 Greylisted', waits('try_later', 'channel', 900)],
  ['recipient', '452 4.2.2 Over quota', waits('mailbox_full', 'channel', 900)],
  ['recipient', '552 5.2.2 Mailbox full', waits('mailbox_full', 'channel', 3600)],
  ['recipient', undefined, unsent('network_reset')],
  ['end', '552 5.3.4 Too large', fault('mail_too_large')],
  ['end', '552 5.2.2 Mailbox full', waits('mailbox_full', 'channel', 3600)],
  ['end', '552 5.2.3 Longer than allowed', fault('mail_too_large')],
  ['end', '554 5.7.1 Spam', policy],
  ['end', '550 Client host 5.1.23.4 blocked', policy],
  ['end', '550 5.1.1 Unknown user', address],
  ['end', '550-5.1.1 Unknown user,\n550 5.1.1 see https://exemple.org/', address],
  ['end', '550 5.4.5 Daily user sending limit', waits('try_later', 'service', 3600)],
  ['end', '550 5.1.90 Your daily limit is reached', waits('try_later', 'service', 3600)],
  ['end', '451 4.3.0 Later', waits('try_later', 'channel', 900)],
  ['end', 'no answer that has a code', lost('network_unreadable')],
  ['data', undefined, lost('network_reset')],
  ['end', undefined, lost('network_reset')],
];

/** Of one mail, with no word about the connection. */
const refusals: [string, MailFault['at']][] = [
  ['550 5.7.1 Not yours', 'sender'],
  ['451 4.3.0 Later', 'sender'],
  ['550 5.1.1 Unknown user', 'recipient'],
  ['450 4.2.0 Greylisted', 'recipient'],
  ['554 5.7.1 Spam', 'end'],
];

/** What only the library says: nodemailer.com/errors. */
const failures: [string, boolean, object][] = [
  ['EDNS', false, unsent('network_dns')],
  ['ETIMEDOUT', false, unsent('network_timeout')],
  ['ETIMEDOUT', true, lost('network_timeout')],
  ['ESOCKET', true, lost('network_reset')],
  ['EPROTOCOL', true, lost('network_unreadable')],
  ['ESTREAM', true, lost('network_unreadable')],
  ['ETLS', false, fault('smtp_tls')],
  ['EREQUIRETLS', false, fault('smtp_tls')],
  ['ENOAUTH', false, fault('smtp_login')],
  ['EOAUTH2', false, fault('smtp_login')],
];

test.each(failures)(
  'the library says %s (a byte of the mail was sent: %s)',
  (code, isBegun, end) => {
    expect(resultOfFailure({ code }, isBegun)).toEqual(end);
  },
);

test('an answer without a code before the mail itself says nothing of the address', () => {
  const failure = { code: 'EENVELOPE', command: 'RCPT TO', response: 'no answer that has a code' };
  expect(resultOfFailure(failure, false)).toEqual(unsent('network_unreadable'));
});

test('what the library refuses by itself is told as the server would', () => {
  expect(resultOfFailure({ code: 'EENVELOPE' }, false)).toEqual(address);
  expect(resultOfFailure({ code: 'EMESSAGE' }, false)).toEqual(fault('mail_too_large'));
});

/** With RFC 2920 the sender, the recipient and the beginning of the mail are told at once. */
describe.each([
  ['at once', false],
  ['step by step', true],
])('an answer of a mail server that is told all %s', (_, isStepwise) => {
  let server: MailStandin;

  beforeAll(async () => {
    server = await startMailStandin({ isStepwise });
  });
  afterEach(() => server.clear());
  afterAll(() => server.close());

  it.each(cases)('at the %s: %s', async (at, answer, result) => {
    server.addFault({ at, ...(answer && { answer }), times: null });
    expect(await openChat(server.smtpUrl).post(secret, message)).toEqual(result);
    expect(server.mails).toEqual([]);
    const { end, code = '' } = result as { end: string; code?: string };
    // The user can act, or knows why: each of these has words.
    if (end !== 'fault' && !code.startsWith('network_')) expect(chat.reasons[code]).toBeDefined();
  });

  it.each(refusals)('%s at the %s is of that mail alone', async (answer, at) => {
    const kept = openChat(server.smtpUrl);
    server.addFault({ at, answer });
    expect(await kept.post(secret, message)).not.toMatchObject({ end: 'posted' });
    for (let times = 0; times < 3; times += 1) {
      expect(await kept.post(secret, message)).toMatchObject({ end: 'posted' });
    }
    expect(server.mails).toHaveLength(3);
    // The refused one's is free again once the server has forgotten its sender.
    expect(server.connections).toBeLessThanOrEqual(2);
  });
});

describe('an answer of a mail server', () => {
  it('is a taken mail, said so and no more', async () => {
    expect(await chat.post(secret, message)).toEqual({
      ...{ end: 'posted', certainty: 'accepted' },
      receipt: `<${message.clientMessageId}@exemple.fr>`,
    });
    expect(post.mails).toMatchObject([
      { from: 'bot@exemple.fr', recipients: ['ana@exemple.org'], to: 'ana@exemple.org' },
    ]);
  });

  it('is one to the whole mail, however long it is', async () => {
    const text = 'Une ligne de texte.\n.\n'.repeat(10_000);
    expect(await chat.post(secret, { ...message, text })).toMatchObject({ end: 'posted' });
    expect(post.mails[0]?.body).toContain(text);
  });

  it('may be late: the mail is sent all the same', async () => {
    post.addFault({ at: 'connection', ms: 200 });
    expect(await chat.post(secret, message)).toMatchObject({ end: 'posted' });
  });

  it('that is lost leaves a mail with the same id as the next try', async () => {
    post.addFault({ at: 'end', kept: true });
    expect(await chat.post(secret, message)).toEqual(lost('network_reset'));
    await chat.post(secret, message);
    const ids = post.mails.map(({ headers }) => headers['message-id']);
    expect(ids).toEqual(Array(2).fill(`<${message.clientMessageId}@exemple.fr>`));
  });
});

describe('a connection', () => {
  it('is kept for the next mail', async () => {
    const kept = openChat(post.smtpUrl);
    for (let times = 0; times < 3; times += 1) await kept.post(secret, message);
    expect(post.connections).toBe(1);
    expect(post.mails).toHaveLength(3);
  });

  it.each([undefined, '421 4.7.0 Too many mails in one connection'])(
    'that the server ends before the next mail costs nothing: %s',
    async (answer) => {
      const kept = openChat(post.smtpUrl);
      await kept.post(secret, message);
      post.addFault({ at: 'sender', ...(answer && { answer }) });
      expect(await kept.post(secret, message)).toMatchObject({ end: 'posted' });
      expect(post.connections).toBe(2);
      expect(post.mails).toHaveLength(2);
    },
  );

  it('is given up after a time, however slowly the server goes on', async () => {
    const within = (beginMs: number, endMs: number) =>
      createPosting(configurationFor(post.smtpUrl), manualClock(), { beginMs, endMs });
    const to = { address: 'ana@exemple.org', token: 'A'.repeat(43) };
    post.addFault({ at: 'sender', ms: 10_000 });
    expect(await within(200, 400).post(to, message)).toEqual(unsent('network_timeout'));
    // A slow machine may have given up before it met that fault.
    post.clear();
    post.addFault({ at: 'end', ms: 15_000 });
    // The first span is long enough for a slow machine to begin.
    expect(await within(9000, 9200).post(to, message)).toEqual(lost('network_timeout'));
  });
});

describe('the check of the operator', () => {
  it('takes the password, refuses a wrong one, and says when nothing answers', async () => {
    expect(await chat.check()).toEqual({ end: 'accepted' });
    const wrong = openChat(post.smtpUrl.replace(':demonstration@', ':autre@'));
    expect(await wrong.check()).toEqual({ end: 'refused', code: 'smtp_login' });
    expect(await wrong.post(secret, message)).toEqual(fault('smtp_login'));
    const nobody = openChat(`smtp://127.0.0.1:${await freePort()}`);
    expect(await nobody.check()).toMatchObject({ end: 'unavailable' });
    expect(await nobody.post(secret, message)).toEqual(unsent('network_reset'));
  });
});

describe('the log of the operator', () => {
  it('tells that the mail server takes no more mails for a while', async () => {
    const lines: string[] = [];
    const log = pino({}, { write: (line: string) => void lines.push(line) });
    const deps = { ...chatDepsFor(manualClock()), log };
    post.addFault({ at: 'end', answer: '550 5.4.5 Daily user sending limit' });
    await configuredEmail(configurationFor(post.smtpUrl)).open(deps).post(secret, message);
    expect(lines.join('')).toContain('the mail server takes no mails for a while');
  });
});
