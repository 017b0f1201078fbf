import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from 'vitest';
import type { PostResult } from '../../../../src/server/providers/chats/posting.ts';
import { bodyOf } from '../../../../src/server/providers/chats/teams/card.ts';
import { configuredTeams } from '../../../../src/server/providers/chats/teams/definition.ts';
import type { ChannelFault } from '../../../../standins/service/webhook-chat.ts';
import { textOf } from '../../../../standins/teams/cards.ts';
import { channels, startTeamsStandin, workflowOf } from '../../../../standins/teams/server.ts';
import { accountsOf, anyText, manyAccounts, names } from '../messages.ts';
import { openWebhookFixture, type WebhookFixture } from '../webhook-fixture.ts';

let fixture: WebhookFixture;
beforeAll(async () => {
  const standin = await startTeamsStandin({ clock: { now: () => new Date() } });
  const { open } = configuredTeams({ hosts: [] });
  fixture = await openWebhookFixture(standin, channels, { open, addressOf: workflowOf });
});
afterEach(() => fixture.reset());
afterAll(() => fixture.close());

const post: WebhookFixture['post'] = (...given) => fixture.post(...given);
const accepted: PostResult = { end: 'posted', receipt: null, certainty: 'accepted' };

const drawn = (...message: Parameters<typeof bodyOf>) =>
  bodyOf(...message) as Record<string, unknown>;

/** The elements of the card that arrived last. */
function elements(): Record<string, unknown>[] {
  const [first] = (fixture.bodies().at(-1)?.attachments ?? []) as {
    content: { body: Record<string, unknown>[] };
  }[];
  return first?.content.body ?? [];
}

describe('a message', () => {
  it('is accepted at its own address, letter for letter, and shown as a card', async () => {
    expect(await post('*gras* et `code`\n\nhttps://exemple.fr/a')).toEqual(accepted);
    expect(fixture.bodies()).toMatchObject([{ type: 'message', summary: 'gras et code' }]);
    const run = (text: string, style = {}) => ({ type: 'TextRun', text, ...style });
    const selectAction = { type: 'Action.OpenUrl', url: 'https://exemple.fr/a' };
    expect(elements()).toEqual([
      {
        ...{ type: 'RichTextBlock', spacing: 'Medium' },
        inlines: [
          run('gras', { weight: 'Bolder' }),
          run(' et '),
          run('code', { fontType: 'Monospace' }),
        ],
      },
      {
        ...{ type: 'RichTextBlock', spacing: 'Medium' },
        inlines: [run('https://exemple.fr/a', { selectAction })],
      },
    ]);
    const [request] = fixture.standin.control.requests();
    expect(request?.query).toContain('sp=%2Ftriggers%2Fmanual%2Frun');
    expect(request?.headers).not.toHaveProperty('authorization');
  });

  it('draws the accounts as a table, with its text for clients that know none', async () => {
    await post('Soldes', [
      { type: 'text', text: 'Soldes' },
      accountsOf([
        ['Banque A', 'Courant', '1 234,56 €'],
        ['Banque B', 'Livret *', '9 876,00 €'],
      ]),
      { type: 'context', text: 'Soldes donnés hier' },
    ]);
    expect(elements()).toMatchObject([
      { type: 'RichTextBlock' },
      {
        type: 'Table',
        columns: [{ width: 1 }, { width: 1, horizontalCellContentAlignment: 'Right' }],
        rows: [
          ...[{ cells: [{}, {}] }, { style: 'emphasis' }],
          // The age stands below the account: a phone has room for two columns.
          { cells: [{ items: [{}, { inlines: [{ text: '07:12', isSubtle: true }] }] }, {}] },
          ...[{ style: 'emphasis' }, {}],
        ],
        fallback: { type: 'RichTextBlock' },
      },
      { inlines: [{ text: 'Soldes donnés hier', isSubtle: true }] },
    ]);
    expect(textOf(fixture.bodies()[0] ?? {})).toContain('Livret ∗07:129 876,00 €');
  });

  it('is within the limit however many accounts there are, and counts the hidden ones', async () => {
    for (const count of [1, 30, 300, 2000]) {
      const { blocks, text } = manyAccounts(fixture.chat.capacity, count);
      expect(await post(text, blocks)).toEqual(accepted);
      const [table] = elements().filter(({ type }) => type === 'Table');
      const rows = (table?.rows ?? []) as { style?: string }[];
      const shown = rows.filter(({ style }) => !style).length - 1;
      expect(shown).toBeGreaterThan(0);
      expect(shown < count).toBe(textOf(fixture.bodies().at(-1) ?? {}).includes('autres comptes'));
      expect(JSON.stringify(fixture.bodies().at(-1)).length).toBeLessThan(21_000);
    }
  });

  it('is drawn within the limit, with every letter, however many short lines and accounts it has', async () => {
    const words = ['a', 'é', '€', '😀', 'Mot', '*a*', '_b_ ~c~', '`d`', 'https://exemple.fr/a', ''];
    const line = fc.array(fc.constantFrom(...words), { maxLength: 3 }).map((all) => all.join(' '));
    const lines = fc.array(line, { minLength: 1, maxLength: 750, size: 'max' }).map((all) =>
      all
        .join('\n')
        .slice(0, 1500)
        .replace(/[\ud800-\udbff]$/, ''),
    );
    const shown = (text: string) => text.replace(/[*_~`\s]/g, '');
    await fc.assert(
      fc.asyncProperty(lines, lines, fc.nat({ max: 80 }), async (before, after, count) => {
        const text = `${before}\n{{soldes}}\n${after}`;
        const { blocks, text: plain } = manyAccounts(fixture.chat.capacity, count, text);
        const body = drawn(plain, blocks);
        expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThanOrEqual(21_000);
        for (const part of [before, after]) expect(shown(textOf(body))).toContain(shown(part));
        const alone = drawn(text, []);
        expect(Buffer.byteLength(JSON.stringify(alone))).toBeLessThanOrEqual(21_000);
        expect(shown(textOf(alone))).toBe(shown(text));
      }),
      { numRuns: 100 },
    );
  });

  it('leaves room for accounts below a text of many lines', () => {
    const text = `${'Bonjour\n'.repeat(300)}{{soldes}}`;
    const { blocks, text: plain } = manyAccounts(fixture.chat.capacity, 10, text);
    expect(textOf(drawn(plain, blocks))).toContain("Compte n° 9 de l'association");
  });

  it('that no card can hold is cut, and says so', () => {
    const text = '\u0001'.repeat(4000);
    const body = drawn(text, [{ type: 'text', text }]);
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThanOrEqual(21_000);
    expect(textOf(body)).toMatch(/^[^…]{3000,}… \(message coupé\)$/);
  });

  it('is announced by its first line, without half of a letter', async () => {
    await post(`${'a'.repeat(119)}😀 et la suite`);
    expect(fixture.bodies()).toMatchObject([{ summary: 'a'.repeat(119) }]);
  });

  it.each([
    [':sunny: *Bonjour* à tous', '☀️ Bonjour à tous'],
    ['\n \nBonjour', 'Bonjour'],
    ['```\nSoldes\n```', 'Soldes'],
  ])('is announced in words, without its notation: %j', (text, summary) => {
    expect(drawn(text, [])).toMatchObject({
      summary,
      attachments: [{ content: { fallbackText: summary } }],
    });
  });

  it('of any letters and names calls nobody', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyText('<at>Ana</at> @Ana "entities" [x](y)'),
        names,
        async (text, [bank, account]) => {
          await post(text);
          await post(text, [{ type: 'text', text }, accountsOf([[bank, account, '1 €']])]);
          expect(fixture.standin.control.mentionCount()).toBe(0);
          expect(JSON.stringify(fixture.bodies().map(withoutLetters))).not.toContain('entities');
          fixture.standin.control.clearMessages();
        },
      ),
      { numRuns: 150 },
    );
  });

  it('shows every letter that was typed but the signs of styles', async () => {
    await post('a <b> & "c" **\n> d\n\\e_ [f](g)');
    expect(textOf(fixture.bodies()[0] ?? {})).toBe('a <b> & "c" **\nd\n\\e_ [f](g)');
  });

  it('would call people if it held entities', async () => {
    const run = { type: 'RichTextBlock', inlines: [{ type: 'TextRun', text: '<at>Ana</at>' }] };
    const content = { body: [run], msteams: { entities: [{ type: 'mention' }] } };
    const body = JSON.stringify({ type: 'message', attachments: [{ content }] });
    await fetch(workflowOf(fixture.standin.url, fixture.channel), { method: 'POST', body });
    expect(fixture.standin.control.mentionCount()).toBe(1);
  });
});

/** The keys and fixed values of a body. */
function withoutLetters(body: Record<string, unknown>): unknown {
  return JSON.parse(
    JSON.stringify(body, (key, value: unknown) =>
      ['text', 'summary', 'fallbackText', 'url'].includes(key) ? '' : value,
    ),
  );
}

describe('what the workflow answers', () => {
  const permanent = (code: string, kind: 'installation' | 'permission' = 'installation') =>
    ({ end: 'permanent', kind, code }) as PostResult;
  const limit = (retryAfterSeconds: number) =>
    ({ end: 'transient', code: 'limited', limitScope: 'team', retryAfterSeconds }) as PostResult;
  const error = (status: number, code: string, message = ''): ChannelFault => ({
    ...{ kind: 'error', code, extra: { status, message } },
  });
  /** As Microsoft words it, for the workflow with that id. */
  const off = (state: string) =>
    error(
      400,
      'WorkflowTriggerIsNotEnabled',
      `Could not execute workflow '0b0e7c2a-3f0a-4c38-9a55-0d8a1d6f2b11' trigger 'manual' with state '${state}': trigger is not enabled.`,
    );
  const cases: [string, ChannelFault, PostResult][] = [
    ['off', off('Disabled'), permanent('flow_off', 'permission')],
    ['suspended', off('Suspended'), permanent('flow_off', 'permission')],
    ['deleted', off('Deleted'), permanent('flow_gone')],
    [
      'closed',
      error(401, 'DirectApiAuthorizationRequired'),
      permanent('flow_closed', 'permission'),
    ],
    ['signed wrongly', error(401, 'InvalidSignature'), permanent('signature_wrong')],
    ['forbidden', error(403, 'InvalidSignature'), permanent('signature_wrong')],
    ['unknown', error(404, 'WorkflowNotFound'), permanent('flow_gone')],
    ['another input', error(400, 'SomethingElse'), { end: 'fault', code: 'SomethingElse' }],
    ['limited', { kind: 'ratelimited', retryAfter: 12 }, limit(12)],
    ['limited without a time', { kind: 'ratelimited', retryAfter: null }, limit(30)],
    ['failing', error(502, 'BadGateway'), { end: 'ambiguous', code: 'http_502' }],
    [
      'refused by a proxy',
      { kind: 'status', status: 403 },
      {
        end: 'transient',
        code: 'http_403',
        intercepted: true,
        limitScope: null,
        retryAfterSeconds: null,
      },
    ],
    ['slow', { kind: 'status', status: 408 }, { end: 'ambiguous', code: 'http_408' }],
    ['a page', { kind: 'html' }, { end: 'ambiguous', code: 'http_200' }],
    [
      'a page that does not say that it is one',
      { kind: 'status', status: 200, body: '\n<!doctype html><title>Maintenance</title>' },
      { end: 'ambiguous', code: 'http_200' },
    ],
    ['answered by a flow that was changed', { kind: 'status', status: 200, body: {} }, accepted],
    [
      'redirected by a proxy',
      { kind: 'status', status: 307 },
      { end: 'transient', code: 'redirected', limitScope: null, retryAfterSeconds: null },
    ],
    ['lost', { kind: 'drop', posted: true }, { end: 'ambiguous', code: 'network_reset' }],
  ];
  it.each(cases)('%s', async (_name, fault, result) => {
    fixture.standin.control.addFault(fault);
    expect(await post('Bonjour')).toEqual(result);
    if (result.end === 'permanent')
      expect(fixture.chat.reasons[result.code]?.sentence).toMatch(/\.$/);
  });

  test.each([
    ['a card that is too large', { kind: 'status', status: 413 } as ChannelFault, 'refused_413'],
    ['the same, in words of its own', error(413, 'RequestEntityTooLarge'), 'refused_413'],
    [
      'a body of another form',
      error(400, 'TriggerInputSchemaMismatch'),
      'TriggerInputSchemaMismatch',
    ],
  ])('%s: the text goes out alone, once', async (_name, fault, refusedBlocks) => {
    fixture.standin.control.addFault(fault);
    const blocks = [accountsOf([['Banque A', 'Courant', '1 €']])];
    expect(await post('Courant : 1 €', blocks)).toEqual({ ...accepted, refusedBlocks });
    expect(elements()).toMatchObject([{ type: 'RichTextBlock' }]);
  });

  it('a run that fails is not told: the message counts as accepted', async () => {
    fixture.standin.control.setState(fixture.channel.id, 'failing');
    expect(await post('Bonjour')).toEqual(accepted);
    expect(fixture.bodies()).toEqual([]);
    expect(fixture.chat.words.accepted).toMatch(/Accepté par Teams/);
  });

  it('never sends again what was not answered', () => {
    expect(fixture.chat.repeat).toBe('never');
  });
});
