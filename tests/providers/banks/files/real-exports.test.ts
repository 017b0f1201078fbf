import { expect, test } from 'vitest';
import { readStatement } from '../../../../src/server/providers/banks/files/read-file.ts';
import { table, text, told, withKnown } from './statements.ts';
import { workbook } from './workbook.ts';

test.for([
  ['Date,Devise,Net,Solde,Impact sur le solde', '"146,80",Débit'],
  ['Date,Currency,Net,Balance,Balance Impact', '"146,80",Debit'],
  ['Date,Currency,Net,Balance,Transaction Type', '"146,80",Debit'],
] as const)('under %j the last column is not the sign of the balance', ([header, end]) => {
  const accounts = table(header, `20/11/2026,EUR,"-50,00",${end}`);
  expect(told(accounts)).toEqual([[null, 'EUR', { '11-20': 14_680 }]]);
});

test('debits alone, with the kind of each behind the balance, make no balance negative', () => {
  const accounts = table(
    'Date,Description,Debit Amount,Credit Amount,Balance,Transaction Type',
    '20/11/2026,TESCO,12.30,,87.70,Debit',
    '20/11/2026,ALDI,10.00,,,Debit',
    '19/11/2026,RENT,50.00,,110.00,Debit',
  );
  expect(told(accounts)).toEqual([[null, 'EUR', { '11-19': 11_000, '11-20': 8770 }]]);
});

test('what was refused or waits moved nothing', () => {
  const days = withKnown(
    ...(['2026-11-18', '1 000,00'] as const),
    "Statut;Date de l'opération (UTC);Montant total (TTC);Devise",
    'En cours;20-11-2026 12:00:00;-12,00;EUR',
    'Exécuté;20-11-2026 08:12:00;1200,00;EUR',
    'Refusé;19-11-2026 16:20:00;-900,00;EUR',
    'Exécuté;18-11-2026 17:20:00;-54,90;EUR',
  );
  expect(days).toEqual([[null, 'EUR', { '11-18': 100_000, '11-20': 220_000 }]]);
});

test('balances with a day among transactions are no transactions', () => {
  const days = withKnown(
    ...(['2026-11-18', '1 000,00'] as const),
    'Date;Libellé;Débit;Crédit',
    '01/11/2026;SOLDE PRECEDENT;;1 000,00',
    '19/11/2026;SOLDE FACTURE 12;12,30;',
    '20/11/2026;VIR;;100,00',
    '30/11/2026;NOUVEAU SOLDE CREDITEUR AU 30/11/2026;;1 087,70',
  );
  expect(days).toEqual([[null, 'EUR', { '11-18': 100_000, '11-19': 98_770, '11-20': 108_770 }]]);
});

test('LCL writes its balances as rows, with the number of the account', () => {
  const accounts = table(
    '18/11/2026;1000;;00550 012345A',
    '18/11/2026;-12,3;Carte;;CB BOULANGERIE 17/11/26;;0;Divers',
    '20/11/2026;500;Virement;;VIR SALAIRE;;0;Divers',
    '20/11/2026;1487,7;;00550 012345A',
  );
  expect(told(accounts)).toMatchObject([
    ['300020055000000' + '12345A', 'EUR', { '11-20': 148_770 }],
  ]);
});

test('rows of two accounts of LCL are left to the person', () => {
  const rows = ['20/11/2026;1000;;00550 012345A', '20/11/2026;500;;00550 012346B'] as const;
  expect(table(...rows)).toEqual([]);
});

test.for(['"Bénéficiaire","Numéro de compte"', '"Payee","Account number"'])(
  'behind %s stands the number of the other party',
  (headings) => {
    const days = withKnown(
      ...(['2026-11-20', '2 000,00'] as const),
      `"Date",${headings},"Montant (EUR)"`,
      '"2026-11-19","EXEMPLE","FR7630006000011234567890189","-500.0"',
      '"2026-11-20","SARL","DE12500105170648489890","1500.0"',
    );
    expect(days).toEqual([[null, 'EUR', { '11-19': 50_000, '11-20': 200_000 }]]);
  },
);

test('a currency is named in English and in German too', () => {
  const row = '20/11/2026;a;CHF;-12,30;100,00';
  for (const heading of ['Ccy.', 'Währung']) {
    const [account] = table(`Date;Libellé;${heading};Montant;Solde`, row);
    expect(account?.currency).toBe('CHF');
  }
});

test('without a currency, the account of another country is not taken for one in euros', () => {
  const rows = ['CH9300762011623852957;20.11.2026;-12.30;100.00'];
  expect(() => table('IBAN;Date;Montant;Solde', ...rows)).toThrow('ne dit pas la devise');
  expect(table('IBAN;Date;Montant;Solde CHF', ...rows)[0]?.currency).toBe('CHF');
  const french = ['FR7630006000011234567890189;20.11.2026;-12.30;100.00'];
  expect(table('IBAN;Date;Montant;Solde', ...french)[0]?.currency).toBe('EUR');
});

test.for([
  ['IBAN;Valuta Date;Text;Credit/Debit Amount;Balance EUR;Booked At', 'b'],
  ['IBAN;Valuation date;Text;Amount;Balance EUR;Booking date', 'b'],
] as const)('of %j the day of booking counts', ([header]) => {
  const rows = ['x;30.11.2026;a;-12.30;87.70;20.11.2026', 'x;30.11.2026;b;-1.00;100.00;19.11.2026'];
  expect(told(table(header, ...rows))).toMatchObject([
    [null, 'EUR', { '11-19': 10_000, '11-20': 8770 }],
  ]);
});

test('amounts with their taxes count', () => {
  const days = withKnown(
    ...(['2026-11-18', '100,00'] as const),
    'Date;Libellé;Montant HT;TVA;Montant TTC',
    '20/11/2026;Achat;-10,00;-2,00;-12,00',
    '19/11/2026;Achat;-20,00;-4,00;-24,00',
  );
  expect(days).toMatchObject([[null, 'EUR', { '11-20': 6400 }]]);
});

test.for([
  ['Date completed (UTC),Date completed (Europe/Paris)', '2026-11-19 23:30:00,2026-11-20 00:30:00'],
  [
    "Date de l'opération (UTC),Date de l'opération (local)",
    '19-11-2026 23:30:00,20-11-2026 00:30:00',
  ],
  ['Date completed (UTC),Heure', '2026-11-19 23:30:00,23:30'],
  ['Date,Heure', '2026-11-19T23:30:00Z,23:30'],
] as const)('under %j, late in the evening of UTC is the next day in Paris', ([dates, written]) => {
  const accounts = table(`${dates},Description,Amount,Balance`, `${written},x,285.00,1520.44`);
  expect(told(accounts)).toEqual([[null, 'EUR', { '11-20': 152_044 }]]);
});

test('a header below a row with a day is the first one, and not that of a next page', () => {
  const accounts = table(
    'Dernier solde;1.234,56 EUR',
    'Date/heure du dernier solde;20/11/2026 15:16:12',
    ';',
    'Compte;Date de comptabilisation;Compte contrepartie;Nom contrepartie;Transaction;Montant;Devise',
    'BE68 5390 0754 7034;20/11/2026;BE71 0961 2345 6769;X;VIR;-12,30;EUR',
    'BE68 5390 0754 7034;19/11/2026;;;CB;-2,30;EUR',
  );
  expect(told(accounts)).toEqual([
    ['BE68539007547034', 'EUR', { '11-19': 124_686, '11-20': 123_456 }],
  ]);
});

test.for(['Date de débit', 'Carte de crédit', 'Compte débité', 'Nom débiteur', 'Creditor ID'])(
  'the column %j holds no amount',
  (heading) => {
    const accounts = table(
      `Date;${heading};Libellé;Montant;Solde`,
      '20/11/2026;30/11/2026;a;-1,00;9,00',
    );
    expect(told(accounts)).toEqual([[null, 'EUR', { '11-20': 900 }]]);
  },
);

test.for(['Sorties;Entrées', 'Retraits;Dépôts', 'Dépenses;Recettes'])(
  'under %j stand debits and credits',
  (headings) => {
    const days = withKnown(
      ...(['2026-11-18', '100,00'] as const),
      `Date;Libellé;${headings}`,
      '19/11/2026;a;12,00;',
      '20/11/2026;b;;2,00',
    );
    expect(days).toMatchObject([[null, 'EUR', { '11-19': 8800, '11-20': 9000 }]]);
  },
);

test.for([
  [1500, 150_000],
  [-1234.5, -123_450],
] as const)('a workbook states a balance of %d as a number', ([amount, minor]) => {
  const rows = [
    ...[['Compte n° 12345678901'], ['Solde au 20/11/2026', amount]],
    ...[
      ['Date', 'Libellé', 'Débit', 'Crédit'],
      ['20/11/2026', 'CB', 12.3, null],
    ],
  ];
  const { accounts } = readStatement(workbook([{ name: 'Compte', rows }]));
  expect(told(accounts)).toEqual([['12345678901', 'EUR', { '11-20': minor }]]);
});

test('a stated balance in its three cells is none of the column of debits that it stands in', () => {
  const rows = ['Date;Libellé;Débit;Crédit', '20/11/2026;a;12,30;'];
  const accounts = table('Solde au;20/11/2026;1 234,56', ...rows);
  expect(told(accounts)).toEqual([[null, 'EUR', { '11-20': 123_456 }]]);
});

test('nothing is written as a dash in the accounting format', () => {
  const accounts = table(
    'Date;Libellé;Débit;Crédit;Solde',
    '19/11/2026;a;-;100,00 €;100,00 €',
    '20/11/2026;b;12,30 €;-   €;87,70 €',
  );
  expect(told(accounts)).toEqual([[null, 'EUR', { '11-19': 10_000, '11-20': 8770 }]]);
});

test('a column of balances that is blank throughout leaves the stated one', () => {
  const accounts = table(
    'Solde au 20/11/2026 : 1 234,56',
    'Date;Libellé;Montant;Solde',
    '19/11/2026;a;-1,00;',
    '20/11/2026;b;-2,00;',
  );
  expect(told(accounts)).toEqual([[null, 'EUR', { '11-19': 123_656, '11-20': 123_456 }]]);
});

test('the day and the currency of a balance are none', () => {
  const days = table('Date du solde;Compte;Solde', '20/11/2026;12345678901;1 234,56');
  expect(told(days)).toEqual([['12345678901', 'EUR', { '11-20': 123_456 }]]);
  const currencies = table(
    'Date;Libellé;Devise;Montant;Solde;Devise du solde',
    '19/11/2026;a;USD;-1,00;100,00;EUR',
    '20/11/2026;b;EUR;-2,00;98,00;EUR',
  );
  expect(told(currencies)).toEqual([[null, 'EUR', { '11-19': 10_000, '11-20': 9800 }]]);
});

test('a deferred card below its account has no balance and is left out', () => {
  const accounts = table(
    'Compte de Dépôt n° 12345678901;',
    'Solde au 20/11/2026 1 234,56 €',
    'Date;Libellé;Débit euros;Crédit euros;',
    '20/11/2026;PAIEMENT;12,30;;',
    'Carte Gold Mastercard n° XXXX XXXX XXXX 1234;',
    'Date;Libellé;Débit euros;Crédit euros;',
    '19/11/2026;RESTO;45,00;;',
  );
  expect(told(accounts)).toEqual([['12345678901', 'EUR', { '11-20': 123_456 }]]);
});

test.for([
  'ABNANL2A\n940\nABNANL2A\n:20:ABN AMRO\n:25:500010517\n:60F:C261119EUR100,00\n:62F:C261120EUR87,70\n',
  `${'0130004    00823EUR2 00012345678  191126'.padEnd(90)}0000000010000{\n`,
  '<table><tr><td>Date</td></tr></table>',
])('what is no statement that can be read says so: %j', (content) => {
  expect(() => readStatement(text(content))).toThrow('lisible ici');
});
