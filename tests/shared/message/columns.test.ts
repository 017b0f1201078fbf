import { expect, test } from 'vitest';
import type { AccountLine, AccountsBlock } from '../../../src/shared/contract/messages.ts';
import { columnLines } from '../../../src/shared/message/columns.ts';

const line = (name: string, amount: string, difference: Partial<AccountLine> = {}) => ({
  ...{ name, amount, change: null, age: '07:12', isOverdrawn: false, isOld: false },
  ...difference,
});
const lines = (of: AccountLine[], difference: Partial<AccountsBlock> = {}) =>
  columnLines({
    ...{ type: 'accounts', since: null, more: null },
    banks: [{ name: 'Banque', lines: of, subtotal: null }],
    ...difference,
  });

test('amounts end in one column, whatever the letters before them take', () => {
  expect(
    lines([
      line('Courant', '1\u202f234,56\u00a0€'),
      line('日本', '−8,00\u00a0€', { isOverdrawn: true }),
      line('e\u0301té 🏦', '0,00\u00a0€'),
    ]),
  ).toEqual([
    '             en €',
    'Banque · 07:12',
    'Courant  1 234,56',
    '日本        −8,00 ⚠️',
    'e\u0301té 🏦       0,00',
  ]);
});

test('an age that a bank’s accounts do not share has a line of its own', () => {
  expect(
    lines([line('Courant', '1 €'), line('Livret', '2 €', { age: 'il y a 4 jours', isOld: true })]),
  ).toEqual(['      en €', 'Banque', 'Courant  1', '  07:12', 'Livret   2', '  ⚠️ il y a 4 jours']);
});

test('changes end in a column of their own, under what they are measured from', () => {
  const banks = [
    {
      name: 'Banque',
      lines: [
        line('Compte courant', '1 234,56 €', { change: '+1 200,00 €' }),
        line('Livret', '8,00 €', { change: 'nouveau' }),
      ],
      subtotal: { amount: '1 242,56 €', change: '+1 200,00 €', isOverdrawn: false },
    },
  ];
  expect(lines([], { since: 'Depuis hier', banks })).toEqual([
    '                  en €, depuis hier',
    'Banque · 07:12',
    'Compte courant  1 234,56  +1 200,00',
    'Livret              8,00    nouveau',
    'Ensemble        1 242,56  +1 200,00',
  ]);
});

test('a long name is cut between letters, down to what it can still be known by', () => {
  const [, , alone = ''] = lines([line('👨‍👩‍👧'.repeat(20), '12\u202f345,00\u00a0€')]);
  expect(alone).toBe(`${'👨‍👩‍👧'.repeat(10)}…  12 345,00`);
  const rich = line('Un nom assez long pour deux', '123 456 789 012 345,67 €');
  expect(lines([rich])[2]).toBe('Un nom assez …  123 456 789 012 345,67');
  const usual = line('Un nom assez long pour deux', '2 345,67 €', { change: '+45,67 €' });
  expect(lines([usual], { since: 'Depuis hier' })[2]).toHaveLength(36);
});

test('what follows a name that is written from right to left is not drawn before it', () => {
  const [, , whole, cut] = lines([
    line('חשבון\u200e', '1\u202f234,56\u00a0€'),
    line(`${'ח'.repeat(30)}\u200e`, '2\u00a0€'),
  ]);
  expect(whole).toBe(`חשבון\u200e${' '.repeat(17)}  1 234,56`);
  expect(cut).toBe(`${'ח'.repeat(21)}…\u200e         2`);
});

test('changes stand below amounts beside which a phone has no room for them', () => {
  const change = '+1 012 345,67 €';
  const banks = [
    {
      name: 'Banque',
      lines: [
        line('Un nom assez long pour deux', '1 234 567,89 €', { change }),
        line('Livret', '−8,00 €', { isOverdrawn: true }),
      ],
      subtotal: { amount: '1 234 559,89 €', change, isOverdrawn: false },
    },
  ];
  expect(lines([], { since: 'Depuis hier', banks })).toEqual([
    '            en €, depuis hier',
    'Banque · 07:12',
    'Un nom assez …   1 234 567,89',
    '                +1 012 345,67',
    'Livret                  −8,00 ⚠️',
    'Ensemble         1 234 559,89',
    '                +1 012 345,67',
  ]);
});

test('no name ends the line or is shown as more than it is', () => {
  expect(lines([line('a\nb\u2060c', '1 €')]).slice(1)).toEqual(['Banque · 07:12', 'a b\u2060c  1']);
});

test('amounts of several currencies keep theirs', () => {
  expect(
    lines([line('Courant', '1 €'), line('Dollars', '2 $US'), line('Vide', 'solde inconnu')]),
  ).toEqual([
    'Banque · 07:12',
    'Courant            1 €',
    'Dollars          2 $US',
    'Vide     solde inconnu',
  ]);
});

test('what a bank holds in several currencies widens no other line', () => {
  const banks = [
    {
      name: 'Banque',
      lines: [
        line('Courant', '1\u202f234,56\u00a0€', { change: '+200,00\u00a0€' }),
        line('Dollars', '−2,00\u00a0$US', { isOverdrawn: true, change: '−5,00\u00a0$US' }),
        line('Yens', '300\u00a0¥', { change: 'nouveau' }),
      ],
      subtotal: {
        amount: '1\u202f234,56\u00a0€, −2,00\u00a0$US et 300\u00a0¥',
        change: '+200,00\u00a0€ et −5,00\u00a0$US',
        isOverdrawn: true,
      },
    },
  ];
  expect(lines([], { since: 'Depuis hier', banks })).toEqual([
    '         depuis hier',
    'Banque · 07:12',
    'Courant   1 234,56 €',
    '           +200,00 €',
    'Dollars    −2,00 $US ⚠️',
    '           −5,00 $US',
    'Yens           300 ¥',
    '             nouveau',
    'Ensemble  1 234,56 €',
    '           +200,00 €',
    '           −2,00 $US ⚠️',
    '           −5,00 $US',
    '               300 ¥',
  ]);
});
