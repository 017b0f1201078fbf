import { expect, test } from 'vitest';
import { columnLines } from '../../../src/shared/message/columns.ts';

const lines = (...rows: [string, string, string | null][]) =>
  columnLines([
    { name: 'Banque', lines: rows.map(([name, amount, note]) => ({ name, amount, note })) },
  ]);

test('amounts end in one column, whatever the letters before them take', () => {
  expect(
    lines(
      ['Courant', '1\u202f234,56\u00a0€', null],
      ['日本', '-8,00\u00a0€', 'il y a 3 jours'],
      ['e\u0301té 🏦', '0,00\u00a0€', null],
    ),
  ).toEqual([
    'Banque',
    'Courant  1 234,56 €',
    '日本        -8,00 €',
    '  il y a 3 jours',
    'e\u0301té 🏦       0,00 €',
  ]);
});

test('a long name is cut between letters, and a line of forty columns is never longer', () => {
  const [, line = ''] = lines(['👨‍👩‍👧'.repeat(20), '123\u202f456\u202f789,00\u00a0€', null]);
  expect(line).toBe(`${'👨‍👩‍👧'.repeat(10)}…  123 456 789,00 €`);
});

test('no name ends the line or is shown as more than it is', () => {
  expect(lines(['a\nb\u2060c', '1 €', null])).toEqual(['Banque', 'a b\u2060c  1 €']);
});
