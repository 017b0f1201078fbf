import { expect, test } from 'vitest';
import { table } from './statements.ts';

test.for([
  ['Sens', 'D', 'C'],
  ['Type', 'DEBIT', 'CREDIT'],
  ['Débit/Crédit', 'Débit', 'Crédit'],
] as const)('amounts without a sign have theirs from a column %j', ([heading, debit, credit]) => {
  const accounts = table(
    'Solde au 24/11/2026 : 1 000,00 €',
    `Date;Libellé;Montant;${heading}`,
    `26/11/2026;a;12,30;${debit}`,
    `25/11/2026;b;100,00;${debit}`,
    `24/11/2026;c;50,00;${credit}`,
  );
  expect(accounts[0]?.balances.at(-1)).toEqual({ day: '2026-11-26', minor: 88_770 });
});

test.for([
  ['Débit;Crédit;Solde;Sens', '12,30;;500,00;D', -50_000],
  ['Montant;Sens;Solde;Sens du solde', '12,30;D;500,00;D', -50_000],
  ['Montant;Solde;Sens', '12,30;500,00;D', 50_000],
  ['Montant;Solde;Sens', '-12,30;500,00;D', 50_000],
  ['Débit;Crédit;Solde;Sens', '12,30;;-500,00;D', -50_000],
] as const)('under %j the row %j leaves a balance of %d', ([headings, row, minor]) => {
  expect(table(`Date;Libellé;${headings}`, `26/11/2026;a;${row}`)).toMatchObject([
    { balances: [{ minor }] },
  ]);
});

test('a column that says once more what a transaction is turns no balance', () => {
  const end = (...rows: string[]) =>
    table('Date;Type;Libellé;Débit;Crédit;Solde', ...rows)[0]?.balances.at(-1)?.minor;
  const rows = ['25/11/2026;CREDIT;a;;10,00;512,30', '26/11/2026;DEBIT;b;12,30;;500,00'];
  expect(end(...rows)).toBe(50_000);
  expect(end(...rows.toReversed())).toBe(50_000);
  // Neither follows from the other.
  expect(end('24/11/2026;CREDIT;c;;1,00;9,00', rows[1] ?? '')).toBe(50_000);
  expect(end(rows[1] ?? '')).toBe(50_000);
  const overdrawn = ['25/11/2026;D;a;10,00;;500,00', '26/11/2026;D;b;12,30;;512,30'];
  expect(end(...overdrawn)).toBe(-51_230);
});

test('a debit of the other sign than most takes one back', () => {
  const accounts = table(
    'Solde au 26/11/2026 : 1 000,00 €',
    'Date;Libellé;Montant;Sens',
    '26/11/2026;a;-12,30;D',
    '25/11/2026;b;12,30;D',
    '24/11/2026;c;100,00;D',
  );
  expect(accounts[0]?.balances.map(({ minor }) => minor)).toEqual([100_000, 98_770, 100_000]);
});

test('a row without a direction among others is told by its line and column', () => {
  const known = 'Solde au 26/11/2026 : 1 000,00 €';
  const rows = ['26/11/2026;a;12,30;D', '25/11/2026;b;0,00;'] as const;
  const header = 'Date;Libellé;Montant;Sens';
  expect(() => table(known, header, ...rows, '24/11/2026;c;50,00;')).toThrow(
    'La ligne 5 ne dit ni débit ni crédit dans la colonne «\u202fSens\u202f».',
  );
  expect(table(known, header, ...rows)[0]?.balances[0]?.minor).toBe(101_230);
  const balances = ['26/11/2026;a;600,00;;500,00;D', '25/11/2026;b;;10,00;100,00;'] as const;
  expect(() => table('Date;Libellé;Débit;Crédit;Solde;Sens du solde', ...balances)).toThrow(
    'La ligne 3 ne dit ni débit ni crédit',
  );
});
