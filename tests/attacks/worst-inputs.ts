import { looksLikeFile } from '../../src/server/app/pages.ts';
import { isAcceptablePassword } from '../../src/server/identity/users/password-policy.ts';
import { containsNull } from '../../src/server/platform/http/bodies.ts';
import { readJson } from '../../src/server/platform/http-client/json.ts';
import { emailKey } from '../../src/server/platform/mail/email-key.ts';
import { htmlOfText } from '../../src/server/platform/mail/html.ts';
import { redactAddresses, redactLocalParts } from '../../src/server/platform/mail/redaction.ts';
import { readWebhook } from '../../src/server/providers/banks/bridge/webhooks.ts';
import { readMoment } from '../../src/server/providers/banks/json-fields.ts';
import { blockKit } from '../../src/server/providers/chats/slack/blocks.ts';
import { readEvent } from '../../src/server/providers/chats/slack/events.ts';
import { Email } from '../../src/shared/contract/texts.ts';
import { attentionKinds } from '../../src/shared/message/attention-kinds.ts';
import type { MessageAccount, MessageData } from '../../src/shared/message/figures.ts';
import { fold, nameOf } from '../../src/shared/message/names.ts';
import { neutralize } from '../../src/shared/message/neutralize.ts';
import { renderMessage, textOf } from '../../src/shared/message/render.ts';
import { parseSpans } from '../../src/shared/message/spans.ts';
import { checkMessage, parseMessage } from '../../src/shared/message/variables.ts';

export interface WorstInput {
  /** What the contract or the server in front of it lets through: letters, or accounts. */
  longest: number;
  /** Prepares an input of that length and gives the work on it. */
  prepare(length: number): () => unknown;
}

const now = new Date('2026-01-12T09:00:00Z');

const emailPattern = new RegExp(String(Object(Email).pattern));

const message = 3000;
const head = 16 * 1024;
const body = 1024 * 1024;

/** For each function that reads what people or other services write: the texts that cost it most. */
export const worstInputs: Record<string, WorstInput> = {
  ...each('a password', 2048, isAcceptablePassword, {
    'signs before a letter': (length) => `${'!'.repeat(length - 1)}a`,
    'one letter, and another at the end': (length) => `${'a'.repeat(length - 1)}b`,
    'a unit, and another at the end': (length) => `${'ab'.repeat(length / 2 - 1)}cd`,
    'marks in the wrong order': marks,
  }),
  ...each('a password that its canonical form makes longer', 1024, isAcceptablePassword, {
    'four primes in one': (length) => `${'\u2057'.repeat(length - 1)}a`,
    'eighteen letters in one': (length) => '\ufdfa'.repeat(length),
  }),
  ...each('an email address', 254, emailKey, {
    'marks in the wrong order': marks,
    'marks in the wrong order of a domain': (length) => `a@${marks(length - 2)}`,
    'a letter for each label': (length) => `a@${'é.'.repeat((length - 2) / 2)}`,
  }),
  ...each('an address for the pattern', head, (text) => emailPattern.test(text), {
    'many at signs': (length) => 'a@'.repeat(length / 2),
    none: (length) => 'a'.repeat(length),
  }),
  ...each('the path of a page', head, looksLikeFile, {
    'dots before a slash': (length) => `/${'.'.repeat(length - 2)}/`,
  }),
  ...each('a body', body, containsNull, {
    backslashes: (length) => '\\'.repeat(length),
    'backslashes before the escape': (length) => `${'\\\\'.repeat(length / 2 - 3)}\\u0000`,
    'escapes that are none': (length) => '\\\\u0000'.repeat(length / 7),
  }),
  ...each('an answer of a service', body, readJson, {
    'escapes of U+0000': (length) => `["${'\\u0000'.repeat(length / 6 - 1)}"]`,
    backslashes: (length) => `["\\u0000${'\\\\'.repeat(length / 2 - 6)}"]`,
  }),
  ...each('the words of a mail server', head, redactAddresses, {
    'one word': (length) => 'a'.repeat(length),
    'at signs': (length) => '@'.repeat(length),
  }),
  ...each('the same for an operator', head, redactLocalParts, {
    'one word': (length) => 'a'.repeat(length),
    'at signs': (length) => 'a@'.repeat(length / 2),
  }),
  ...each('a mail', message, htmlOfText, {
    addresses: (length) => 'https://'.repeat(length / 8),
    'empty lines': (length) => '\n'.repeat(length),
  }),
  ...each('a moment that a bank gives', head, readMoment, {
    digits: (length) => `2026-01-12T09:00:00.${'0'.repeat(length)}`,
    blanks: (length) => `2026-01-12${' '.repeat(length)}x`,
  }),
  ...each('the signature of a bank’s notice', head, webhookSignedBy, {
    blanks: (length) => `${' '.repeat(length)}v1=`,
    'blanks after it': (length) => `v1=${'0'.repeat(64)}${' '.repeat(length)}x`,
    commas: (length) => ','.repeat(length),
  }),
  ...each('the signature of a chat’s event', head, eventSignedBy, {
    digits: (length) => `v0=${'0'.repeat(length)}`,
  }),
  ...each('a name that a bank gives', 500, (name) => nameOf({ name }), {
    'signs that are removed': (length) => '{{\u200b '.repeat(length / 4),
    letters: (length) => 'é '.repeat(length / 2),
  }),
  ...each('a name, folded', message, fold, { blanks: blanks, 'marks in the wrong order': marks }),
  ...each('a name, neutralized', message, neutralize, {
    colons: (length) => ':a'.repeat(length / 2),
    'one colon': (length) => `:${'a'.repeat(length)}`,
    signs: (length) => '*_~`'.repeat(length / 4),
    'signs that begin': (length) => '<@#'.repeat(length / 3),
  }),
  ...each('a text, for its variables', message, parseMessage, {
    'braces that open': (length) => '{{'.repeat(length / 2),
    'braces that close': (length) => `{{${'}'.repeat(length - 3)}\n`,
    'braces and letters': (length) => '{{a'.repeat(length / 3),
    variables: (length) => '{{a}}'.repeat(length / 5),
  }),
  ...each('a text, for its styles', message, parseSpans, {
    'signs that open': (length) => '*a _b ~c '.repeat(length / 9),
    'one sign that opens': (length) => `*${'a '.repeat(length / 2)}`,
    'signs in signs': (length) => '*_~a~_*'.repeat(length / 7),
    backticks: (length) => '`'.repeat(length),
    'backticks that open': (length) => '```a'.repeat(length / 4),
    quotes: (length) => '>a\n'.repeat(length / 3),
    'quotes of nothing': (length) => '>'.repeat(length),
    emoji: (length) => ':a'.repeat(length / 2),
    addresses: (length) => 'http://.'.repeat(length / 8),
    'an address of dots': (length) => `http://${'.'.repeat(length)}`,
  }),
  ...each('a text, drawn for a chat', message, drawn(householdOf(20)), {
    'signs that are escaped': (length) => `{{date}}${'&'.repeat(length)}`,
    'blanks around the list': (length) => `${' \t'.repeat(length / 2)}{{soldes}}${blanks(length)}`,
    'a word without an end': (length) => `{{date}}${'a'.repeat(length)}`,
    addresses: (length) => `{{date}}${'http://a '.repeat(length / 9)}`,
  }),
  ...each('a text about two thousand accounts', message, drawn(householdOf(2000)), {
    'the balance of one': (length) => '{{solde:Compte 7}}'.repeat(length / 18),
    'the balance of none': (length) => '{{solde:x}}'.repeat(length / 11),
    totals: (length) => '{{total}}'.repeat(length / 9),
    changes: (length) => '{{variation}}'.repeat(length / 13),
    banks: (length) => '{{banque}}'.repeat(length / 10),
    lists: (length) => '{{soldes}}'.repeat(length / 10),
  }),
  'many accounts, named by every variable of a text': {
    longest: 2000,
    prepare: (length) => {
      const accounts = accountsOf(length);
      return () => drawn({ ...householdOf(0), accounts: [...accounts] })('{{solde:x}}'.repeat(272));
    },
  },
  'many accounts, none of which is meant': {
    longest: 2000,
    prepare: (length) => {
      const accounts = accountsOf(length);
      return () => checkMessage('{{solde:x}}'.repeat(272), [...accounts]);
    },
  },
};

function each(
  what: string,
  longest: number,
  read: (text: string) => unknown,
  texts: Record<string, (length: number) => string>,
): Record<string, WorstInput> {
  return Object.fromEntries(
    Object.entries(texts).map(([name, make]) => {
      const prepare = (length: number) => {
        const text = make(length);
        return () => read(text);
      };
      return [`${what}: ${name}`, { longest, prepare }];
    }),
  );
}

/** Marks above and below, which the canonical forms put in another order. */
function marks(length: number): string {
  return `a${'\u0301\u0316'.repeat(length / 2)}`;
}

function blanks(length: number): string {
  return ' \t'.repeat(length / 2);
}

function webhookSignedBy(signature: string): unknown {
  const headers = { 'bridgeapi-signature': signature };
  return readWebhook({ headers, body: Buffer.from('{}') }, ['secret']);
}

function eventSignedBy(signature: string): unknown {
  const headers = { 'x-slack-request-timestamp': '1', 'x-slack-signature': signature };
  return readEvent({ headers, body: Buffer.from('{}') }, ['secret'], new Date(0));
}

function drawn(data: MessageData): (text: string) => unknown {
  return (text) => {
    const blocks = renderMessage(text, data);
    return [blockKit(blocks), textOf(blocks)];
  };
}

function accountsOf(count: number): MessageAccount[] {
  return Array.from({ length: count }, (_, id) => ({
    ...{ id, connectionId: 1, name: `Compte ${id}`, bank: { name: `Banque ${id % 50}` } },
    ...{ currency: 'EUR', balanceMinor: id, updatedAt: now, covered: true },
  }));
}

function householdOf(count: number): MessageData {
  const accounts = accountsOf(count);
  const balances = Object.fromEntries(accounts.map(({ id }) => [id, [1, 'EUR'] as const]));
  return {
    accounts,
    connections: [{ id: 1, state: 'ok', consentEndsAt: null, hasPage: true }],
    attention: attentionKinds,
    ...{ transactionsChoice: 'off', transactions: null, publicUrl: 'https://exemple.fr' },
    previous: { day: '2026-01-11', balances: balances as Record<string, [number, string]> },
    localZone: { zone: 'Europe/Paris', offsetMinutes: null },
    now,
  };
}
