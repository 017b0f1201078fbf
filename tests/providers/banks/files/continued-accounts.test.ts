import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { changeSecret } from '../../../../src/server/banking/source-links/queries.ts';
import { readStatementOf } from '../../../../src/server/banking/statements/reading.ts';
import type { Person } from '../../../support/person.ts';
import { accounts, app, clock, later, lcl, sample, send, setUpFiles } from './fixture.ts';
import { text } from './statements.ts';

setUpFiles();
beforeAll(() => clock.set('2026-11-22T08:00:00Z'));

test('names of an account in another currency continue it in no way', async () => {
  const bo = await app.signUp();
  const table = (currency: string, balance: string) =>
    `Date;Libellé;Solde;Devise\n20/11/2026;a;${balance};${currency}\n`;
  const names = [{ bank: 'Ma banque', name: 'Compte' }];
  expect((await send('statements', table('EUR', '10,00'), { names }, bo)).status).toBe(201);
  const dollars = table('USD', '7,00');
  const { body } = await send('previews', dollars, {}, bo);
  expect(body.accounts).toMatchObject([{ isKnown: false, currency_code: 'USD' }]);
  for (const announced of [undefined, [null]]) {
    const given = { names, ...(announced && { announced }) };
    const refused = await send('statements', dollars, given, bo);
    expect([refused.status, refused.body.message]).toEqual([
      422,
      'Ce fichier est en USD, et le compte «\u202fCompte\u202f» en EUR. Donnez un autre nom.',
    ]);
  }
  expect(await accounts(bo)).toMatchObject([{ balance: 10, currency_code: 'EUR' }]);
  const other = [{ bank: 'Ma banque', name: 'Dollars' }];
  expect((await send('statements', dollars, { names: other }, bo)).status).toBe(201);
  expect(await accounts(bo)).toMatchObject([{ currency_code: 'EUR' }, { currency_code: 'USD' }]);
});

test('savings beside a current account are kept and not shown, but where they were before', async () => {
  const both = await sample('banque-populaire-2.ofx');
  const bo = await app.signUp();
  const { body } = await send('previews', both, {}, bo);
  expect(body.accounts).toMatchObject([
    { name: 'Compte courant', isCurrent: true },
    { name: "Compte d'épargne", isCurrent: false },
  ]);
  const names = body.accounts.map(({ bank, name }: (typeof lcl)[0]) => ({ bank, name }));
  expect((await send('statements', both, { names }, bo)).status).toBe(201);
  expect(await accounts(bo)).toMatchObject([{ name: 'Compte courant', balance: -52.1 }]);
  expect((await bo.get('/bridge/items')).body).toMatchObject([{ other_accounts: 1 }]);
  // Whoever imports it alone means it, and it stays.
  const savingsOnly = both.replace(/<STMTTRNRS>[\s\S]*?<\/STMTTRNRS>/, '');
  expect((await send('statements', savingsOnly, { names: names.slice(1) }, bo)).status).toBe(201);
  expect(await accounts(bo)).toMatchObject([{ balance: -52.1 }, { balance: 8000 }]);
  const cy = await app.signUp();
  expect((await send('statements', savingsOnly, { names: names.slice(1) }, cy)).status).toBe(201);
  expect(await accounts(cy)).toMatchObject([{ balance: 8000 }]);
  expect((await send('statements', both, { names }, cy)).status).toBe(201);
  expect(await accounts(cy)).toMatchObject([{ balance: 8000 }, { balance: -52.1 }]);
});

const table = (balance: string, day = '20/11/2026') => `Date;Libellé;Solde\n${day};a;${balance}\n`;

test('a bank and a name that are cut elsewhere are another account', async () => {
  const bo = await app.signUp();
  const [one, other] = [
    { bank: 'A/B', name: 'C' },
    { bank: 'A', name: 'B/C' },
  ];
  await send('statements', table('10,00'), { names: [one] }, bo);
  // As an earlier version stored it.
  const source_id = createHash('sha256').update('a/b/c').digest('hex').slice(0, 32);
  await app.services.database.sql
    .updateTable('bank_accounts')
    .set({ source_id })
    .where('user_id', '=', bo.id)
    .execute();
  expect((await send('statements', table('20,00'), { names: [other] }, bo)).status).toBe(201);
  expect((await send('statements', table('11,00'), { names: [one] }, bo)).status).toBe(201);
  expect(await accounts(bo)).toMatchObject([
    { bank: { name: 'A/B' }, name: 'C', balance: 11 },
    { bank: { name: 'A' }, name: 'B/C', balance: 20 },
  ]);
  // Its number is told for the first time.
  const camt = await later('1300.00', '2026-11-21');
  expect((await send('statements', camt, { names: [one] }, bo)).status).toBe(201);
  expect(await accounts(bo)).toMatchObject([{ balance: 1300 }, { balance: 20 }]);
});

test('a file with a number goes on with the account of a file without one, under its names', async () => {
  const bo = await app.signUp();
  expect((await send('statements', table('10,00'), { names: lcl }, bo)).status).toBe(201);
  const [{ id }] = await accounts(bo);
  const camt = await later('1300.00', '2026-11-21');
  // Nothing in the file says that it is of the same account.
  expect((await send('previews', camt, {}, bo)).body.accounts).toMatchObject([{ isKnown: false }]);
  const refused = await send('statements', camt, { names: lcl, announced: [null] }, bo);
  expect([refused.status, refused.body.code]).toEqual([409, 'Statement_Of_Known_Account']);
  const named = (await send('previews', camt, { names: lcl }, bo)).body.accounts;
  expect(named).toMatchObject([{ isKnown: true, accountId: id }]);
  const given = { names: lcl, announced: [id] };
  expect((await send('statements', camt, given, bo)).status).toBe(201);
  expect(await accounts(bo)).toMatchObject([{ id, balance: 1300 }]);
  const { body: days } = await bo.get(`/bridge/accounts/${id}/balances`);
  expect(days.map(({ balance }: { balance: number }) => balance)).toEqual([10, 1300]);
  // From now on its number is known, and that of another account is another one.
  const next = (await send('previews', await later('1310.00', '2026-11-21'), {}, bo)).body;
  expect(next.accounts).toMatchObject([{ isKnown: true, accountId: id }]);
  const other = camt.replace('0000157841Z', '0000257841Z');
  expect((await send('statements', other, { names: lcl }, bo)).status).toBe(201);
  expect(await accounts(bo)).toHaveLength(2);
});

test('a file without a number goes on with the account of a file with one, under its names', async () => {
  const bo = await app.signUp();
  await send('statements', await later('900.00', '2026-11-19'), { names: lcl }, bo);
  const [{ id }] = await accounts(bo);
  expect((await send('statements', table('10,00'), { names: lcl }, bo)).status).toBe(201);
  expect(await accounts(bo)).toMatchObject([{ id, balance: 10 }]);
  const again = (await send('previews', table('11,00', '21/11/2026'), {}, bo)).body.accounts;
  expect(again).toMatchObject([{ isKnown: true, accountId: id }]);
});

test('a file with two statements of one account is imported again and again as that account', async () => {
  const bo = await app.signUp();
  const ofx = await sample('credit-agricole-1.ofx');
  const one = /<STMTRS>[\s\S]*<\/STMTRS>/.exec(ofx)?.[0] ?? '';
  const both = ofx.replace(one, one.replaceAll('20261120', '20261119') + one);
  for (const file of [ofx, both, both])
    expect((await send('statements', file, { names: lcl }, bo)).status).toBe(201);
  expect(await accounts(bo)).toHaveLength(1);
});

test('accounts of two banks that call them the same are two, each found by its own file', async () => {
  const bo = await app.signUp();
  const one = 'Date;Compte;Libellé;Solde\n19/11/2026;Compte courant;a;100,00\n';
  const other = 'Date opération;Compte;Nature;Solde\n20/11/2026;Compte courant;b;9000,00\n';
  const names = [{ bank: 'Banque A', name: 'Courant' }];
  expect((await send('statements', one, { names }, bo)).status).toBe(201);
  const { body } = await send('previews', other, {}, bo);
  expect(body.accounts).toMatchObject([{ name: 'Compte courant', isKnown: false }]);
  const elsewhere = [{ bank: 'Banque B', name: 'Courant' }];
  expect((await send('statements', other, { names: elsewhere }, bo)).status).toBe(201);
  expect(await accounts(bo)).toMatchObject([{ balance: 100 }, { balance: 9000 }]);
  for (const [file, bank] of [
    [one, 'Banque A'],
    [other, 'Banque B'],
  ] as const) {
    const again = (await send('previews', file, {}, bo)).body.accounts;
    expect(again).toMatchObject([{ bank, name: 'Courant', isKnown: true }]);
  }
});

test('accounts of one bank are found by what its files call them', async () => {
  const bo = await app.signUp();
  const file = (...called: string[]) =>
    `Date;Compte;Solde\n${called.map((one) => `20/11/2026;${one};1,00\n`).join('')}`;
  const importOf = (called: string, name: string) =>
    send('statements', file(called), { names: [{ bank: 'Banque', name }] }, bo);
  expect((await importOf('Principal', 'Courant')).status).toBe(201);
  const fresh = (await send('previews', file('TVA'), {}, bo)).body.accounts;
  expect(fresh).toMatchObject([{ name: 'TVA', isKnown: false }]);
  expect((await importOf('TVA', 'Taxes')).status).toBe(201);
  const both = (await send('previews', file('TVA', 'Neuf', 'Principal'), {}, bo)).body.accounts;
  expect(both).toMatchObject([
    { bank: 'Banque', name: 'Taxes', isKnown: true },
    { name: 'Neuf', isKnown: false },
    { bank: 'Banque', name: 'Courant', isKnown: true },
  ]);
});

test.for(['first', 'last'] as const)(
  'an account is one where a file says its number without the bank and the branch, that one being the %s',
  async (order) => {
    const bo = await app.signUp();
    const short = `Compte courant n° 0000157841Z;\n\n${table('10,00', '19/11/2026')}`;
    const full = await later('900.00', '2026-11-20');
    const [one, two] = order === 'first' ? [short, full] : [full, short];
    await send('statements', one, { names: [{ bank: 'LCL', name: 'Courant' }] }, bo);
    const [{ id }] = await accounts(bo);
    for (const file of [two, one, two]) {
      const { body } = await send('previews', file, {}, bo);
      expect(body.accounts).toMatchObject([{ isKnown: true, accountId: id }]);
      expect((await send('statements', file, { names: lcl }, bo)).status).toBe(201);
    }
    expect(await accounts(bo)).toMatchObject([{ id, balance: 900 }]);
    const elsewhere = full.replace('30002', '30003');
    expect((await send('previews', elsewhere, {}, bo)).body.accounts).toMatchObject([
      { isKnown: false },
    ]);
  },
);

test('tables that a person imports at the same moment are both remembered', async () => {
  const eve = await app.signUp();
  const asked = { columns: null, sheet: null };
  const readingOf = (heading: string) =>
    readStatementOf(
      app.services,
      eve.id,
      'files',
      text(`Date;${heading};Solde\n20/11/2026;a;5,00\n`),
      asked,
    );
  const readings = [await readingOf('Libellé'), await readingOf('Détail')];
  await Promise.all(readings.map(({ remember }) => remember(lcl)));
  for (const heading of ['Libellé', 'Détail']) {
    expect((await readingOf(heading)).memory?.earlierNames).toEqual([lcl]);
  }
});

describe('accounts without a number whose tables have the same columns', () => {
  const table = (...rows: [day: string, balance: string][]) =>
    `Date;Libellé;Solde\n${rows.map(([day, balance]) => `${day}/11/2026;a;${balance}\n`).join('')}`;
  const current = { bank: 'Crédit Mutuel', name: 'Compte pro' };
  const taxes = { bank: 'Caisse Sud', name: 'Compte TVA' };
  const proposed = async (person: Person, file: string, query = {}) => {
    const { bank, name, isKnown } = (await send('previews', file, query, person)).body.accounts[0];
    return isKnown ? { bank, name } : null;
  };

  /** Both with the same days, and other balances. */
  async function addBoth() {
    const person = await app.signUp();
    const [pro, tax] = [
      table(['17', '48000,00'], ['18', '47000,00']),
      table(['17', '2500,00'], ['18', '3000,00']),
    ];
    expect((await send('statements', pro, { names: [current] }, person)).status).toBe(201);
    return { person, pro, tax };
  }

  test('are told apart by what their days say', async () => {
    const { person, pro, tax } = await addBoth();
    expect(await proposed(person, tax)).toBeNull();
    expect((await send('statements', tax, { names: [taxes] }, person)).status).toBe(201);
    expect(await proposed(person, table(['18', '47000,00'], ['20', '49000,00']))).toEqual(current);
    expect(await proposed(person, table(['18', '3000,00'], ['20', '2900,00']))).toEqual(taxes);
    expect(await proposed(person, pro)).toEqual(current);
    // Of a third account, or later than both: nothing says of which.
    expect(await proposed(person, table(['17', '5,00'], ['18', '7,00']))).toBeNull();
    expect(await proposed(person, table(['20', '49000,00']))).toBeNull();
  });

  test('are told apart by the bank that is edited, unless their days say more', async () => {
    const { person, pro, tax } = await addBoth();
    await send('statements', tax, { names: [taxes] }, person);
    const later = table(['20', '49000,00']);
    for (const { id, bank } of (await person.get('/bridge/items')).body) {
      const expected = bank.name === current.bank ? current : taxes;
      expect(await proposed(person, later, { connection: id })).toEqual(expected);
      expect(await proposed(person, tax, { connection: id })).toEqual(taxes);
      expect(await proposed(person, pro, { connection: id })).toEqual(current);
    }
  });

  test('have no names proposed where nothing is certain, so that none is made by a press', async () => {
    const { person, tax } = await addBoth();
    await send('statements', tax, { names: [taxes] }, person);
    const third = table(['20', '49000,00']);
    const { body } = await send('previews', third, {}, person);
    expect(body.accounts).toMatchObject([{ bank: '', name: '', isUncertain: true }]);
    const names = [{ bank: '', name: '' }];
    expect((await send('statements', third, { names }, person)).status).toBe(400);
  });

  test.each([
    ['days between the stored ones', table(['16', '2500,00'], ['19', '3000,00'])],
    ['one day alike and others not', table(['15', '9,00'], ['17', '48000,00'], ['19', '3000,00'])],
  ])('are not the only known one by %s', async (_what, file) => {
    const person = await app.signUp();
    const known = table(['15', '1,00'], ['17', '48000,00'], ['18', '47000,00'], ['20', '5,00']);
    await send('statements', known, { names: [current] }, person);
    expect(await proposed(person, file)).toBeNull();
  });

  test('are compared by their changes where their balances are counted', async () => {
    const person = await app.signUp();
    const movements = (...rows: [day: string, amount: string][]) =>
      `Date;Libellé;Montant\n${rows.map(([day, amount]) => `${day}/11/2026;a;${amount}\n`).join('')}`;
    const columns = (amount: string) => ({
      ...{ date: 0, balance: null, amount: 2, debit: null, credit: null },
      known: { day: '2026-11-20', amount },
    });
    const mine = movements(['16', '-5,00'], ['17', '-7,00'], ['19', '20,00']);
    const given = { columns: columns('500,00'), names: [current] };
    expect((await send('statements', mine, given, person)).status).toBe(201);
    const wrong = { columns: columns('450,00') };
    expect(await proposed(person, mine, wrong)).toEqual(current);
    const other = movements(['16', '-1,00'], ['17', '-90,00'], ['19', '3,00']);
    expect(await proposed(person, other, { columns: columns('500,00') })).toBeNull();
  });

  test('are found in whatever letters, without those that are deleted, and in their currency', async () => {
    const { person } = await addBoth();
    const inLetters = { bank: 'crédit mutuel', name: 'COMPTE PRO' };
    await send('statements', table(['19', '46000,00']), { names: [inLetters] }, person);
    await send('statements', table(['19', '9,00']), { names: [taxes] }, person);
    const banks = (await person.get('/bridge/items')).body;
    const { id } = banks.find(({ bank }: { bank: { name: string } }) => bank.name === taxes.bank);
    expect((await person.delete(`/bridge/items/${id}`)).status).toBe(204);
    expect(await proposed(person, table(['20', '49000,00']))).toEqual(inLetters);
    const paid = (currency: string, day: string) =>
      `Date;Libellé;Solde;Devise\n${day}/11/2026;a;10,00;${currency}\n`;
    await send('statements', paid('EUR', '18'), { names: [taxes] }, person);
    const dollars = { bank: taxes.bank, name: 'Dollars' };
    await send('statements', paid('USD', '18'), { names: [dollars] }, person);
    expect(await proposed(person, paid('USD', '20'))).toEqual(dollars);
    expect(await proposed(person, paid('EUR', '20'))).toEqual(taxes);
  });

  test('are not forgotten for the one that an earlier version remembered', async () => {
    const { person, tax } = await addBoth();
    await send('statements', tax, { names: [taxes] }, person);
    await changeSecret(app.services, person.id, 'files', (secret) => {
      const tables = Object.entries(JSON.parse(secret ?? '{}') as Record<string, object>);
      return JSON.stringify(
        Object.fromEntries(tables.map(([print, one]) => [print, { ...one, unnamed: undefined }])),
      );
    });
    expect(await proposed(person, table(['20', '49000,00']))).toBeNull();
    expect(await proposed(person, table(['18', '47000,00'], ['20', '1,00']))).toEqual(current);
  });

  test('are continued where there is one, also by a day that went on after its file', async () => {
    const { person } = await addBoth();
    expect(await proposed(person, table(['20', '49000,00']))).toEqual(current);
    expect(await proposed(person, table(['18', '46500,00'], ['20', '49000,00']))).toEqual(current);
  });
});
