import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from 'vitest';
import { reasonOf } from '../../../../src/server/notifications/reasons.ts';
import { configuredGoogleChat } from '../../../../src/server/providers/chats/googlechat/definition.ts';
import type { PostResult } from '../../../../src/server/providers/chats/posting.ts';
import {
  channels,
  startGoogleChatStandin,
  webhookOf,
} from '../../../../standins/googlechat/server.ts';
import type { ChannelFault } from '../../../../standins/service/webhook-chat.ts';
import { accountsOf, anyText, manyAccounts, names } from '../messages.ts';
import { openWebhookFixture, type WebhookFixture } from '../webhook-fixture.ts';

let fixture: WebhookFixture;
beforeAll(async () => {
  const standin = await startGoogleChatStandin({ clock: { now: () => new Date() } });
  const { open } = configuredGoogleChat({ apiUrl: `${standin.url}/v1` });
  fixture = await openWebhookFixture(standin, channels, { open, addressOf: webhookOf });
});
afterEach(() => fixture.reset());
afterAll(() => fixture.close());

const post: WebhookFixture['post'] = (...given) => fixture.post(...given);
let sent = 0;
/** With an id that no earlier message had. */
function postNew(...[text, blocks]: Parameters<WebhookFixture['post']>) {
  sent += 1;
  return fixture.post(text, blocks, `id-${sent}`);
}

describe('a message', () => {
  it('is posted in the notation of Google Chat, with its id', async () => {
    const text = '*gras* _it_ ~non~ `code`\n> cité\nhttps://exemple.fr/a <users/all>';
    expect(await post(text)).toEqual({
      ...{ end: 'posted', certainty: 'shown' },
      receipt: expect.stringMatching(/^spaces\/AAAAdemo1\/messages\//),
    });
    expect(fixture.bodies()).toEqual([
      { text: '*gras* _it_ ~non~ `code`\n> cité\nhttps://exemple.fr/a <\u2060users/all>' },
    ]);
    expect(fixture.standin.control.requests()[0]?.query).toContain('requestId=b1f6d8f0');
  });

  it('draws the accounts as a card, a section for each bank', async () => {
    await postNew('Soldes', [
      { type: 'text', text: 'Soldes' },
      accountsOf([
        ['Banque A & fils', 'Courant', '1 234,56 €'],
        ['Banque B', 'Livret', '9 876,00 €'],
      ]),
      { type: 'context', text: 'Soldes donnés hier' },
    ]);
    const line = (text: string, amount: string) => ({
      columns: {
        columnItems: [
          {
            horizontalSizeStyle: 'FILL_AVAILABLE_SPACE',
            widgets: [{ decoratedText: { text, bottomLabel: '07:12', wrapText: true } }],
          },
          {
            horizontalSizeStyle: 'FILL_MINIMUM_SPACE',
            horizontalAlignment: 'END',
            widgets: [{ textParagraph: { text: amount } }],
          },
        ],
      },
    });
    expect(fixture.bodies()).toEqual([
      {
        text: 'Soldes',
        // What stands in the text is not said twice.
        fallbackText:
          'Banque A & fils\n• Courant\u202f: 1 234,56 € · 07:12\nBanque B\n• Livret\u202f: 9 876,00 € · 07:12\nSoldes donnés hier',
        cardsV2: [
          {
            cardId: 'soldes',
            card: {
              sections: [
                { header: 'Banque A &#38; fils', widgets: [line('Courant', '1 234,56 €')] },
                { header: 'Banque B', widgets: [line('Livret', '9 876,00 €')] },
                { widgets: [{ textParagraph: { text: 'Soldes donnés hier' } }] },
              ],
            },
          },
        ],
      },
    ]);
  });

  it('is within 32,000 bytes however many accounts there are, and counts the hidden ones', async () => {
    for (const count of [1, 50, 300, 2000]) {
      const { blocks, text } = manyAccounts(fixture.chat.capacity, count);
      const result = await postNew(text, blocks);
      expect(result).toMatchObject({ end: 'posted' });
      expect(result).not.toHaveProperty('refusedBlocks');
      const body = JSON.stringify(fixture.bodies().at(-1));
      // Each account has an age, and what those of a bank hold together has none.
      const shown = body.split('bottomLabel').length - 1;
      expect(shown < count).toBe(body.includes('autres comptes'));
    }
  });

  it('of any letters and names calls nobody', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyText('<users/all> <users/12> @all <https://exemple.fr|ici> <b>gras</b>'),
        names,
        async (text, [bank, account]) => {
          await postNew(text);
          await postNew(text, [{ type: 'text', text }, accountsOf([[bank, account, '1 €']])]);
          expect(fixture.standin.control.mentionCount()).toBe(0);
          fixture.standin.control.clearMessages();
        },
      ),
      { numRuns: 150 },
    );
  });

  it('would call everybody if nothing were disarmed', async () => {
    const body = JSON.stringify({ text: 'à <users/all>' });
    await fetch(webhookOf(fixture.standin.url, fixture.channel), { method: 'POST', body });
    expect(fixture.standin.control.mentionCount()).toBe(1);
  });

  it('refused as it is drawn goes out as text alone, without its id', async () => {
    fixture.standin.control.addFault({
      kind: 'error',
      code: 'INVALID_ARGUMENT',
      extra: { status: 400 },
    });
    const blocks = [accountsOf([['Banque A', 'Courant', '1 €']])];
    expect(await postNew('Courant : 1 €', blocks)).toMatchObject({
      ...{ end: 'posted', refusedBlocks: 'invalid_argument' },
    });
    expect(fixture.bodies()).toEqual([{ text: 'Courant : 1 €' }]);
    expect(fixture.standin.control.requests()[1]?.query).not.toContain('requestId');
  });

  it('with an id that was used stands once', async () => {
    await fixture.post('Bonjour', undefined, 'deux-fois');
    expect(await fixture.post('Bonjour', undefined, 'deux-fois')).toMatchObject({ end: 'posted' });
    expect(fixture.bodies()).toHaveLength(1);
  });
});

describe('what Google answers', () => {
  const permanent = (code: string): PostResult => ({
    ...{ end: 'permanent', kind: 'installation', code },
  });
  const limit: PostResult = {
    ...{ end: 'transient', code: 'limited', limitScope: 'team', retryAfterSeconds: null },
  };
  const error = (status: number, code: string): ChannelFault => ({
    ...{ kind: 'error', code, extra: { status } },
  });
  const cases: [string, ChannelFault, PostResult, number][] = [
    ['a wrong token', error(401, 'UNAUTHENTICATED'), permanent('token_wrong'), 0],
    [
      'a wrong key',
      {
        kind: 'error',
        code: 'INVALID_ARGUMENT',
        extra: { status: 400, reason: 'API_KEY_INVALID' },
      },
      permanent('token_wrong'),
      0,
    ],
    ['a removed webhook', error(403, 'PERMISSION_DENIED'), permanent('webhook_removed'), 0],
    ['a space that is gone', error(404, 'NOT_FOUND'), permanent('space_gone'), 0],
    [
      'a message that stands already',
      error(409, 'ALREADY_EXISTS'),
      { end: 'posted', receipt: null, certainty: 'shown' },
      0,
    ],
    ['a limit', { kind: 'ratelimited', retryAfter: 30 }, limit, 0],
    ['an internal error', error(500, 'INTERNAL'), { end: 'ambiguous', code: 'http_500' }, 0],
    ['an outage', error(503, 'UNAVAILABLE'), { end: 'ambiguous', code: 'http_503' }, 0],
    [
      'a refusal of a proxy',
      { kind: 'status', status: 403 },
      {
        end: 'transient',
        code: 'http_403',
        intercepted: true,
        limitScope: null,
        retryAfterSeconds: null,
      },
      0,
    ],
    ['an unknown refusal', error(400, 'OUT_OF_RANGE'), { end: 'fault', code: 'refused_400' }, 0],
    [
      'a way to another place',
      { kind: 'status', status: 302, headers: { location: 'http://127.0.0.1/' } },
      {
        ...{ end: 'transient', code: 'http_302', intercepted: true },
        ...{ limitScope: null, retryAfterSeconds: null },
      },
      0,
    ],
    ['a page', { kind: 'html' }, { end: 'ambiguous', code: 'unreadable_answer' }, 0],
    [
      'a lost answer',
      { kind: 'drop', posted: true },
      { end: 'ambiguous', code: 'network_reset' },
      1,
    ],
  ];
  it.each(cases)('%s', async (_name, fault, result, posted) => {
    fixture.standin.control.addFault(fault);
    expect(await postNew('Bonjour')).toEqual(result);
    expect(fixture.bodies()).toHaveLength(posted);
    if (result.end === 'permanent')
      expect(fixture.chat.reasons[result.code]?.sentence).toMatch(/\.$/);
    // Nor is another service blamed for what the chat itself refuses.
    if (result.end === 'fault')
      expect(reasonOf(fixture.chat, result.code).sentence).toMatch(/erreur de notre côté/);
  });

  test('a refusal that stays is our fault, and is not repeated', async () => {
    fixture.standin.control.addFault({ ...error(400, 'INVALID_ARGUMENT'), times: 2 });
    expect(await postNew('Bonjour')).toEqual({ end: 'fault', code: 'invalid_argument' });
    expect(fixture.standin.control.requests()).toHaveLength(2);
  });
});

test.each([
  ['https://chat.googleapis.com/v1/spaces/AAA_b-1/messages?key=K&token=T%3D', true],
  ['https://chat.googleapis.com/v1/spaces/AAA/messages?token=T&key=K', true],
  [' https://chat.googleapis.com/v1/spaces/AAA/messages?key=K&token=T \n', true],
  ['https://chat.googleapis.com/v1/spaces/AAA/messages?key=K', false],
  ['https://chat.googleapis.com.exemple.fr/v1/spaces/AAA/messages?key=K&token=T', false],
  ['https://chat.googleapis.com/v1/spaces/AAA/../x/messages?key=K&token=T', false],
])('the address %s: %s', (address, isTaken) => {
  const linking = fixture.chat.linkings[0];
  const pattern = linking?.way === 'address' ? (linking.fields[0]?.pattern ?? '') : '';
  expect(new RegExp(`^(?:${pattern})$`, 'u').test(address)).toBe(isTaken);
});
