import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { blockKit } from '../../../src/server/providers/chats/slack/blocks.ts';
import { renderMessage, textOf } from '../../../src/shared/message/render.ts';
import { checkBlocks, textContent } from '../../../standins/slack/methods/validity.ts';
import { cases } from './cases.ts';
import { account, dataOf } from './samples.ts';

describe('What Slack is sent, to the letter', () => {
  test.each(Object.entries(cases))('%s', async (name, { text, data }) => {
    const rendered = renderMessage(text, data);
    const golden = await readFile(new URL(`golden/${name}.json`, import.meta.url), 'utf8');
    expect({ text: textOf(rendered), blocks: blockKit(rendered) }).toEqual(JSON.parse(golden));
  });
});

test('lines that point out much are parted into sections that Slack takes', () => {
  const line = { text: `⚠️ ${'a & b '.repeat(150)}.`, link: null };
  const long = { text: '&'.repeat(900), link: { label: 'Vérifier', address: 'https://x.fr/' } };
  const lines = [line, line, line, long];
  const blocks = blockKit([{ type: 'attention', lines }]) ?? [];
  const sections = blocks.flatMap((block) => (block.type === 'section' ? [block.text.text] : []));
  expect(sections.length).toBeGreaterThan(2);
  expect(Math.max(...sections.map(({ length }) => length))).toBeLessThanOrEqual(3000);
  expect(sections.join('\n').match(/⚠️/gu)).toHaveLength(3);
  expect(sections.join('').match(/&amp;/g)).toHaveLength(3 * 150 + 900);
  expect(sections.at(-1)).toContain('<https://x.fr/|Vérifier>');
});

const names = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.constantFrom(
    '<!channel>',
    '@here',
    '*a_b~',
    '',
    '`x`',
    ':wave:',
    'https://x.fr',
    '> cité',
    '&amp;',
  ),
);
const accounts = fc.array(
  fc.record({
    name: names,
    bank: fc.record({ name: names }),
    balanceMinor: fc.option(fc.maxSafeInteger()),
    currency: fc.constantFrom('EUR', 'USD', 'JPY', 'KWD', '', '€'),
    updatedAt: fc.option(fc.date({ noInvalidDate: true })),
    connectionId: fc.integer({ min: 1, max: 3 }),
  }),
  { maxLength: 120 },
);
const texts = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '{{soldes}}',
        '{{total}}',
        '{{variation}}',
        '{{date}}',
        '{{banque}}',
        '\n',
        '*',
      ),
      fc.string({ maxLength: 400 }),
      fc.constant('&'.repeat(900)),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join('').slice(0, 3000));

interface Sent {
  type: string;
  text?: { text: string };
  elements?: { text: string }[];
  rows?: unknown[][];
}

describe('Whatever the text and the accounts', () => {
  it('the blocks are within Slack’s limits, and call nobody', () => {
    fc.assert(
      fc.property(texts, accounts, (text, drawn) => {
        const blocks = blockKit(renderMessage(text, dataOf(drawn.map((one) => account(one)))));
        if (!blocks || blocks.length === 0) return;
        expect(checkBlocks(JSON.stringify(blocks))).toHaveProperty('blocks');
        for (const block of blocks as Sent[]) {
          const cells = (block.rows ?? []).flat().map(textContent);
          expect(block.rows?.length ?? 0).toBeLessThanOrEqual(100);
          expect(cells.reduce((sum, cell) => sum + cell.length, 0)).toBeLessThan(10_000);
          expect(cells.every((cell) => cell !== '')).toBe(true);
          for (const { text: mrkdwn } of [block.text ?? [], block.elements ?? []].flat()) {
            expect(mrkdwn.length).toBeLessThanOrEqual(3000);
            expect(mrkdwn).not.toMatch(/<[!@#]/);
          }
        }
      }),
      { numRuns: 150, seed: 4 },
    );
  });
});

describe('An author’s own text', () => {
  const mrkdwn = (text: string) => {
    const [block] = blockKit(renderMessage(`${text}{{date}}`, dataOf([]))) ?? [];
    return block?.type === 'section'
      ? block.text.text.replace('samedi 21 novembre 2026', '')
      : null;
  };

  it('keeps its styles and emoji, and its addresses lead somewhere', () => {
    expect(mrkdwn('*gras* _italique_ :wave: https://exemple.fr/a?b=1&c=2. ')).toBe(
      '*gras* _italique_ :wave: <https://exemple.fr/a?b=1&amp;c=2>. ',
    );
  });

  it('in angle brackets leads to the address alone', () => {
    expect(mrkdwn('<https://exemple.fr> & <https://exemple.fr|ici> ')).toBe(
      '&lt;<https://exemple.fr>&gt; &amp; &lt;<https://exemple.fr>|ici&gt; ',
    );
  });

  it('is parted between letters, never within one', () => {
    const blocks = blockKit(renderMessage(`x${'😀'.repeat(1600)}{{date}}`, dataOf([]))) ?? [];
    expect(blocks.length).toBe(2);
    expect(JSON.stringify(blocks).isWellFormed()).toBe(true);
    for (const block of blocks) {
      expect(block.type === 'section' && block.text.text.isWellFormed()).toBe(true);
    }
  });

  it('calls nobody', () => {
    expect(mrkdwn('<!channel> <@U1> @here ')).toBe('&lt;!channel&gt; &lt;@U1&gt; @here ');
  });

  it('longer than a section is parted between lines', () => {
    const line = `${'mot '.repeat(200)}\n`;
    const blocks = blockKit(renderMessage(`${line.repeat(6)}{{date}}`, dataOf([]))) ?? [];
    expect(blocks.map((block) => (block.type === 'section' ? block.text.text.length : 0))).toEqual([
      2402, 2426,
    ]);
  });

  it('that grows beyond all limits goes out as text alone', () => {
    expect(blockKit(renderMessage(`${'&'.repeat(2990)}{{date}}`, dataOf([])))).toBeNull();
  });
});
