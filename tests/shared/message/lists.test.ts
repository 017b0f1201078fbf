import { describe, expect, it, test } from 'vitest';
import { dayMs } from '../../../src/shared/calendar/durations.ts';
import type { MessageData, PreviousFigures } from '../../../src/shared/message/figures.ts';
import { renderMessage, textOf } from '../../../src/shared/message/render.ts';
import {
  account,
  connection,
  dataOf,
  household,
  now,
  plain,
  publicUrl,
  said,
  saidOf,
} from './samples.ts';

describe('A silent bank', () => {
  const old = new Date(now.getTime() - 2 * dayMs - 1);
  const warning = (text: string, data: MessageData) =>
    plain(textOf(renderMessage(text, data)))
      .split('\n')
      .filter((line) => line.startsWith('⚠️ Les données'));

  test.each(['{{soldes}}', '{{total}}', '{{variation}}', '{{banque}}', '{{solde:Compte pro}}'])(
    'is said beside %s, as on its card',
    (text) => {
      const accounts = [account({ name: 'Compte pro', updatedAt: old })];
      expect(warning(text, dataOf(accounts))).toEqual([
        `⚠️ Les données de BNP Paribas ne sont peut-être plus à jour. Vérifiez ses paramètres dans Tirelire. Vérifier : ${publicUrl}/`,
      ]);
    },
  );

  it('is said once with others, under neutral names', () => {
    const accounts = [
      account({ updatedAt: old, bank: { name: '<!channel>' } }),
      account({ updatedAt: null }),
      account({ connectionId: 2, updatedAt: old, bank: { name: 'Crédit Agricole' } }),
      account({ connectionId: 3, bank: { name: 'Vivante' } }),
    ];
    const [line, ...others] = warning('{{soldes}}', dataOf(accounts));
    expect(others).toEqual([]);
    expect(line).toMatch(/BNP Paribas et Crédit Agricole ne sont .* leurs paramètres/);
    expect(line).not.toMatch(/<!channel>|Vivante/);
  });

  it('is not said where nothing is said of banks, nor of accounts that are not covered', () => {
    const accounts = [account({ updatedAt: old })];
    expect(warning('{{date}}', dataOf(accounts))).toEqual([]);
    expect(warning('{{soldes}}', dataOf([account({ updatedAt: old, covered: false })]))).toEqual(
      [],
    );
    const connections = [connection({ state: 'refreshing' })];
    const awaited = [account({ updatedAt: null })];
    expect(warning('{{soldes}}', dataOf(awaited, { connections }))).toEqual([]);
    expect(warning('{{soldes}}', dataOf(accounts, { connections }))).toHaveLength(1);
  });
});

describe('A list of balances', () => {
  it('keeps figures apart from a name that is written from right to left', () => {
    const named = (name: string) =>
      textOf(renderMessage('{{soldes}}', dataOf([account({ name })])));
    expect(plain(named('חשבון'))).toContain('• חשבון\u200e : 1 234,56 €');
    expect(plain(named('Banque حساب (pro)'))).toContain('• Banque حساب (pro)\u200e : 1 234,56 €');
    expect(named('日本 été')).not.toContain('\u200e');
  });

  it('stands between the texts around it, by bank', () => {
    expect(said('Bonjour\n{{soldes}}\nÀ demain', dataOf(household()))).toBe(
      [
        'Bonjour',
        '⚠️ Compte joint (BNP Paribas) est à découvert de 42,00 €.',
        'BNP Paribas : 1 192,56 €',
        '• Compte courant : 1 234,56 € · 07:12',
        '• Compte joint : ⚠️ −42,00 € · 07:12',
        'Crédit Agricole',
        '• Compte pro : 9 876 543,21 € · hier à 22:40',
        'À demain',
      ].join('\n'),
    );
  });

  it.each([
    ['Voici {{soldes}} Total : {{total}}', 'Voici\n', '\nTotal : 0,00 €'],
    ['Voici\n {{soldes}} \n  - fin', 'Voici\n', '\n  - fin'],
    ['Voici\n\n{{soldes}}\n\nFin', 'Voici\n\n', '\n\nFin'],
  ])('leaves no space of %j at its borders', (text, before, after) => {
    const list = 'BNP Paribas\n• Compte courant : 0,00 € · 07:12';
    expect(saidOf(text, account({ balanceMinor: 0 }))).toBe(before + list + after);
  });

  it('is cut where a chat would refuse it, and counts the rest', () => {
    const many = Array.from({ length: 300 }, (_, id) => account({ id, name: `Compte ${id}` }));
    const [block] = renderMessage('{{soldes}}', dataOf(many));
    if (block?.type !== 'accounts') throw new Error('no list');
    const shown = block.banks.flatMap(({ lines }) => lines).length;
    expect(shown).toBeGreaterThan(50);
    expect(block.more).toBe(`et ${300 - shown} autres comptes`);
    expect(said('{{soldes}}', dataOf(many))).toContain(`\net ${300 - shown} autres comptes`);
    // What the bank holds together is that of all of them.
    expect(plain(block.banks[0]?.subtotal?.amount ?? '')).toBe('370 368,00 €');
  });

  it('has what has changed since the last message, by account and by bank', () => {
    const previous = {
      day: '2026-11-20',
      balances: { 1: [111_456, 'EUR'], 2: [-4_200, 'EUR'] } as Record<string, [number, string]>,
    };
    const [block] = renderMessage('{{soldes}}', dataOf(household(), { previous, attention: [] }));
    if (block?.type !== 'accounts') throw new Error('no list');
    expect(block.since).toBe('Depuis hier');
    const changes = block.banks.map(({ lines, subtotal }) => [
      ...lines.map(({ change }) => change && plain(change)),
      subtotal?.change && plain(subtotal.change),
    ]);
    expect(changes).toEqual([
      ['+120,00 €', '0,00 €', '+120,00 €'],
      ['nouveau', undefined],
    ]);
  });

  it('says since when a bank has changed of which the account that did is not named', () => {
    const given = new Date('2026-11-20T06:00:00Z');
    const many = Array.from({ length: 150 }, (_, index) =>
      account({ id: index + 1, updatedAt: index === 149 ? now : given }),
    );
    const balances = Object.fromEntries(
      many.map(({ id }) => [id, [111_456 + (id < 150 ? 12_000 : 0), 'EUR', null, given.getTime()]]),
    ) as PreviousFigures['balances'];
    const previous = { day: '2026-11-20', balances };
    const [block] = renderMessage('{{soldes}}', dataOf(many, { previous, attention: [] }));
    if (block?.type !== 'accounts') throw new Error('no list');
    expect(block.since).toBe('Depuis hier');
    expect(plain(block.banks[0]?.subtotal?.change ?? '')).toBe('+120,00 €');
  });

  it('has no sum of a bank with one account, nor of one whose figures are not all known', () => {
    const missing = account({ connectionId: 2, bank: { name: 'CIC' }, balanceMinor: null });
    const other = account({ connectionId: 2, bank: { name: 'CIC' } });
    const [block] = renderMessage(
      '{{soldes}}',
      dataOf([account(), missing, other], { attention: [] }),
    );
    if (block?.type !== 'accounts') throw new Error('no list');
    expect(block.banks.map(({ subtotal }) => subtotal)).toEqual([null, null]);
  });

  it('says when there is no account', () => {
    expect(saidOf('{{soldes}}', account({ covered: false }))).toBe('Aucun compte');
  });
});
