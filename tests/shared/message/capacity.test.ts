import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as discord from '../../../src/server/providers/chats/discord/embeds.ts';
import * as slack from '../../../src/server/providers/chats/slack/blocks.ts';
import * as teams from '../../../src/server/providers/chats/teams/card.ts';
import { accountLineLength, accountLineText } from '../../../src/shared/message/capacity.ts';
import { renderMessage, textOf } from '../../../src/shared/message/render.ts';
import { account, dataOf } from './samples.ts';

test('the letters of a line are counted as many as they are', () => {
  const texts = fc.string({ unit: 'binary', maxLength: 20 });
  const lines = fc.record({
    ...{ name: texts, amount: texts, change: fc.option(texts), age: texts },
    ...{ isOverdrawn: fc.boolean(), isOld: fc.boolean() },
  });
  fc.assert(
    fc.property(lines, (line) => {
      expect(accountLineLength(line)).toBe(accountLineText(line).length);
    }),
    { numRuns: 200, seed: 5 },
  );
});

describe('a text without a list', () => {
  const drawn = (text: string, { bodyOf, capacity }: typeof discord | typeof teams) => {
    const blocks = renderMessage(text, dataOf([account()]), capacity);
    return JSON.stringify(bodyOf(textOf(blocks), blocks));
  };

  test.each([
    ['Discord', discord],
    ['Teams', teams],
  ])('is whole in %s, however long it may be saved', (_name, chat) => {
    const text = `${'Une phrase de plus. '.repeat(149)}{{date}}`;
    expect(drawn(text, chat)).toContain('samedi 21 novembre 2026');
  });

  test('that Discord writes longer than it takes is cut before what follows it', () => {
    const body = drawn(`${'|'.repeat(2990)}{{total}}`, discord);
    expect(body).toContain('(message coupé)');
    expect(body).toContain('Ouvrir Tirelire');
  });
});

describe('a list that is longer than its chat takes', () => {
  /** Old figures of eighty accounts, by bank. */
  const listed = (banks: number, name: string, amountOf: (id: number) => [string, number]) =>
    dataOf(
      Array.from({ length: 80 }, (_item, id) => {
        const [currency, balanceMinor] = amountOf(id);
        const bank = { name: `${name} ${id % banks}` };
        const updatedAt = new Date(id % 2 ? '2026-11-10T06:12:00Z' : '2026-11-21T06:12:00Z');
        return account({ id, connectionId: 1, bank, currency, balanceMinor, updatedAt });
      }),
    );

  test('is shortened in Discord where long figures widen its lines, and counts all of them', () => {
    const data = listed(7, 'Banque', (id) => [id % 3 ? 'EUR' : 'USD', -9_123_456_789_012 + id]);
    const blocks = renderMessage('Soldes\n{{soldes}}', data, discord.capacity);
    const { embeds } = discord.bodyOf(textOf(blocks), blocks) as {
      embeds: { description: string }[];
    };
    const description = embeds[0]?.description ?? '';
    const named = description.match(/^Compte courant/gm) ?? [];
    expect(description).toContain(`et ${80 - named.length} autres comptes`);
    expect(description).toMatch(/\[Ouvrir Tirelire\]\(<https:\/\/tirelire.exemple.fr\/>\)$/);
    expect(description.length).toBeLessThanOrEqual(4096);
  });

  test('stays a table in Slack where the text is written longer than it is', () => {
    const data = listed(40, 'Banque', (id) => ['EUR', id]);
    const text = `${'& '.repeat(1200)}\n{{soldes}}`;
    expect(slack.blockKit(renderMessage(text, data, slack.capacity))).toContainEqual(
      expect.objectContaining({ type: 'table' }),
    );
  });
});
