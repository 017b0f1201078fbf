import { expect, test } from 'vitest';
import { readStatement } from '../../../../src/server/providers/banks/files/read-file.ts';
import { sample, table } from './statements.ts';
import { workbook } from './workbook.ts';

const header = 'Date;Libellé;Montant;Solde';
const [first, last] = ['19/11/2026;a;-10,00;90,00', '20/11/2026;c;-5,00;65,00'];

test.for([
  ['between two dates', [first, ';b;-20,00;70,00', last]],
  ['below the last date', [first, '20/11/2026;b;-20,00;70,00', ';c;-5,00;65,00']],
  ['with signs for the same', [first, '»;b;-20,00;70,00', last]],
  ['with its day of value', [first, ';b;-20,00;70,00;20/11/2026', last]],
] as const)('a transaction without a date %s is told by its line', ([, rows]) => {
  const line = rows.findIndex((row) => !/^\d/.test(row)) + 2;
  expect(() => table(`${header};Date de valeur`, ...rows)).toThrow(
    `La ligne ${line} donne un montant sans date.`,
  );
});

test('merged cells of dates in a workbook are refused, also where no column is a label', () => {
  const rows = [
    ['Date', 'Montant', 'Solde'],
    ['20/11/2026', -10, 90],
    [null, -20, 70],
  ];
  expect(() => readStatement(workbook([{ name: 'Feuille', rows }]))).toThrow('ligne 3');
});

test.for(['20/11', '20112026', '(20/11/2026)', '20 janvier', 'ven. 31/02/2026'])(
  'a transaction with the date %j is told by its line',
  (date) => {
    const rows = [first, `${date};b;-20,00;70,00`] as const;
    expect(() => table(header, ...rows)).toThrow(
      `La ligne 3 contient une date illisible\u202f: «\u202f${date}\u202f».`,
    );
  },
);

test('days with names are those of their rows', () => {
  const rows = ['ven. 20/11/2026;b;-20,00;70,00', '21 nov. 2026;c;-5,00;65,00'] as const;
  expect(table(header, first, ...rows)[0]?.balances.map(({ day }) => day)).toEqual([
    ...['2026-11-19', '2026-11-20', '2026-11-21'],
  ]);
});

test.for([
  [';Total;-10,00;90,00'],
  [';Sous-total du 19;-10,00;90,00'],
  ['Total au 30/11/2026;;-10,00;90,00'],
  ['Solde au 20/11/2026;;;90,00'],
  [';Nouveau solde;;90,00'],
  ['À reporter;;;90,00'],
  ['12 opérations;;-10,00;90,00'],
  ['En attente;b;-20,00;70,00'],
  [';suite du libellé;;'],
] as const)('the note %j among transactions is none', ([note]) => {
  const balances = [{ minor: 9_000 }, { day: '2026-11-20', minor: 6_500 }];
  for (const rows of [
    [first, note, last],
    [first, last, note],
  ]) {
    expect(table(header, ...rows)).toMatchObject([{ balances }]);
  }
});

test('sums without a word below a table are no transaction', () => {
  const rows = ['20/11/2026;a;10,00;', '20/11/2026;b;;25,00', ';;10,00;25,00'] as const;
  const known = 'Solde au 20/11/2026;90,00';
  expect(table(known, 'Date;Libellé;Débit;Crédit', ...rows)).toMatchObject([
    { balances: [{ minor: 9_000 }] },
  ]);
});

test('a transaction that is not booked yet has another date, and is left out', async () => {
  const rows = ['20/11/2026;20/11/2026;a;-10,00', ';21/11/2026;b;-20,00', '19/11/2026;;c;-5,00'];
  const known = 'Solde au 20/11/2026;90,00';
  expect(table(known, 'Date comptable;Date opération;Libellé;Montant', ...rows)).toMatchObject([
    { balances: [{ day: '2026-11-19' }, { day: '2026-11-20', minor: 9_000 }] },
  ]);
  const lines = (await sample('qonto.csv')).toString('utf8').trimEnd().split('\n');
  const [title = '', one = '', two = '', pending = ''] = lines;
  const columns = { date: 1, amount: 3, balance: null, debit: null, credit: null };
  const asked = {
    columns: { ...columns, known: { day: '2026-11-20', amount: '9,00' } },
    sheet: null,
  };
  const bytes = Buffer.from([title, one, pending, two].join('\n'));
  expect(readStatement(bytes, asked).accounts[0]?.balances).toHaveLength(2);
});
