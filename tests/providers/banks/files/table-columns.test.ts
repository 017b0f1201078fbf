import { expect, test } from 'vitest';
import { readStatement } from '../../../../src/server/providers/banks/files/read-file.ts';
import { table, text } from './statements.ts';

test('columns that were wrongly proposed are shown, and not a dead end', () => {
  const csv = 'Date;Libellé;Solde\n20/11/2026;a;débiteur\n21/11/2026;b;créditeur\n';
  const file = readStatement(text(csv));
  expect([file.accounts, file.table?.columns?.balance]).toEqual([[], 2]);
});

test.for([
  ['a decimal comma', 'Date,Libellé,Montant,Solde', ['20/11/2026,a,-12,30,1234,56']],
  [
    'a semicolon of a label',
    'Date;Libellé;Débit;Crédit;Solde',
    ['20/11/2026;a;12,00;;80,00', '21/11/2026;CB;1234;30,00;;50,00'],
  ],
] as const)('%s that parts a row in too many cells is told by its line', ([, header, rows]) => {
  expect(() => table(header, ...rows)).toThrow(`La ligne ${rows.length + 1} a plus de colonnes`);
});

test('a column without a heading, and what stands below a table, shift nothing', () => {
  const header = 'Date;Libellé;Montant;Solde';
  const rows = ['20/11/2026;a;-12,00;80,00;x', '21/11/2026;b;-30,00;50,00;'];
  expect(table(header, `${rows[0]}`, `${rows[1]}y`)[0]?.balances.at(-1)?.minor).toBe(5_000);
  const english = table('Date,Label,Amount,Balance', '2026-11-20,a,-12.00,80.00,x');
  expect(english[0]?.balances.at(-1)?.minor).toBe(8_000);
  const below = table(header, rows[1] ?? '', 'Solde au 21/11/2026;;;;;50,00');
  expect(below[0]?.balances).toEqual([{ day: '2026-11-21', minor: 5_000 }]);
});

test('a table that tells nothing is shown, and imports nothing', () => {
  const { accounts, table } = readStatement(text('a;b;c\n1;2;3\n'));
  expect([accounts, table?.columns]).toEqual([[], null]);
});

test('a table of days and balances alone is read', () => {
  expect(table('Date;Solde', '25/11/2026;10,00', '26/11/2026;12,50')).toMatchObject([
    {
      balances: [
        { day: '2026-11-25', minor: 1_000 },
        { day: '2026-11-26', minor: 1_250 },
      ],
    },
  ]);
});

test.for([
  ['a picture', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0x10, 0x4a, 0x46, 0x49, 0x46, 0, 1])],
  ['what is no text', Buffer.from('Date;Solde\u0001\n20/11/2026;1,00')],
] as const)('%s is refused as no statement', ([, bytes]) => {
  expect(() => readStatement(bytes)).toThrow("n'est pas un relevé lisible ici");
});
