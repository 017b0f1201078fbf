import { createHash } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { readStatementOf } from '../../../../src/server/banking/statements/reading.ts';
import { accounts, app, clock, later, lcl, sample, send, setUpFiles } from './fixture.ts';
import { text } from './statements.ts';

setUpFiles();
beforeAll(() => clock.set('2026-11-22T08:00:00Z'));

test('names of an account in another currency continue it in no way', async () => {
  const bo = await app.signUp();
  const table = (currency: string, balance: string) =>
    `Date;Libellé;Solde;Devise\n20/11/2026;a;${balance};${currency}\n`;
  const names = [{ bank: 'Ma banque', name: 'Compte courant' }];
  expect((await send('statements', table('EUR', '10,00'), { names }, bo)).status).toBe(201);
  const dollars = table('USD', '7,00');
  const { body } = await send('previews', dollars, {}, bo);
  const other = [{ bank: 'Ma banque', name: 'Compte courant (USD)' }];
  expect(body.accounts).toMatchObject([{ ...other[0], isKnown: false, currency_code: 'USD' }]);
  for (const announced of [undefined, [null]]) {
    const given = { names, ...(announced && { announced }) };
    const refused = await send('statements', dollars, given, bo);
    expect([refused.status, refused.body.message]).toEqual([
      422,
      'Ce fichier est en USD, et le compte «\u202fCompte courant\u202f» en EUR. Donnez un autre nom.',
    ]);
  }
  expect(await accounts(bo)).toMatchObject([{ balance: 10, currency_code: 'EUR' }]);
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
  expect(body.accounts).toMatchObject([{ name: '', isKnown: false, isUncertain: true }]);
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
