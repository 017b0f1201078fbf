import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { createFiles } from '../../../../src/server/providers/banks/files/adapter.ts';
import {
  readDay,
  readDayOfMoment,
  takeDays,
} from '../../../../src/server/providers/banks/files/days.ts';
import { readStatement } from '../../../../src/server/providers/banks/files/read-file.ts';
import { normalNumber } from '../../../../src/server/providers/banks/files/statement.ts';
import { BankSourceError } from '../../../../src/server/providers/banks/port.ts';

const sample = (name: string) => readFile(new URL(`samples/${name}`, import.meta.url));

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

test('two accounts of one OFX 2 file are told apart', async () => {
  const { accounts } = readStatement(await sample('banque-populaire-2.ofx'));
  expect(accounts.map(({ bankName, balances }) => [bankName, balances[0]?.minor])).toEqual([
    ['Banque Populaire & Cie', -5_210],
    ['Banque Populaire & Cie', 800_000],
  ]);
});

test('the other party of a transfer in an OFX file gives the account no part of its number', () => {
  const other = '<BANKACCTTO><BANKID>30004<BRANCHID>00123<ACCTID>99999999999</BANKACCTTO>';
  const numberOf = (tag: string, own: string) => {
    const account = `<CURDEF>EUR<${tag}ACCTFROM>${own}</${tag}ACCTFROM>`;
    const transfer = `<STMTTRN><TRNAMT>-5.00<FITID>1${other}</STMTTRN>`;
    const balance = '<LEDGERBAL><BALAMT>10.00<DTASOF>20261120</LEDGERBAL>';
    const file = `OFXHEADER:100\n<OFX><STMTRS>${account}${transfer}${balance}</STMTRS></OFX>`;
    return readStatement(text(file)).accounts[0]?.number;
  };
  expect(numberOf('BANK', '<BANKID>20041<ACCTID>1234567A020')).toBe('200411234567A020');
  expect(numberOf('CC', '<ACCTID>497012341234')).toBe('497012341234');
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

const table = (header: string, ...rows: string[]) =>
  readStatement(text([header, ...rows, ''].join('\n'))).accounts;

test.for([
  ['Numéro client : 12345678', null],
  ["Numéro d'abonné;0012345678", null],
  ['Numéro de téléphone 0612345678', null],
  ['Compte arrêté le 20261120', null],
  ['Numéro client : 12345678;Numéro de compte : 04000123456', '04000123456'],
  ['30002 00550 0000157841Z 25', '30002005500000157841Z'],
  ['BE68 5390 0754 7034', 'BE68539007547034'],
] as const)('%j above a table says the number %s', ([above, number]) => {
  const rows = ['Date;Libellé;Solde', '20/11/2026;a;12,00'] as const;
  expect(table(above, ...rows)[0]?.number).toBe(number);
});

test('columns that were wrongly proposed are shown, and not a dead end', () => {
  const csv = 'Date;Libellé;Solde\n20/11/2026;a;débiteur\n21/11/2026;b;créditeur\n';
  const file = readStatement(text(csv));
  expect([file.accounts, file.table?.columns?.balance]).toEqual([[], 2]);
});

test('the statements of one account in one CAMT file are one', async () => {
  const camt = (await sample('lcl-camt053.xml')).toString('utf8');
  const one = /<Stmt>[\s\S]*<\/Stmt>/.exec(camt)?.[0] ?? '';
  const next = one.replace('1250.75', '900.00').replaceAll('2026-11-20', '2026-11-21');
  const { accounts } = readStatement(text(camt.replace(one, next + one)));
  expect(accounts.map(({ balances }) => balances)).toEqual([
    [
      { day: '2026-11-20', minor: 125_075 },
      { day: '2026-11-21', minor: 90_000 },
    ],
  ]);
});

test('the statements of one account in one OFX file are one', async () => {
  const ofx = (await sample('credit-agricole-1.ofx')).toString('latin1');
  const one = /<STMTRS>[\s\S]*<\/STMTRS>/.exec(ofx)?.[0] ?? '';
  const next = one.replace('1234.56', '900.00').replaceAll('20261120', '20261121');
  const { accounts } = readStatement(text(ofx.replace(one, one + next)));
  expect(accounts.map(({ balances }) => balances)).toEqual([
    [
      { day: '2026-11-20', minor: 123_456 },
      { day: '2026-11-21', minor: 90_000 },
    ],
  ]);
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
  for (const between of [[header], [';;;', header], [header, header]])
    expect(table(header, first, ...between, last)).toMatchObject([{ balances }]);
  expect(table(header, first, 'Livret;;;', header, last)).toHaveLength(2);
  const untold = ['Date;Libellé;Montant', '18/10/2026;a;10,00', '18/11/2026;b;20,00'] as const;
  const [title = '', one = '', two = ''] = untold;
  const stated = table(title, one, title, two, 'Solde au 18/11/2026;;30,00');
  expect(stated).toMatchObject([{ balances }]);
});

test.for([
  ['its balances', (hour: string) => ({ at: `2026-11-21T${hour}:30:00+01:00`, made: '' })],
  [
    'its reports',
    (hour: string) => ({
      at: '2026-11-21T00:00:00+01:00',
      made: `<CreDtTm>2026-11-21T${hour}:35:00+01:00</CreDtTm>`,
    }),
  ],
] as const)(
  'of several reports of a day the last by the hour of %s counts',
  async ([, datedAt]) => {
    const camt = (await sample('societe-generale-camt052.xml')).toString('utf8');
    const one = /<Rpt>[\s\S]*<\/Rpt>/.exec(camt)?.[0] ?? '';
    const report = (hour: string, amount: string) => {
      const { at, made } = datedAt(hour);
      const dated = one.replace('2026-11-21T11:30:00+01:00', at).replace('<Acct>', `${made}<Acct>`);
      return dated.replace('980.00', amount);
    };
    const [morning, evening] = [report('08', '100.00'), report('16', '200.00')];
    for (const reports of [morning + evening, evening + morning]) {
      const { accounts } = readStatement(text(camt.replace(one, reports)));
      expect(accounts[0]?.balances).toMatchObject([{ day: '2026-11-21', minor: 20_000 }]);
    }
  },
);

test('a CAMT balance that cannot be read is told by its date or its amount', async () => {
  const camt = (await sample('lcl-camt053.xml')).toString('utf8');
  const refusal = (from: string, to: string) => {
    const written = camt.replaceAll(from, to);
    return () => readStatement(text(written));
  };
  expect(refusal('2026-11-20', '2026-11-31')).toThrow(
    "La date d'un solde du compte …1Z25 est illisible\u202f: «\u202f2026-11-31\u202f».",
  );
  expect(refusal('1250.75', 'douze')).toThrow(
    'Un solde du compte …1Z25 est illisible\u202f: «\u202fdouze\u202f».',
  );
});

describe('a CAMT balance in another currency than that of its account', () => {
  const inDollars = (camt: string, code: string) =>
    camt.replace(new RegExp(`(<Cd>${code}</Cd>.*?<Amt Ccy=)"EUR"`), '$1"USD"');
  const lcl = async () => (await sample('lcl-camt053.xml')).toString('utf8');

  test('is left out', async () => {
    const { accounts } = readStatement(text(inDollars(await lcl(), 'CLBD')));
    expect(accounts).toMatchObject([
      { currency: 'EUR', balances: [{ day: '2026-11-20', minor: 120_075 }] },
    ]);
  });

  test('does not take the place of the one in its own', async () => {
    const both = (await lcl()).replace(/.*<Cd>CLBD<\/Cd>.*/, (one) => {
      return one + inDollars(one, 'CLBD').replace('1250.75', '1360.00');
    });
    const { accounts } = readStatement(text(both));
    expect(accounts[0]?.balances).toEqual([{ day: '2026-11-20', minor: 125_075 }]);
  });

  test('is no closing balance, and the refusal says so', async () => {
    const none = ['CLBD', 'CLAV'].reduce(inDollars, await lcl());
    expect(() => readStatement(text(none))).toThrow('aucun solde de clôture en EUR');
  });
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

test.for([
  ['Date;Libellé;Montant ($);Solde ($)', 'USD'],
  ['Date;Libellé;Montant;Solde en £', 'GBP'],
  ['Date;Libellé;Montant;Solde (euros)', 'EUR'],
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
  ['20 novembre 2026', '2026-11-20'],
  ['1er décembre 2026', '2026-12-01'],
  ['5 FÉVRIER 2026', '2026-02-05'],
  ['31 juil. 2026', '2026-07-31'],
  ['30 juin 2026', '2026-06-30'],
  ['1 aout 2026', '2026-08-01'],
  ['01.09.26', '2026-09-01'],
  ['2026-11-20', '2026-11-20'],
  ['31 avril 2026', null],
] as const)('the written day %s is %s', ([written, day]) => {
  expect(takeDays(`au ${written} : 1,00`)).toEqual({ days: [day], rest: 'au   : 1,00' });
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

const text = (content: string) => new TextEncoder().encode(content);

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

test('a table that tells nothing is shown, and imports nothing', () => {
  const { accounts, table } = readStatement(text('a;b;c\n1;2;3\n'));
  expect([accounts, table?.columns]).toEqual([[], null]);
});

test('CAMT and OFX know no sign for thousands', async () => {
  const camt = (await sample('lcl-camt053.xml')).toString('utf8').replace('1250.75', '125.000');
  expect(readStatement(text(camt)).accounts[0]?.balances[0]?.minor).toBe(12_500);
  const ofx = (await sample('credit-agricole-1.ofx')).toString('latin1');
  const written = ofx.replace(/<BALAMT>[^\r\n<]*/g, '<BALAMT>125.000');
  expect(readStatement(text(written)).accounts[0]?.balances[0]?.minor).toBe(12_500);
});

test.for([
  ['20/11/2026', '2026-11-20'],
  ['1/2/26', '2026-02-01'],
  ['2026-11-20T10:00:00', '2026-11-20'],
  ['20261120120000.000[+1:CET]', '2026-11-20'],
  ['2026-11-20+01:00', '2026-11-20'],
  ['2026-11-20Z', '2026-11-20'],
  ['2026-11-20-12', null],
  ['31/02/2026', null],
  ['hier', null],
] as const)('the date %j is %s', ([written, day]) => expect(readDay(written)).toBe(day));

test.for([
  ['2026-11-19T23:00:00Z', '2026-11-20'],
  ['2026-07-19T22:00:00.000+00:00', '2026-07-20'],
  ['20261130230000[0:GMT]', '2026-12-01'],
  ['20261130230000.000[0:GMT]', '2026-12-01'],
  ['2026-11-19T22:00:00Z', '2026-11-19'],
  ['2026-11-19T23:59:59Z', '2026-11-19'],
  ['2026-11-19T23:00:00', '2026-11-19'],
  ['20261130230000', '2026-11-30'],
  ['2026-11-20T00:00:00+01:00', '2026-11-20'],
  ['2026-11-20', '2026-11-20'],
] as const)('the moment %s is of %s, as Paris has it at midnight', ([written, day]) =>
  expect(readDayOfMoment(written)).toBe(day),
);

test.for([
  ['lcl-camt053.xml', '<Dt>2026-11-20</Dt>', '<DtTm>2026-11-19T23:00:00Z</DtTm>'],
  ['credit-agricole-1.ofx', '<DTASOF>20261120', '<DTASOF>20261119230000[0:GMT]'],
] as const)('a balance of %s has the day that begins in Paris then', async ([name, from, to]) => {
  const file = (await sample(name)).toString('utf8').replaceAll(from, to);
  expect(readStatement(text(file)).accounts[0]?.balances[0]?.day).toBe('2026-11-20');
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

test('a file that takes too long or too much memory ends alone', async () => {
  const rows = `Date;Libellé;Solde\n${'20/11/2026;une ligne;12,00\n'.repeat(90_000)}`;
  const end = async (limits: { timeoutMs: number; memoryMiB: number }, bytes: Uint8Array) => {
    const reader = readerWith(limits);
    const ended = await reader.read(bytes, nothing).catch((error: unknown) => error);
    const next = await reader
      .read(text('Date;Libellé;Solde\n20/11/2026;a;1,00\n'), nothing)
      .catch(() => 0);
    reader.close();
    return { ended, next };
  };
  const late = await end({ timeoutMs: 1, memoryMiB: 128 }, text(rows));
  expect(late.ended).toMatchObject({
    ...{ kind: 'unreadable', sentence: 'Ce fichier est trop long à lire.' },
  });
  const large = await end({ timeoutMs: 20_000, memoryMiB: 8 }, text(rows));
  expect(large.ended).toBeInstanceOf(BankSourceError);
  const right = await end({ timeoutMs: 20_000, memoryMiB: 128 }, text(rows));
  expect(right.ended).toMatchObject({ format: 'csv', accounts: [{ balances: [{ minor: 1200 }] }] });
  expect(right.next).toMatchObject({ accounts: [{ balances: [{ minor: 100 }] }] });
});

test('one thread reads file after file, also behind one that was refused or too much', async () => {
  const reader = readerWith({ timeoutMs: 20_000, memoryMiB: 128 });
  const good = text('Date;Libellé;Solde\n20/11/2026;a;1,00\n');
  await expect(reader.read(text(''), nothing)).rejects.toThrow();
  expect(await reader.read(good, nothing)).toMatchObject({ accounts: [{}] });
  reader.close();
  expect(await reader.read(good, nothing)).toMatchObject({ accounts: [{}] });
  reader.close();
});

const nothing = { columns: null, sheet: null };

function readerWith(limits: { timeoutMs: number; memoryMiB: number }) {
  const { connect } = createFiles(limits);
  if (connect.kind !== 'file') throw new Error('no files');
  return connect.openReader();
}
