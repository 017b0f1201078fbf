import { expect, test } from 'vitest';
import { readStatement } from '../../../../src/server/providers/banks/files/read-file.ts';
import { normalNumber } from '../../../../src/server/providers/banks/files/statement.ts';
import { table, text } from './statements.ts';

test.for([
  ['Numéro client : 12345678', null],
  ["Numéro d'abonné;0012345678", null],
  ['Numéro de téléphone 0612345678', null],
  ['Compte arrêté le 20261120', null],
  ['Client n° 11223344', null],
  ['Référence client : n° 11223344', null],
  ['Client :;n° 11223344', null],
  ['Titulaire du contrat n° 98765432', null],
  ['Abonné no 1234567', null],
  ['Téléphone : n° 0123456789', null],
  ['SIREN n° 123456789', null],
  ['Sociétaire n° 1234567', null],
  ['Numéro client : 12345678;Numéro de compte : 04000123456', '04000123456'],
  ['Client n° 11223344;Compte n° 04000123456', '04000123456'],
  ['Client : M. EXEMPLE;N° 04000123456', '04000123456'],
  ['Hôtel du Parc n° 04000123456', '04000123456'],
  ['M. EXEMPLE, client depuis 2009 - n° de compte 04000123456', '04000123456'],
  ['Compte Chèque carte n° 04000123456', '04000123456'],
  ['30002 00550 0000157841Z 25', '30002005500000157841Z'],
  ['BE68 5390 0754 7034', 'BE68539007547034'],
] as const)('%j above a table says the number %s', ([above, number]) => {
  const rows = ['Date;Libellé;Solde', '20/11/2026;a;12,00'] as const;
  expect(table(above, ...rows)[0]?.number).toBe(number);
});

test('the tables of one account in one file are one, by their number or as pages', () => {
  const header = 'Date;Libellé;Montant;Solde';
  const [first, last] = ['18/10/2026;a;10,00;10,00', '18/11/2026;b;20,00;30,00'];
  const balances = [
    { day: '2026-10-18', minor: 1_000 },
    { day: '2026-11-18', minor: 3_000 },
  ];
  const above = 'Compte n° 12345678901';
  expect(table(above, header, first, above, header, last)).toMatchObject([{ balances }]);
  for (const between of [
    [header],
    [';;;', header],
    [header, header],
    ['Page 1;;;', header],
    [';;;Page n° 1 / 2', 'page 2 sur 2', header],
  ])
    expect(table(header, first, ...between, last)).toMatchObject([{ balances }]);
  expect(table(header, first, 'Livret;;;', header, last)).toHaveLength(2);
  const untold = ['Date;Libellé;Montant', '18/10/2026;a;10,00', '18/11/2026;b;20,00'] as const;
  const [title = '', one = '', two = ''] = untold;
  const stated = table(title, one, title, two, 'Solde au 18/11/2026;;30,00');
  expect(stated).toMatchObject([{ balances }]);
});

test.for([
  'Solde au 30/11/2026;;90,00',
  'Nouveau solde au 30/11/2026;;90,00',
  'Total;;-10,00\nSolde du compte n° 12345678901 au 30/11/2026;;90,00',
  'Total du compte n° FR76 1820 6002 4012 3456 7890 115;;-10,00\nSolde au 30/11/2026;;90,00',
  'Fin des opérations\nSolde au 30/11/2026;;90,00',
])('%j below a table is of its account, not of that of the next table', (footer) => {
  const header = 'Date;Libellé;Montant';
  const first = ['Compte n° 12345678901', header, '19/11/2026;a;-10,00', footer] as const;
  const second = ['Compte n° 22345678901', 'Solde au 31/10/2026;5 000,00'] as const;
  const rows = [header, '19/11/2026;b;-1 000,00'] as const;
  const ends = (...lines: [string, ...string[]]) =>
    table(...lines).map(({ number, balances }) => [number, balances.at(-1)?.minor]);
  const accounts = [
    ['12345678901', 9_000],
    ['22345678901', 400_000],
  ];
  expect(ends(...first, ...second, ...rows)).toEqual(accounts);
  const closing = 'Solde au 30/11/2026;;4 000,00';
  expect(ends(...first, ...second, ...rows, closing)).toEqual(accounts);
  expect(() => ends(...first, 'Compte n° 22345678901', ...rows)).toThrow(
    "solde d'un compte manque",
  );
});

test.for(['Livret A', 'Solde du compte n° 22345678901 au 20/11/2026 : 8 000,00'])(
  '%j below a table is the heading of the next one',
  (heading) => {
    const [header, balance] = ['Date;Libellé;Montant', 'Solde au 20/11/2026;8 000,00'] as const;
    const accounts = table(
      ...['Compte n° 12345678901', 'Solde au 20/11/2026;90,00', header, '19/11/2026;a;-10,00'],
      ...[heading, ...(heading === 'Livret A' ? [balance] : []), header, '19/11/2026;b;1,00'],
    );
    expect(accounts.map(({ balances }) => balances.at(-1)?.minor)).toEqual([9_000, 800_000]);
  },
);

test.for([
  ['Total du compte n° 12345678901;;-10,00;', '22345678901'],
  ['Total;;-10,00;', '22345678901'],
  ['Fin du compte n° 12345678901', '22345678901'],
  // The next page of the same account.
  ['Total;;-10,00;', '12345678901'],
] as const)('%j below a table does not give the next one its number', ([footer, number]) => {
  const header = 'Date;Libellé;Montant;Solde';
  const page = (account: string, row: string) => [`Compte n° ${account}`, header, row];
  const [, ...first] = page('12345678901', '19/11/2026;a;-10,00;90,00');
  const second = page(number, '20/11/2026;b;-1,00;89,00');
  const accounts = table('Compte n° 12345678901', ...first, footer, ...second);
  expect(accounts.map((one) => one.number)).toEqual([...new Set(['12345678901', number])]);
});

test('a file of more accounts than can be named is refused', () => {
  const row = (_: unknown, index: number) => `20/11/2026;a;12,00;${10_000_000 + index}`;
  const rows = Array.from({ length: 51 }, row);
  expect(() => table('Date;Libellé;Solde;Compte', ...rows)).toThrow('plus de 50 comptes');
  expect(table('Date;Libellé;Solde;Compte', ...rows.slice(1))).toHaveLength(50);
});

test('several accounts of one table are told apart', () => {
  const numbered = table(
    'Date;Libellé;Montant;accountNum;Solde',
    '20/11/2026;a;1,00;00040123456;10,00',
    '20/11/2026;b;1,00;00040999999;500,00',
  );
  expect(numbered.map(({ number, balances }) => [number, balances[0]?.minor])).toEqual([
    ['00040123456', 1_000],
    ['00040999999', 50_000],
  ]);
  const products = table(
    'Product,Completed Date,Amount,Currency,Balance',
    'Current,2026-11-20,1.00,EUR,10.00',
    'Savings,2026-11-20,1.00,EUR,500.00',
    'Current,2026-11-20,1.00,PLN,70.00',
  );
  expect(products.map((one) => [one.name, one.currency, one.balances[0]?.minor])).toEqual([
    ['Current EUR', 'EUR', 1_000],
    ['Savings EUR', 'EUR', 50_000],
    ['Current PLN', 'PLN', 7_000],
  ]);
  const unsold = ['20/11/2026;a;1,00;00040123456', '20/11/2026;b;1,00;00040999999'];
  expect(() =>
    table('Date;Libellé;Montant;accountNum', ...unsold, 'Solde au 20/11/2026;;10,00;'),
  ).toThrow('un par un');
});

test('a word in a column of accounts is a name and no number', () => {
  const header = 'Date;Compte;Libellé;Montant;Solde';
  const one = '20/11/2026;Compte courant;a;1,00;10,00';
  expect(table(header, one)).toMatchObject([{ number: null, name: 'Compte courant' }]);
  const two = table(header, one, '20/11/2026;Livret pro;b;1,00;500,00');
  expect(two).toMatchObject([
    { number: null, name: 'Compte courant', balances: [{ minor: 1_000 }] },
    { number: null, name: 'Livret pro', balances: [{ minor: 50_000 }] },
  ]);
  const spaced = '20/11/2026;FR76 1820 6002 4012 3456 7890 115;a;1,00;10,00';
  expect(table(header, spaced, spaced.replaceAll(/(?<=\d) (?=\d)/g, ''))).toMatchObject([
    { number: '182060024012345678901', name: null },
  ]);
  expect(table('Compte n° 12345678901;', header, one)).toMatchObject([
    { number: '12345678901', name: 'Compte courant' },
  ]);
  const among = table('Compte n° 12345678901;', header, one, one.replace('courant', 'joint'));
  expect(among.map(({ number, name }) => [number, name])).toEqual([
    [null, 'Compte courant'],
    [null, 'Compte joint'],
  ]);
});

test.for(['Account', 'Account Name', 'Nom du compte', 'Libellé compte', 'Intitulé du compte'])(
  'the accounts that a column %j names are told apart',
  (heading) => {
    const accounts = table(
      `Date;${heading};Libellé;Montant;Solde`,
      '18/11/2026;Principal;a;10,00;100,00',
      '19/11/2026;TVA;b;10,00;5,00',
      '19/11/2026;Principal;c;10,00;110,00',
    );
    expect(accounts.map(({ name, balances }) => [name, balances.at(-1)?.minor])).toEqual([
      ['Principal', 11_000],
      ['TVA', 500],
    ]);
  },
);

test('the number of an account comes before what another column calls it', () => {
  const header = 'Date;Compte;Numéro de compte;Libellé;Solde';
  expect(table(header, '18/11/2026;Courant;12345678901;a;10,00')[0]?.number).toBe('12345678901');
});

test('an account has one number in all formats', () => {
  const numbers = [
    'FR76 1820 6002 4012 3456 7890 115',
    // Monaco's are written as the French ones.
    'MC58 1820 6002 4012 3456 7890 115',
    '182060024012345678901',
    '18206002401234567890115',
  ];
  expect(new Set(numbers.map(normalNumber))).toEqual(new Set(['182060024012345678901']));
});

test.for(['FR76', 'MC58'])(
  'the IBAN %s… that stands among other words is that of the table',
  (start) => {
    const csv = `Compte ${start} 1820 6002 4012 3456 7890 115 en euros;\nDate;Libellé;Solde\n20/11/2026;a;1,00\n`;
    expect(readStatement(text(csv)).accounts[0]?.number).toBe('182060024012345678901');
  },
);
