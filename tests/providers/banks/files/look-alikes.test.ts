import { expect, test } from 'vitest';
import { table, tableOf, told, withKnown } from './statements.ts';

/** Tables that look like those of `real-exports`, and mean something else. */

test('an account behind the name of the other party is an account', () => {
  const rows = ['20/11/2026;X;Courant;-10,00;90,00', '20/11/2026;Y;Livret;5,00;500,00'] as const;
  const accounts = table('Date;Tiers;Compte;Montant;Solde', ...rows);
  expect(accounts.map(({ name }) => name)).toEqual(['Courant', 'Livret']);
});

test('without movements, a column of kinds is the sign of the balance', () => {
  const rows = ['12345678901;20/11/2026;140,00;Débiteur', '12345678902;20/11/2026;1,00;Créditeur'];
  const accounts = table('Compte;Date;Solde;Nature', ...rows);
  expect(accounts.map(({ balances }) => balances[0]?.minor)).toEqual([-14_000, 100]);
});

test('a dash is no balance', () => {
  const rows = ['19/11/2026;10,00 €;-   €;140,00 €', '20/11/2026;140,00 €;-   €;-   €'];
  expect(() => table('Date;Débit;Crédit;Solde', ...rows)).toThrow('montant illisible');
});

test.for([
  ['Date;Libellé;Débit;Crédit', '20/11/2026;a;12,30;', 'Solde au;20/11/2026;150,00;'],
  ['Date;20/11/2026', 'Solde de points;1500', 'Date;Libellé;Débit;Crédit', '20/11/2026;a;12,30;'],
  [
    'Date;20/11/2026',
    'Solde du compte;1234567',
    'Date;Libellé;Débit;Crédit',
    '20/11/2026;a;12,30;',
  ],
] as const)('what may be another amount is asked for: %j', (lines) => {
  expect(tableOf(lines)).toEqual([]);
});

test('a stated balance stands beside other numbers', () => {
  const rows = ['Date;Libellé;Débit;Crédit', '20/11/2026;a;12,30;'];
  const accounts = table('Solde au 20/11/2026;1 234,56;12345', ...rows);
  expect(told(accounts)).toEqual([[null, 'EUR', { '11-20': 123_456 }]]);
});

test.for([
  ['Date (UTC+1)', '2026-11-19 23:30:00'],
  ['Date (UTC)', '2026-11-19 23:59:59'],
  ['Date', '2026-11-19T23:59:59Z'],
] as const)('under %j, %j is of its own day', ([heading, written]) => {
  const accounts = table(`${heading},Description,Amount,Balance`, `${written},x,1.00,2.00`);
  expect(accounts[0]?.balances[0]?.day).toBe('2026-11-19');
});

test('what waits to be reconciled in accounting is booked', () => {
  const days = withKnown(
    ...(['2026-11-18', '100,00'] as const),
    'Date;Libellé;Montant;Statut',
    '19/11/2026;a;-10,00;En attente',
    '20/11/2026;b;-20,00;Rapproché',
  );
  expect(days).toMatchObject([[null, 'EUR', { '11-19': 9000, '11-20': 7000 }]]);
});

test.for(['Montant débiteur;Montant créditeur', 'Débit;Crédit'])(
  'under %j both amounts are read',
  (headings) => {
    const days = withKnown(
      ...(['2026-11-18', '100,00'] as const),
      `Date;Libellé;${headings}`,
      '19/11/2026;a;12,00;0,00',
      '20/11/2026;b;0,00;2,00',
    );
    expect(days).toMatchObject([[null, 'EUR', { '11-19': 8800, '11-20': 9000 }]]);
  },
);

test.for([
  ['Date;Libellé;Dépenses;Montant;Solde', '20/11/2026;a;Courses;-1,00;9,00'],
  ['Valuta Date;Text;Montant;Solde', '20/11/2026;a;-1,00;9,00'],
  ['Date;Libellé;Montant (HT=TTC);Solde', '20/11/2026;a;-1,00;9,00'],
] as const)('%j is read with what it has', ([header, row]) => {
  expect(told(table(header, row))).toEqual([[null, 'EUR', { '11-20': 900 }]]);
});

test('an account of another country is in euros where the file says so above', () => {
  const rows = ['Date;Libellé;Montant', '20/11/2026;a;-1,00'];
  const lines = ['IBAN;CH9300762011623852957', 'Solde au 20/11/2026;100,00 €', ...rows];
  expect(tableOf(lines).map(({ currency }) => currency)).toEqual(['EUR']);
});

test('an account with a number of its own is none of a card, whatever stands above it', () => {
  const header = 'Date;Libellé;Débit;Crédit';
  const lines = [
    ...['Compte n° 12345678901', 'Solde au 20/11/2026 : 1,00', header, '20/11/2026;a;1,00;'],
    ...['Compte joint n° 12345678902 ; Carte Visa ****1234', header, '20/11/2026;b;1,00;'],
  ];
  expect(() => tableOf(lines)).toThrow('solde');
});
