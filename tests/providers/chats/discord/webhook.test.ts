import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from 'vitest';
import { configuredDiscord } from '../../../../src/server/providers/chats/discord/definition.ts';
import type { PostResult } from '../../../../src/server/providers/chats/posting.ts';
import { channels, startDiscordStandin, webhookOf } from '../../../../standins/discord/server.ts';
import type { ChannelFault } from '../../../../standins/service/webhook-chat.ts';
import { accountsOf, anyText, manyAccounts, names } from '../messages.ts';
import { openWebhookFixture, type WebhookFixture } from '../webhook-fixture.ts';

let fixture: WebhookFixture;
beforeAll(async () => {
  const standin = await startDiscordStandin({ clock: { now: () => new Date() } });
  const { open } = configuredDiscord({ apiUrl: `${standin.url}/api/v10`, application: null });
  fixture = await openWebhookFixture(standin, channels, { open, addressOf: webhookOf });
});
afterEach(() => fixture.reset());
afterAll(() => fixture.close());

const post: WebhookFixture['post'] = (...given) => fixture.post(...given);
const bodies = () => fixture.bodies() as { content: string; embeds?: [{ description: string }] }[];

describe('a message', () => {
  it('is posted in the notation of Discord, and waited for', async () => {
    const result = await post('*gras* _it_ ~non~ `code`\n> cité\n# titre https://exemple.fr/a');
    expect(result).toMatchObject({ end: 'posted', certainty: 'shown' });
    expect(result).toMatchObject({ receipt: expect.stringMatching(/^\d{17,20}$/) });
    expect(bodies()[0]?.content).toBe(
      '**gras** _it_ ~~non~~ `code`\n> cité\n\\# titre <https://exemple.fr/a>',
    );
    expect(fixture.standin.control.requests().at(-1)).toMatchObject({
      path: `/api/v10/webhooks/${fixture.channel.key}`,
      query: 'wait=true',
    });
  });

  it.each([
    'https://exemple.fr/mes_comptes_(2026)?a=*1*&b=~2',
    'https://fr.wikipedia.org/wiki/Livret_A',
  ])('leads to the address that was written: %s', async (address) => {
    await post(`Voir:${address} et :e-mail:`);
    const page = await (await fetch(`${fixture.standin.url}/salons/${fixture.channel.id}`)).text();
    expect(page).toContain(`href="${address.replaceAll('&', '&amp;')}"`);
    expect(bodies()[0]?.content).toContain('\\:e-mail:');
  });

  it('calls nobody by what an address holds', async () => {
    await post('https://exemple.fr/@everyone https://ana@exemple.fr/a');
    expect(bodies()[0]?.content).toBe(
      '<https://exemple.fr/%40everyone> https://ana@\u2060exemple.fr/a',
    );
  });

  it('says that it was cut', async () => {
    await post('|'.repeat(3000));
    const description = bodies()[0]?.embeds?.[0].description ?? '';
    expect(description).toMatch(/… \(message coupé\)$/);
    expect(description.length).toBeLessThanOrEqual(4096);
  });

  it('draws the accounts in aligned columns', async () => {
    await post('Soldes', [
      { type: 'text', text: 'Soldes' },
      accountsOf([
        ['Banque A', 'Courant', '1\u202f234,56\u00a0€'],
        ['Banque A', 'Été 😀', '−8,00\u00a0€'],
        ['Banque B', 'Un nom qui ne finit vraiment jamais', '9\u202f876,00\u00a0€'],
      ]),
      { type: 'context', text: 'Soldes donnés hier' },
    ]);
    expect(bodies()[0]?.content).toBe('Soldes');
    expect(bodies()[0]?.embeds?.[0].description).toBe(
      [
        '```',
        '                            en €',
        'Banque A · 07:12',
        'Courant                 1 234,56',
        'Été 😀                     −8,00',
        'Banque B · 07:12',
        'Un nom qui ne finit v…  9 876,00',
        '```',
        '-# Soldes donnés hier',
      ].join('\n'),
    );
  });

  it('is within the limits however many accounts there are, and counts the hidden ones', async () => {
    for (const count of [1, 30, 300, 2000]) {
      const { blocks, text } = manyAccounts(fixture.chat.capacity, count);
      expect(await post(text, blocks)).toEqual(
        expect.not.objectContaining({ refusedBlocks: expect.anything() }),
      );
      const description = bodies().at(-1)?.embeds?.[0].description ?? '';
      const shown = description.split('\n').filter((line) => line.startsWith('Compte')).length;
      expect(shown < count).toBe(description.includes('autres comptes'));
    }
    expect(await post('é'.repeat(3000))).toMatchObject({ end: 'posted' });
  });

  it('of any letters and names calls nobody', async () => {
    const live = '@everyone @here <@347114750880120863> <@&12> <@!34> <#1> <t:1> <id:guide>';
    await fc.assert(
      fc.asyncProperty(anyText(live), names, async (text, [bank, account]) => {
        await post(text);
        await post(text, [{ type: 'text', text }, accountsOf([[bank, account, '1 €']])]);
        expect(fixture.standin.control.mentionCount()).toBe(0);
        // Nor is it drawn as if it did.
        const [, { content } = { content: '' }] = bodies();
        expect(content.replace(/\\\\/g, '')).not.toMatch(/@(everyone|here)|(?<!\\)<[@#]/);
        fixture.standin.control.clearMessages();
      }),
      { numRuns: 150 },
    );
  });

  it('would call people if nothing kept it from that', async () => {
    const body = JSON.stringify({ content: '@everyone et <@347114750880120863>' });
    const url = webhookOf(fixture.standin.url, fixture.channel);
    await fetch(url, { method: 'POST', body });
    expect(fixture.standin.control.mentionCount()).toBe(2);
  });
});

describe('what Discord answers', () => {
  test.each([
    [404, 10015, 'installation', 'webhook_gone'],
    [404, 10003, 'installation', 'channel_gone'],
    [401, 50027, 'installation', 'token_wrong'],
    [403, 50013, 'permission', 'not_allowed'],
    [403, 50001, 'permission', 'not_allowed'],
    ...[220001, 220002, 220003, 220004].map(
      (code) => [400, code, 'installation', 'forum'] as [number, number, string, string],
    ),
    [400, 200000, 'permission', 'moderated'],
    [400, 240000, 'permission', 'moderated'],
  ])('%i %i is permanent', async (status, code, kind, ours) => {
    fixture.standin.control.addFault({ kind: 'error', code: String(code), extra: { status } });
    expect(await post('Bonjour')).toEqual({ end: 'permanent', kind, code: ours });
    expect(fixture.chat.reasons[ours]?.sentence).toMatch(/\.$/);
  });

  const limit = (limitScope: string, retryAfterSeconds: number) =>
    ({ end: 'transient', code: 'limited', limitScope, retryAfterSeconds }) as PostResult;
  const cases: [string, ChannelFault, PostResult, number][] = [
    [
      'a limit with a fraction of a second',
      { kind: 'ratelimited', retryAfter: 64.57 },
      limit('channel', 65),
      0,
    ],
    [
      'a ban of our address, which it says in JSON',
      { kind: 'ratelimited', retryAfter: null },
      limit('service', 60),
      0,
    ],
    [
      'a limit of what stands before it, which counts by address',
      { kind: 'status', status: 429, body: '<p>1015</p>' },
      limit('service', 60),
      0,
    ],
    [
      'the same, with a longer wait',
      { kind: 'status', status: 429, body: '<p>1015</p>', headers: { 'retry-after': '1800' } },
      limit('service', 1800),
      0,
    ],
    [
      'the same, with a shorter one',
      { kind: 'status', status: 429, body: '<p>1015</p>', headers: { 'retry-after': '5' } },
      limit('service', 60),
      0,
    ],
    [
      'a limit of all its webhooks',
      { kind: 'status', status: 429, body: { retry_after: 0.2, global: true } },
      limit('service', 1),
      0,
    ],
    [
      'an overload',
      { kind: 'error', code: '130000', extra: { status: 503 } },
      { end: 'transient', code: 'overloaded', limitScope: null, retryAfterSeconds: null },
      0,
    ],
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
    [
      'an error of a proxy',
      { kind: 'status', status: 502 },
      { end: 'ambiguous', code: 'http_502' },
      0,
    ],
    [
      'a body of ours',
      { kind: 'error', code: '50109' },
      { end: 'fault', code: 'discord_50109' },
      0,
    ],
    ['an empty body', { kind: 'error', code: '50006' }, { end: 'fault', code: 'discord_50006' }, 0],
    [
      'a request that is too large',
      { kind: 'error', code: '40005', extra: { status: 413 } },
      { end: 'fault', code: 'discord_40005' },
      0,
    ],
    [
      'a way to another place',
      { kind: 'status', status: 302, headers: { location: 'http://127.0.0.1/' } },
      {
        ...{ end: 'transient', code: 'http_302', intercepted: true },
        ...{ limitScope: null, retryAfterSeconds: null },
      },
      0,
    ],
    [
      'a page in place of an answer',
      { kind: 'html' },
      { end: 'ambiguous', code: 'unreadable_answer' },
      0,
    ],
    [
      'a lost answer',
      { kind: 'drop', posted: true },
      { end: 'ambiguous', code: 'network_reset' },
      1,
    ],
  ];
  it.each(cases)('%s', async (_name, fault, result, posted) => {
    fixture.standin.control.addFault(fault);
    expect(await post('Bonjour')).toEqual(result);
    expect(bodies()).toHaveLength(posted);
  });

  it.each([
    [401, 'installation', 'token_wrong'],
    [403, 'permission', 'not_allowed'],
    [404, 'installation', 'webhook_gone'],
  ])('%i without a code of its own is told to the person', async (status, kind, code) => {
    fixture.standin.control.addFault({ kind: 'error', code: '0', extra: { status } });
    expect(await post('Bonjour')).toEqual({ end: 'permanent', kind, code });
  });

  it.each([
    ['refused', { kind: 'error', code: '50035' }, 'discord_50035'],
    ['too large', { kind: 'error', code: '40005', extra: { status: 413 } }, 'discord_40005'],
    ['too large for what stands before it', { kind: 'status', status: 413 }, 'refused_413'],
  ] as [string, ChannelFault, string][])(
    'a drawing that is %s goes out as text alone, once',
    async (_name, fault, refusedBlocks) => {
      fixture.standin.control.addFault(fault);
      const blocks = [accountsOf([['Banque A', 'Courant', '1 €']])];
      expect(await post('Courant : 1 €', blocks)).toMatchObject({ end: 'posted', refusedBlocks });
      expect(bodies()).toMatchObject([{ content: 'Courant : 1 €' }]);
    },
  );
});

describe('an address', () => {
  const form = () => {
    const linking = fixture.chat.linkings[0];
    if (linking?.way !== 'address') throw new Error('no form');
    return linking;
  };

  test.each([
    ['https://discord.com/api/webhooks/ID/TOKEN', true],
    ['https://discordapp.com/api/v9/webhooks/ID/TOKEN', true],
    ['https://canary.discord.com/api/webhooks/ID/TOKEN', true],
    ['https://discord.com.exemple.fr/api/webhooks/ID/TOKEN', false],
    ['https://exemple.fr/api/webhooks/ID/TOKEN', false],
    ['https://ana@discord.com/api/webhooks/ID/TOKEN', false],
    ['http://discord.com/api/webhooks/ID/TOKEN', false],
  ])('%s: %s', (shape, isTaken) => {
    const [id = '', token = ''] = fixture.channel.key.split('/');
    const address = shape.replace('ID', id).replace('TOKEN', token);
    const pattern = form().fields[0]?.pattern ?? '';
    expect(new RegExp(`^(?:${pattern})$`, 'u').test(address)).toBe(isTaken);
  });

  it('is looked up at once, at our own base', async () => {
    const address = `https://discord.com/api/webhooks/${fixture.channel.key}`;
    expect(await form().link({ address, label: 'Bureau' })).toMatchObject({
      channel: { name: 'Bureau' },
    });
    expect(fixture.standin.control.requests()).toMatchObject([{ method: 'GET' }]);
    // No half of a sign, which no column can hold.
    const long = await form().link({ address, label: ` ${'x'.repeat(79)}😀` });
    expect(long.channel?.name).toBe('x'.repeat(79));
    fixture.standin.control.setState(fixture.channel.id, 'deleted');
    await expect(form().link({ address, label: 'Bureau' })).rejects.toMatchObject({
      kind: 'address',
    });
    // Nor does a page that is not Discord's say anything about the address.
    for (const fault of [
      { kind: 'status', status: 503 },
      { kind: 'status', status: 403 },
      { kind: 'html' },
    ]) {
      fixture.standin.control.addFault(fault as ChannelFault);
      await expect(form().link({ address, label: 'Bureau' })).rejects.toMatchObject({
        kind: 'unavailable',
      });
    }
  });
});
