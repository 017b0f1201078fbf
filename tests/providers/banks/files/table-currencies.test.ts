import { expect, test } from 'vitest';
import { readStatement } from '../../../../src/server/providers/banks/files/read-file.ts';
import { table, text } from './statements.ts';

test('a currency is that of its column or of what stands above, never that of a label', () => {
  const row = '20/11/2026;ACHAT LONDON 20 GBP;-23,00;100,00';
  const header = 'Date;Libellé;Montant;Solde';
  expect(table(header, row)[0]?.currency).toBe('EUR');
  expect(table('Compte en GBP;', header, row)[0]?.currency).toBe('GBP');
  expect(table('Devise : PLN;', header, row)[0]?.currency).toBe('PLN');
  expect(table(`${header};Devise`, `${row};PLN`)[0]?.currency).toBe('PLN');
  expect(() => table(`${header};Devise`, `${row};XQQ`)).toThrow('inconnue');
  const mixed = ['20/11/2026;a;1,00;EUR', '20/11/2026;b;1,00;USD', 'Solde au 20/11/2026;;9,00;'];
  expect(() => table('Date;Libellé;Montant;Devise', ...mixed)).toThrow('plusieurs devises');
});

test.for([
  ["Devise de l'opération", 'Solde'],
  ["Devise de l'opération", 'Solde (EUR)'],
  ['Devise', 'Solde (EUR)'],
  ['Devise', 'Solde €'],
  ['Devise', 'Solde en euros'],
] as const)(
  'beside a column %j the balance of %j is that of one account',
  ([currency, balance]) => {
    const accounts = table(
      `Date;Libellé;Montant;${currency};${balance}`,
      '18/11/2026;a;-10,00;EUR;100,00',
      '19/11/2026;hotel;-20,00;USD;81,50',
      '20/11/2026;b;-1,50;EUR;80,00',
    );
    expect(accounts.map((one) => [one.currency, one.balances.length])).toEqual([['EUR', 3]]);
  },
);

test('a sign that several currencies have does not name that of a balance', () => {
  const row = '20/11/2026;a;-10,00;CAD;100,00';
  expect(table('Date;Libellé;Montant;Devise;Solde ($)', row)[0]?.currency).toBe('CAD');
  const spent = "Date;Libellé;Montant;Devise de l'opération;Solde";
  expect(table(spent, row, row)[0]?.currency).toBe('CAD');
  const both = 'Date;Libellé;Montant;Devise;Devise du compte;Solde';
  expect(table(both, '20/11/2026;a;-10,00;USD;CHF;100,00')[0]?.currency).toBe('CHF');
});

test.for([
  ['Date;Libellé;Montant ($);Solde ($)', 'USD'],
  ['Date;Libellé;Montant;Solde en £', 'GBP'],
  ['Date;Libellé;Montant;Solde (euros)', 'EUR'],
  ['Date;Libellé;Montant (XPF);Solde (XPF)', 'XPF'],
  ['Date;Libellé;Montant;Solde MAD', 'MAD'],
  ['DATE;LIBELLE;MONTANT;SOLDE TND', 'TND'],
  ['Date;Description;Amount (JPY);Balance (JPY)', 'JPY'],
  ['Date;Description;Amount;Balance (CAD $)', 'CAD'],
  ['Date;Libellé;Montant;Solde (F CFP)', 'XPF'],
  ['Date;Description;Amount;MAD Balance', 'MAD'],
  ['Date;Libellé;Montant;Solde [MAD]', 'MAD'],
  ['Date;Libellé;Montant;Solde MAD fin', 'MAD'],
  ['Date;Libellé;Montant;Balance (ALL)', 'ALL'],
  ['Date;Libellé;Montant;SOLDE NET', 'EUR'],
  ['DATE;ALL;TOP MAD;SOLDE', 'EUR'],
  ['DATE;LIBELLE;MONTANT;SOLDE TOP', 'EUR'],
  ['Date;Description;Amount ($);Balance', 'USD'],
  ['Date;Libellé;Montant (XPF);Solde', 'XPF'],
  ['Date;Libellé;Montant ($);Solde (€)', 'EUR'],
  ['Date;Libellé;Montant en devise ($);Solde', 'EUR'],
  ['Date;Libellé;Prix ($);Solde', 'EUR'],
  ['Date;Libellé ($);Valeur;Solde', 'EUR'],
] as const)('under the heading %j figures are in %s', ([header, currency]) => {
  expect(table(header, '20/11/2026;a;-23,00;120,00')[0]?.currency).toBe(currency);
});

test('an amount that names its currency is of no other one', () => {
  const header = 'Date;Libellé;Montant;Solde';
  const end = (...rows: string[]) => {
    const [account] = table(...([header, ...rows] as [string, ...string[]]));
    return [account?.currency, account?.balances.at(-1)?.minor];
  };
  expect(end('19/11/2026;a;-23,00 $;120,00 $', '20/11/2026;b;20,00 USD;140,00')).toEqual([
    'USD',
    14_000,
  ]);
  expect(end('20/11/2026;a;-23,00 MAD;1 120,00 MAD')).toEqual(['MAD', 112_000]);
  expect(end('20/11/2026;a;-2 300 FCFP;12 000 F CFP')).toEqual(['XPF', 12_000]);
  expect(() => end('20/11/2026;a;-2 300;12 000 F CFA')).toThrow('XOF et XAF');
  expect(end('20/11/2026;a;-23,00 €;120,00 EUR')).toEqual(['EUR', 12_000]);
  expect(end('20/11/2026;a;-23,00 €;120,00 USD')).toEqual(['USD', 12_000]);
  expect(() => end('19/11/2026;a;1,00;5,00 €', '20/11/2026;a;1,00;120,00 USD')).toThrow(
    'plusieurs devises',
  );
  expect(() => table('Compte en GBP;', header, '20/11/2026;a;1,00;120,00 €')).toThrow(
    'La ligne 3 contient un montant illisible',
  );
  const below = table(
    'Date;Libellé;Montant',
    '20/11/2026;a;1,00',
    'Solde au 20/11/2026;;120,00 USD',
  );
  expect(below[0]).toMatchObject({ currency: 'USD', balances: [{ minor: 12_000 }] });
  expect(table('Devise : CAD;', header, '20/11/2026;a;1,00;$120,00')[0]?.currency).toBe('CAD');
});

test('the franc CFA of a heading is one of two', () => {
  expect(() => table('Date;Libellé;Solde (FCFA)', '20/11/2026;a;125 000')).toThrow('XOF et XAF');
});

test('a stated balance names its currency beside its amount', () => {
  const rows = ['Date;Libellé;Débit;Crédit', '20/11/2026;a;;5,00'];
  for (const amount of [
    '1 234,56 MAD',
    '1 234,56MAD',
    'MAD 1 234,56',
    ';MAD;;;1.234,56',
    'en MAD : 1 234,56',
  ]) {
    const stated = table('Compte courant;', `Solde au 20/11/2026 : ${amount}`, ...rows);
    expect(stated).toMatchObject([{ currency: 'MAD', balances: [{ minor: 123_456 }] }]);
  }
  expect(() => table('Solde au 20/11/2026 : 1 234,00 FCFA', ...rows)).toThrow('XOF et XAF');
  // Nor does the number of a house.
  const street = table('12 ALL DES TILLEULS', 'Solde au 20/11/2026 : 1 234,56', ...rows);
  expect(street[0]?.currency).toBe('EUR');
});

test('a stated balance without decimals is in the currency behind it once it is confirmed', () => {
  const csv = 'Solde au 20/11/2026 : 125 000 XPF\nDate;Libellé;Débit;Crédit\n20/11/2026;a;;5 000\n';
  const columns = { date: 0, balance: null, amount: null, debit: 2, credit: 3 };
  const known = { day: '2026-11-20', amount: '125 000' };
  const { accounts } = readStatement(text(csv), { columns: { ...columns, known }, sheet: null });
  expect(accounts).toMatchObject([{ currency: 'XPF', balances: [{ minor: 125_000 }] }]);
});

test('a balance of euros with three decimals is not read, whatever its currency is said to be', () => {
  expect(() => table('Date;Libellé;Montant;Solde', '20/11/2026;a;5,00;105,000')).toThrow(
    'La ligne 2 contient un montant illisible',
  );
});

test.for(['Balance (¥)', 'Solde (DH)', 'Solde en dinars'])(
  'the currency of the heading %j is asked for, and not taken for euros',
  (heading) => {
    expect(() => table(`Date;Libellé;Montant;${heading}`, '20/11/2026;a;5,00;120,00')).toThrow(
      'est inconnue',
    );
  },
);

test.for([
  ['5,125;1 105,250', 'TND', 1_105_250],
  ['5,125;1.105,250', 'KWD', 1_105_250],
  ['5,000;105,000', 'JPY', 105_000],
  ['5,000;105,000', 'TND', 105_000],
] as const)('amounts %j in %s are proposed', ([amounts, currency, minor]) => {
  const row = `01/02/2026;a;${amounts};${currency}`;
  expect(table('Date;Libellé;Montant;Solde;Devise', row)).toMatchObject([
    { currency, balances: [{ minor }] },
  ]);
});
