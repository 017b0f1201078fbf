import { expect, test } from 'vitest';
import { readStatement } from '../../../../src/server/providers/banks/files/read-file.ts';
import { table, text } from './statements.ts';

test.for([
  ['Sens', 'D', 'C'],
  ['Type', 'DEBIT', 'CREDIT'],
  ['Débit/Crédit', 'Débit', 'Crédit'],
  ['Sens', '-', '+'],
  ['Sens', 'Dépense', 'Recette'],
  ['Type', 'Sortie', 'Entrée'],
] as const)('amounts without a sign have theirs from a column %j', ([heading, debit, credit]) => {
  const accounts = table(
    'Solde au 23/11/2026 : 950,00 €',
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
  ['Solde;Type', '500,00;Dépense', 50_000],
  ['Montant;Solde;Note', '12,30;500,00;-', 50_000],
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

test.for([
  ['Sens', 'P', 'E', 3],
  ['Sens', '', 'C', 3],
  ['Débit/Crédit', 'émis', 'reçu', 3],
] as const)('amounts without a sign beside %j as %j and %j are refused by their line', (row) => {
  const [heading, debit, credit, line] = row;
  const read = (one: string, ...above: string[]) =>
    table(
      'Solde au 26/11/2026 : 1 000,00 €',
      `Date;Libellé;Montant;${heading}`,
      ...[`26/11/2026;a;${one}12,30;${debit}`, `25/11/2026;b;100,00;${credit}`, ...above],
    );
  expect(() => read('')).toThrow(
    `La ligne ${line} ne dit ni débit ni crédit dans la colonne «\u202f${heading}\u202f».`,
  );
  // Amounts with signs of their own need no such column.
  expect(read('-')[0]?.balances[0]).toEqual({ day: '2026-11-25', minor: 101_230 });
});

test('signs beside another heading are no directions', () => {
  const rows = ['26/11/2026;a;12,30;-', '25/11/2026;b;100,00;-'] as const;
  const known = 'Solde au 26/11/2026 : 1 000,00 €';
  expect(table(known, 'Date;Libellé;Montant;Note', ...rows)[0]?.balances[0]?.minor).toBe(98_770);
});

test.for([
  ['Montant sortie;Montant entrée'],
  ['Montant des dépenses;Montant des recettes'],
  ['Montant débité;Note'],
  ['Montant;', ';;Débit;Crédit'],
  ['Montant;Montant', ';;Débits;Crédits'],
  ['Montant;', ';;Sortie;Entrée'],
] as const)('under %j amounts without a sign are debits', ([headings, ...second]) => {
  const accounts = table(
    'Solde au 23/11/2026 : 1 050,00 €',
    ...[`Date;Libellé;${headings}`, ...second],
    ...['26/11/2026;a;12,30;', '25/11/2026;b;100,00;', '24/11/2026;c;50,00;'],
  );
  expect(accounts[0]?.balances.at(-1)).toEqual({ day: '2026-11-26', minor: 88_770 });
});

test('a header of two lines is one on each page, and shown as one', () => {
  const header = ['Date;;Libellé;Montant;', 'opération;valeur;;Débit;Crédit'] as const;
  const above = 'Solde au 24/11/2026 : 1 000,00 €';
  const file = [above, ...header, '25/11/2026;;a;10,00;', ...header, '26/11/2026;;b;;1,00'];
  const read = readStatement(text(file.join('\n')));
  expect(read.table?.header).toEqual([
    ...['Date opération', 'Date valeur', 'Libellé', 'Montant Débit', 'Montant Crédit'],
  ]);
  expect(read.accounts).toMatchObject([{ balances: [{}, { minor: 99_000 }, { minor: 99_100 }] }]);
});

test('a balance in a column of overdrafts and one of credits is asked for', () => {
  const headings = 'Date;Libellé;Solde débiteur;Solde créditeur';
  const file = readStatement(text(`${headings}\n26/11/2026;a;12,30;\n`));
  expect([file.accounts, file.table?.columns ?? null]).toEqual([[], null]);
});
