import { expect, test } from 'vitest';
import { readStatement } from '../../../../src/server/providers/banks/files/read-file.ts';
import { sample, text } from './statements.ts';

test.for([
  ['boursobank.csv', '00040123456', '2026-11-20', 345_678, 3],
  ['boursobank-solde-du-jour.csv', '00040123456', '2026-11-20', 90_000, 3],
  ['banque-postale.csv', '1234567A020', '2026-11-20', 152_050, 3],
  ['bnp-paribas.csv', null, '2026-11-20', 234_567, 2],
  ['societe-generale.csv', null, '2026-11-20', 198_025, 2],
  ['credit-agricole.csv', '12345678901', '2026-11-20', 123_456, 3],
  ['credit-mutuel.csv', null, '2026-11-20', 239_950, 3],
  ['cic.csv', null, '2026-11-20', 728_281, 3],
  ['caisse-epargne.csv', '04000123456', '2026-11-20', 81_207, 2],
  ['revolut.csv', null, '2026-11-20', 9_550, 2],
  ['revolut-fr.csv', null, '2026-11-20', 9_550, 2],
  ['revolut-business.csv', null, '2026-11-20', 152_044, 2],
  ['qonto-fr.csv', null, '2026-11-20', 514_510, 2],
  ['shine.csv', null, '2026-11-20', 149_532, 2],
  ['lcl-1.ofx', '30002005500000157841Z', '2026-11-20', 82_943, 1],
  ['lcl-camt053.xml', '30002005500000157841Z', '2026-11-20', 125_075, 1],
  ['cic-camt053-v8.xml', '100960005000001234567', '2026-11-20', -3_510, 1],
  ['societe-generale-camt052.xml', '300030354000050123456', '2026-11-21', 98_000, 1],
  ['credit-agricole-1.ofx', '182060024012345678901', '2026-11-20', 123_456, 1],
] as const)('%s is read without a question', async ([name, number, day, minor, days]) => {
  const { accounts } = readStatement(await sample(name));
  expect(accounts).toHaveLength(1);
  expect(accounts[0]).toMatchObject({ number, currency: 'EUR' });
  const at = /camt052/.test(name) ? { at: new Date('2026-11-21T10:30:00Z') } : {};
  expect(accounts[0]?.balances.at(-1)).toEqual({ day, minor, ...at });
  expect(accounts[0]?.balances).toHaveLength(days);
});

test('a balance that is the same beside every transaction is that of the last one', async () => {
  const { accounts } = readStatement(await sample('boursobank-solde-du-jour.csv'));
  expect(accounts[0]?.balances).toEqual([
    { day: '2026-11-17', minor: 75_000 },
    { day: '2026-11-19', minor: 70_000 },
    { day: '2026-11-20', minor: 90_000 },
  ]);
});

test('the tables of one file, each under its own heading, are accounts apart', async () => {
  const { accounts } = readStatement(await sample('credit-agricole-comptes.csv'));
  expect(accounts.map(({ number, balances }) => [number, balances])).toEqual([
    [
      '12345678901',
      [
        { day: '2026-11-18', minor: 73_456 },
        { day: '2026-11-20', minor: 123_456 },
      ],
    ],
    [
      '12345678902',
      [
        { day: '2026-11-19', minor: 800_000 },
        { day: '2026-11-20', minor: 800_000 },
      ],
    ],
  ]);
  const untold = (await sample('credit-agricole-comptes.csv'))
    .toString('latin1')
    .replace(/Solde au .* 8 000,00.*/, '');
  expect(() => readStatement(Buffer.from(untold, 'latin1'))).toThrow("Le solde d'un compte manque");
});

test.for([
  ['banque-populaire.csv', 0, null],
  ['fortuneo.csv', 0, null],
  ['n26.csv', 0, 7],
  ['qonto.csv', 1, 3],
] as const)('%s asks for a known balance, and counts from it', async ([name, date, amount]) => {
  const file = readStatement(await sample(name));
  expect(file.accounts).toEqual([]);
  expect(file.table?.columns).toMatchObject({ date, amount, balance: null, known: null });
  const columns = file.table?.columns;
  if (!columns) throw new Error('no columns');
  const known = { day: '2026-11-20', amount: '1 000,00' };
  const { accounts } = readStatement(await sample(name), {
    ...{ columns: { ...columns, known }, sheet: null },
  });
  expect(accounts[0]?.balances.at(-1)).toEqual({ day: '2026-11-20', minor: 100_000 });
  expect(accounts[0]?.balances).toHaveLength(2);
  const finer = { ...columns, known: { ...known, amount: '1 000,005' } };
  const bytes = await sample(name);
  expect(() => readStatement(bytes, { columns: finer, sheet: null })).toThrow(
    'Le solde connu est illisible. Un montant en EUR a deux décimales au plus.',
  );
});

test('movements lead back from the known balance', async () => {
  const { accounts } = readStatement(await sample('banque-postale.csv'));
  expect(accounts[0]?.balances).toEqual([
    { day: '2026-11-17', minor: 134_590 },
    { day: '2026-11-19', minor: 132_050 },
    { day: '2026-11-20', minor: 152_050 },
  ]);
});

test.for([
  ['', 'vide'],
  ['%PDF-1.7', 'en CSV, en XLSX'],
  ['<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', 'DOCTYPE'],
  ['<?xml version="1.0"?>\n<Document>\n<a></b></Document>', 'ligne 3'],
  ['<?xml version="1.0"?><Document/>', 'CAMT.053'],
  ['<OFX></OFX>', 'aucun relevé'],
  ['<OFX><STMTRS><CURDEF>EUR\n</STMTRS></OFX>', 'ligne 2'],
  ['Date;Libellé;Solde\n20/11/2026;a;12,00\n21/11/2026;b;douze\n', 'ligne 3'],
  // A day that does not exist: left out, its movement would be missing from the balance.
  ['Date;Libellé;Solde\n20/11/2026;a;12,00\n31/02/2026;b;13,00\n', 'La ligne 3 contient une date'],
] as const)('%j is refused with the reason: %s', ([content, reason]) => {
  expect(() => readStatement(text(content))).toThrow(reason);
});
