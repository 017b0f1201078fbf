import { expect, test } from 'vitest';
import { readStatement } from '../../../../src/server/providers/banks/files/read-file.ts';
import { table, text } from './statements.ts';

test.for([
  ['10,00', '20,00', '-10,00'],
  ['-10,00', '-20,00', '10,00'],
] as const)('among the debits %s and %s, that of %s is taken back', ([one, other, back]) => {
  const row = (day: number, debit: string) => `${day}/11/2026;a;${debit};`;
  const rows = [row(17, one), row(18, other), row(19, back), 'Solde au 19/11/2026;;;100,00'];
  expect(table('Date;Libellé;Débit;Crédit', ...rows)[0]?.balances).toEqual([
    { day: '2026-11-17', minor: 11_000 },
    { day: '2026-11-18', minor: 9_000 },
    { day: '2026-11-19', minor: 10_000 },
  ]);
});

test.for([
  ['Solde avant', 'Solde après'],
  ['Solde initial', 'Solde final'],
  ['Solde disponible', 'Solde'],
  ['Solde en valeur', 'Solde comptable'],
  ['Available balance', 'Balance'],
] as const)('of the columns %j and %j the second is the balance', ([other, balance]) => {
  const row = '20/11/2026;a;-10,00';
  expect(table(`Date;Libellé;Montant;${other};${balance}`, `${row};100,00;90,00`)).toMatchObject([
    { balances: [{ minor: 9_000 }] },
  ]);
  expect(table(`Date;Libellé;Montant;${other}`, `${row};100,00`)).toMatchObject([
    { balances: [{ minor: 10_000 }] },
  ]);
});

test('the label of a transaction is no known balance', () => {
  const rows = '12/10/2026;VIR SOLDE FACTURE DU 12/10/2026 350,00;-350,00\n';
  const csv = `Date;Libellé;Montant\n${rows}`;
  expect(readStatement(text(csv)).table?.columns?.known).toBeNull();
  const noted = readStatement(text(`${csv}Solde au 13/10/2026;;100,00\n`));
  expect(noted.table?.columns?.known).toEqual({ day: '2026-10-13', amount: '100,00' });
});

/** A table above which the balance is told so. */
const knownBalance = (stated: string) =>
  readStatement(text(`${stated}\nDate;Libellé;Débit;Crédit\n18/11/2026;a;1,00;\n`)).table?.columns
    ?.known ?? null;

test.for([
  ['Solde au 20/11/2026 : 1 234,56 €', '1 234,56'],
  ['Solde au 20/11/2026 : \u22121 234,56 €', '-1 234,56'],
  ['Solde au 20/11/2026 : -1 234,56 €', '-1 234,56'],
  ['Solde au 20/11/2026 : - 1 234,56 €', '-1 234,56'],
  ['Solde au 20/11/2026 : +1 234,56 €', '1 234,56'],
  ['Solde au 20/11/2026 : 1 234,56-', '-1 234,56'],
  ['Solde au 20/11/2026 : 1 234,56 € -', '-1 234,56'],
  ['Solde au 20/11/2026 : (1 234,56)', '-1 234,56'],
  ['Solde au 20/11/2026;(1.234,56 €)', '-1.234,56'],
  ['Solde au 20/11/2026;\u2212 1 234,56', '-1 234,56'],
  ['Solde débiteur au 20/11/2026;1 234,56', '-1 234,56'],
  ['Solde débiteur au 20/11/2026 : -1 234,56', '-1 234,56'],
  ['Solde au 20/11/2026;1 234,56;Débiteur', '-1 234,56'],
  ['Solde créditeur au 20/11/2026;1 234,56', '1 234,56'],
  ['Solde du compte 12345 au 20/11/2026;1 234,56', '1 234,56'],
  ['Solde du compte 12345 au 20/11/2026 : 1 234,56', '1 234,56'],
  ['Solde;au 20/11/2026;;EUR;1,234.56', '1,234.56'],
  ['Solde au 20 novembre 2026 1 234,56 €', '1 234,56'],
  ['Solde au 20 nov. 2026;-1 234,56', '-1 234,56'],
  ['Ancien solde au 01/11/2026;5,00\nNouveau solde au 20/11/2026;1 234,56', '1 234,56'],
  ['Solde disponible au 20/11/2026;1 300,00\nSolde au 20/11/2026;1 234,56', '1 234,56'],
  ['Solde en valeur au 20/11/2026;80,00\nSolde comptable au 20/11/2026;1 234,56', '1 234,56'],
  ['Solde moyen du mois au 20/11/2026;80,00\nSolde au 20/11/2026;1 234,56', '1 234,56'],
  ['Solde prévisionnel au 30/11/2026;40,00\nSolde au 20/11/2026;1 234,56', '1 234,56'],
  ['Solde au dernier relevé;31/10/2026;40,00\nSolde au 20/11/2026;1 234,56', '1 234,56'],
  ['Solde total de vos comptes au 20/11/2026;40,00\nSolde au 20/11/2026;1 234,56', '1 234,56'],
  ['Date du relevé;20/11/2026\nSolde reporté;1 000,00\nNouveau solde;1 234,56', '1 234,56'],
  ['Date du relevé;20/11/2026\nSolde de départ;1 000,00\nSolde à reporter;1 234,56', '1 234,56'],
  ['****1234;20/11/2026;;1 234,56', '1 234,56'],
  ['Compte de chèques;****1234;20/11/2026;;1 234,56', '1 234,56'],
  ['FR76 1820 6002 4012 3456 7890 115;20/11/2026;1 234,56 EUR', '1 234,56'],
  ['Compte n° 04000123456;20/11/2026;1 234,56 EUR', '1 234,56'],
  ['Date;20/11/2026\nSolde;1 234,56', '1 234,56'],
  ["Date d'ouverture du compte;12/03/2009\nDate d'édition;20/11/2026\nSolde;1 234,56", '1 234,56'],
  ['Date du dernier relevé;31/10/2026\nDate;20/11/2026\nSolde;1 234,56', '1 234,56'],
  ['Date de naissance;01/02/1990;Date : 20/11/2026\nSolde;1 234,56', '1 234,56'],
  ['Date de dernière mise à jour;20/11/2026\nSolde;1 234,56', '1 234,56'],
  // Amounts that are no balance, and days that are not that of the balance.
  ['Solde disponible au 20/11/2026;1 234,56', null],
  ['Report du solde au 20/11/2026;1 234,56', null],
  ['Plafond de paiement;20/11/2026;1 234,56 EUR', null],
  ['Dernier virement reçu;20/11/2026;1 234,56 EUR', null],
  ['Client;11/11/2026;20/11/2026;1 234,56', null],
  ["Date d'ouverture du compte;20/11/2026\nSolde;1 234,56", null],
  ['Date du dernier relevé;20/11/2026\nSolde;1 234,56', null],
  ["Date d'arrêté;31/10/2026\nDate d'édition;20/11/2026\nSolde;1 234,56", null],
  ['Date de règlement;31/10/2026\nDate de commande;20/11/2026\nSolde;1 234,56', null],
  // In one cell, what is the number's and what the amount's? Which amount, which sign, which day?
  ['Solde du compte 12345 au 20/11/2026 12345 1 234,56', null],
  ['Solde au 20/11/2026 - 1 234,56 €', null],
  ['Solde au 20/11/2026 : 1 234,56 - Agence', null],
  ['Solde au 20/11/2026 : 1 234,56 D', null],
  ['Solde débiteur ou créditeur au 20/11/2026;1 234,56', null],
  ['Solde au 20/11/2026;1 234,56;1 300,00', null],
  ['Solde du 01/11/2026 au 20/11/2026;1 234,56', null],
  ['Solde au 31/02/2026;1 234,56', null],
  ['Solde au 20/11/2026;;1 234,56', null],
  ['Solde au 20/11/2026;Total des débits;1 234,56', null],
  ['Solde initial;01/11/2026;1 234,56', null],
] as const)('%j above a table says the balance %s', ([stated, amount]) => {
  expect(knownBalance(stated)).toEqual(amount && { day: '2026-11-20', amount });
});

test.for([
  // Of the beginning and of the end of a month, with a transaction on its first day or before it.
  [['Solde au 01/11/2026;1 000,00'], ['Solde au 30/11/2026;;1 250,00'], ['2026-11-30', 125_000]],
  [['Solde au 31/10/2026;1 000,00'], ['Solde au 30/11/2026;;1 250,00'], ['2026-11-30', 125_000]],
  [['Solde au 31/10/2026;1 000,00'], [], ['2026-11-29', 125_000]],
  [['Solde au 30/11/2026;1 250,00'], ['Solde au 30/11/2026;;1250,00'], ['2026-11-30', 125_000]],
  // The first one alone may be of the evening; the transactions lead to none of the others.
  [['Solde au 01/11/2026;1 000,00'], [], null],
  [['Solde au 01/11/2026;1 000,00'], ['Solde au 30/11/2026;;1 300,00'], null],
  [['Solde au 30/11/2026;1 250,00'], ['Solde au 30/11/2026;;4 000,00'], null],
] as const)('%j above a month and %j below it say %j', ([above, below, last]) => {
  const rows = ['01/11/2026;a;100,00', '15/11/2026;b;200,00', '29/11/2026;c;-50,00'];
  for (const order of [rows, rows.toReversed()]) {
    const lines = [...above, 'Date;Libellé;Montant', ...order, ...below].join('\n');
    const { accounts, table } = readStatement(text(lines));
    const balance = accounts[0]?.balances.at(-1);
    expect(balance ? [balance.day, balance.minor] : null).toEqual(last);
    expect(table?.columns?.known === null).toBe(last === null);
  }
});

test('the rows of one day are read in the order in which their balances follow', () => {
  const rows = ['-10,00;90,00', '-20,00;70,00', '5,00;75,00'].map((row) => `20/11/2026;a;${row}`);
  const end = (lines: string[]) =>
    readStatement(text(`Date;Libellé;Montant;Solde\n${lines.join('\n')}\n`)).accounts[0]?.balances;
  expect(end(rows)).toEqual([{ day: '2026-11-20', minor: 7_500 }]);
  expect(end(rows.toReversed())).toEqual([{ day: '2026-11-20', minor: 7_500 }]);
  expect(() => end([rows[1], rows[0], rows[2]] as string[])).toThrow('même jour');
});

test('the hours of the dates tell the order of a day', () => {
  const end = (...rows: string[]) =>
    table('Completed Date,Description,Amount,Fee,Balance', ...rows)[0]?.balances.at(-1);
  const [first, second, third] = [
    '2026-11-10 09:00:00,a,100.00,0.00,100.00',
    '2026-11-18 09:00:00,b,-40.00,0.00,60.00',
    '2026-11-18 20:00:00,c,-30.00,0.00,30.00',
  ] as const;
  expect(end(first, third, second)).toEqual({ day: '2026-11-18', minor: 3_000 });
  expect(end(third, second)).toEqual({ day: '2026-11-18', minor: 3_000 });
  // Neither the balances nor the direction of the file say it.
  const gap = '2026-11-18 21:00:00,d,-1.00,0.00,5.00';
  expect(end(gap, second, third)).toEqual({ day: '2026-11-18', minor: 500 });
  expect(end(second, gap, third)).toEqual({ day: '2026-11-18', minor: 500 });
  const midnight = [second, third].map((row) =>
    row.replace(/\d\d:\d\d:\d\d,.,-\d+/, '00:00:00,x,-9'),
  );
  expect(() => end(...midnight)).toThrow('même jour');
});

test('a balance follows from the one before with the fee of its transaction', () => {
  const rows = ['20/11/2026;a;100,00;0,00;100,00', '20/11/2026;b;-30,00;1,00;69,00'];
  for (const order of [rows, rows.toReversed()])
    expect(table('Date;Libellé;Montant;Frais;Solde', ...order)[0]?.balances).toEqual([
      { day: '2026-11-20', minor: 6_900 },
    ]);
});

test('rows of a day that nothing puts in order are refused, and the sentence names the day', () => {
  const rows = ['18/11/2026;a;10,00', '19/11/2026;b;20,00', '18/11/2026;c;30,00'] as const;
  expect(() => table('Date;Libellé;Solde', ...rows)).toThrow(
    "Ce fichier n'est pas dans l'ordre des dates, et rien n'indique celui des lignes du 18/11/2026.",
  );
  const same = rows.map((row) => row.replace(/\d+,00$/, '10,00'));
  expect(table('Date;Libellé;Solde', ...same)[0]?.balances).toHaveLength(2);
});

test('the last balance of a row that was booked late is that of the account', () => {
  // Newest first, by the day of booking: the card was used a day before the transfer that it follows.
  const rows = [
    '19/11/2026;carte;-10,00;80,00',
    '20/11/2026;b;-5,00;90,00',
    '18/11/2026;c;5,00;95,00',
  ];
  const booked = (lines: string[]) =>
    table('Date opération;Libellé;Montant;Solde', ...lines)[0]?.balances;
  const balances = [
    { day: '2026-11-18', minor: 9_500 },
    { day: '2026-11-20', minor: 8_000 },
  ];
  expect(booked(rows)).toEqual(balances);
  expect(booked(rows.toReversed())).toEqual(balances);
  // The first row is the newest, although its day is the earlier one.
  expect(booked(rows.slice(0, 2))).toEqual(balances.slice(1));
});

test.for([
  ['up', ['20/11/2026;a;100,00;100,00', '21/11/2026;c;-3,00;102,00', '21/11/2026;b;5,00;105,00']],
  ['down', ['21/11/2026;b;5,00;105,00', '21/11/2026;c;-3,00;102,00', '20/11/2026;a;100,00;100,00']],
] as const)(
  'days that a spreadsheet sorted %s leave the rows of one day as they were',
  ([, rows]) => {
    expect(table('Date;Libellé;Montant;Solde', ...rows)[0]?.balances.at(-1)).toEqual({
      day: '2026-11-21',
      minor: 10_200,
    });
  },
);

test('letters of two bytes are read without their mark', () => {
  const csv = 'Date;Libellé;Solde\n20/11/2026;a;100,00\n';
  for (const bytes of [Buffer.from(csv, 'utf16le'), Buffer.from(csv, 'utf16le').swap16()]) {
    expect(readStatement(bytes).accounts).toMatchObject([{ balances: [{ minor: 10_000 }] }]);
  }
});
