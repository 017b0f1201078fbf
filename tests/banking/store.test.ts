import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { createCallLimiter } from '../../src/server/banking/call-limits/queries.ts';
import { createBankRefreshes } from '../../src/server/banking/refreshing/refreshes.ts';
import { findReadableLink } from '../../src/server/banking/source-links/queries.ts';
import { bridgeQuota } from '../../src/server/providers/banks/bridge/definition.ts';
import { BankSourceError } from '../../src/server/providers/banks/failures.ts';
import type { BankSource } from '../../src/server/providers/banks/port.ts';
import { type Application, startApplication } from '../support/application.ts';
import type { Person } from '../support/person.ts';
import { accountIdOf, addCustomer, asked, connectionIdOf } from './customer.ts';
import { scriptedSource } from './scripted-source.ts';

let app: Application;
beforeAll(async () => {
  app = await startApplication();
});
// Together these tests ask more of the bank than one application may in so short a time.
beforeEach(() => app.services.database.sql.deleteFrom('bank_calls').execute());
afterAll(() => app.close());

async function useUpCalls(person: Person): Promise<void> {
  const allow = createCallLimiter(app.services.database, { kind: 'bridge', quota: bridgeQuota });
  const user = await findReadableLink(app.services, person.id, 'bridge');
  for (let call = 0; call < 60; call += 1) await allow(user?.providerUserId ?? '', 'act');
}

test('what was read is answered at once, without asking the bank', async () => {
  const { person, itemId } = await addCustomer(app);
  expect((await person.get('/bridge/items?stored=1')).body).toEqual([]);
  const { body: items } = await person.get('/bridge/items');
  const { body: accounts } = await person.get('/bridge/accounts');
  app.bank.control.clearRequests();
  expect((await person.get('/bridge/items?stored=1')).body).toEqual(items);
  expect((await person.get('/bridge/accounts?stored=1')).body).toEqual(accounts);
  expect(items).toMatchObject([{ id: await connectionIdOf(app, itemId) }]);
  expect(app.bank.control.requests()).toEqual([]);
});

test('an empty store says whether it was ever filled', async () => {
  const person = await app.signUp();
  await person.get('/bridge/items/connect');
  expect((await person.get('/bridge/items?stored=1')).headers.get('last-modified')).toBeNull();
  await person.get('/bridge/items');
  expect((await person.get('/bridge/items?stored=1')).headers.get('last-modified')).toBe(
    app.clock.now().toUTCString(),
  );
});

test('while the bank does not answer the last figures are shown, with their own hour', async () => {
  const { person } = await addCustomer(app);
  const { body: before } = await person.get('/bridge/accounts');
  app.bank.control.addFault({ match: '/v3/aggregation/', kind: 'status', status: 503 });
  const { status, body } = await person.get('/bridge/accounts');
  const { status: asFresh } = await person.get('/bridge/accounts?fresh=1');
  app.bank.control.clearFaults();
  expect([status, body, asFresh]).toEqual([200, before, 503]);
  expect(body[0].updated_at).toMatch(/^\d{4}-/);
});

test('who has just used up the calls of a minute is shown what was read in it', async () => {
  const { person } = await addCustomer(app);
  const { body: before } = await person.get('/bridge/accounts');
  // Of a source that pages do not read, whatever its figures are dated.
  const earlier = new Date(app.clock.now().getTime() - 86_400_000);
  await app.services.database.sql
    .insertInto('bank_refreshes')
    .values({ user_id: person.id, source: 'enablebanking', refreshed_at: earlier })
    .execute();
  await useUpCalls(person);
  app.bank.control.clearRequests();
  expect(await person.get('/bridge/accounts?fresh=1')).toMatchObject({ status: 200, body: before });
  app.clock.advance({ minutes: 3 });
  expect((await person.get('/bridge/accounts?fresh=1')).status).toBe(503);
  expect((await person.get('/bridge/accounts')).status).toBe(200);
  expect(app.bank.control.requests()).toEqual([]);
});

test.for(['is no longer linked', 'refuses the credentials'])(
  'who has just used up the calls of a minute is shown it also beside a service that %s',
  async (which) => {
    const { person } = await addCustomer(app);
    await person.get('/bridge/accounts');
    const sources = app.services.bankSources as Map<string, BankSource>;
    const read = () => Promise.reject(new BankSourceError('credentials', 'revoked'));
    sources.set('script', scriptedSource({ read }));
    onTestFinished(() => void sources.delete('script'));
    const { sql } = app.services.database;
    const link = { user_id: person.id, source: 'script' };
    const earlier = new Date(app.clock.now().getTime() - 86_400_000);
    await sql
      .insertInto('bank_refreshes')
      .values({ ...link, refreshed_at: earlier })
      .execute();
    if (which === 'refuses the credentials') {
      await sql
        .insertInto('bank_links')
        .values({ ...link, created_at: earlier })
        .execute();
    }
    await useUpCalls(person);
    expect((await person.get('/bridge/accounts?fresh=1')).status).toBe(200);
    app.clock.advance({ minutes: 3 });
    expect((await person.get('/bridge/accounts?fresh=1')).status).toBe(503);
  },
);

test('questions about unknown banks stay within the limit of calls, and leave room to act', async () => {
  const { person, itemId } = await addCustomer(app);
  await person.get('/bridge/items');
  const id = await connectionIdOf(app, itemId);
  app.bank.control.clearRequests();
  const answers = new Set<number>();
  for (let tries = 0; tries < bridgeQuota.perUser.reading; tries += 1) {
    answers.add((await person.delete(`/bridge/items/${id + 1}`)).status);
  }
  expect(answers).toEqual(new Set([204]));
  const calls = app.bank.control.requests().length;
  expect(calls).toBeGreaterThan(bridgeQuota.perUser.reading / 2);
  expect(calls).toBeLessThanOrEqual(bridgeQuota.perUser.reading);
  app.clock.advance({ minutes: 3 });
  expect((await person.delete(`/bridge/items/${id + 1}`)).status).toBe(503);
  expect((await person.delete(`/bridge/items/${id}`)).status).toBe(204);
});

test('a page that asks for banks and accounts at once costs two calls', async () => {
  const { person } = await addCustomer(app);
  await person.get('/bridge/items');
  app.bank.control.clearRequests();
  // A busy machine takes up what is sent at once one long after the other: for this clock it is at once,
  // and the bank waits for the third.
  const { bankRefreshes, bankSources } = app.services;
  const source = bankSources.get('bridge');
  if (!source) throw new Error('no source');
  const { read } = source;
  onTestFinished(() => {
    app.services.bankRefreshes = bankRefreshes;
    source.read = read;
  });
  const [refreshes, third] = [
    createBankRefreshes(app.services, () => 0),
    Promise.withResolvers<void>(),
  ];
  let count = 0;
  app.services.bankRefreshes = {
    refresh(...given) {
      count += 1;
      if (count === 3) third.resolve();
      return refreshes.refresh(...given);
    },
  };
  source.read = async (...given) => {
    await third.promise;
    return await read(...given);
  };
  await Promise.all([
    person.get('/bridge/items'),
    person.get('/bridge/accounts'),
    person.get('/bridge/accounts?types[]=checking'),
  ]);
  expect([asked(app, 'items'), asked(app, 'accounts')]).toEqual([1, 1]);
});

test('somebody without a bank costs one call', async () => {
  const person = await app.signUp();
  await person.get('/bridge/items/connect');
  app.bank.control.clearRequests();
  await person.get('/bridge/accounts');
  expect([asked(app, 'items'), asked(app, 'accounts')]).toEqual([1, 0]);
});

test('an account without a balance, at zero, at minus zero or of thirteen digits is kept as it is', async () => {
  const { person, accounts } = await addCustomer(app);
  const given = [
    { balance: null, accounting_balance: null },
    { balance: -0 },
    { balance: 1_234_567_890_123.45 },
    { balance: 1500, currency_code: 'JPY' },
  ];
  for (const [index, fields] of given.entries()) {
    app.bank.control.setAccount(accounts[index] ?? 0, fields);
  }
  await person.get('/bridge/accounts');
  const { body } = await person.get('/bridge/accounts?stored=1');
  const ids = await Promise.all(accounts.map((account) => accountIdOf(app, account)));
  const figures = ids.map((id) => body.find((one: { id: number }) => one.id === id));
  expect(figures.map((one) => [one.balance, one.currency_code])).toEqual([
    [null, 'EUR'],
    [0, 'EUR'],
    [1_234_567_890_123.45, 'EUR'],
    [1500, 'JPY'],
  ]);
  expect(Object.is(figures[1].balance, 0)).toBe(true);
  const { body: histories } = await person.get('/bridge/balances');
  expect(histories.map((one: { account: { id: number } }) => one.account.id)).toEqual(ids.slice(1));
});

test.for([
  ['<!channel>', '<!channel>'],
  ['*a_b~', '*a_b~'],
  ['', 'Compte'],
  ['é'.repeat(200), 'é'.repeat(200)],
  ['Nul\u0000 part', 'Nul part'],
  ['Moitié \ud83d', 'Moitié \ufffd'],
] as const)('an account named %j is read and stored', async ([name, shown]) => {
  const { person, accounts } = await addCustomer(app);
  app.bank.control.setAccount(accounts[0] ?? 0, { name });
  expect((await person.get('/bridge/accounts')).status).toBe(200);
  const { body } = await person.get('/bridge/accounts?stored=1');
  const id = await accountIdOf(app, accounts[0]);
  expect(body.find((one: { id: number }) => one.id === id).name).toBe(shown);
});

test('absurd moments do not stand in the way of a figure', async () => {
  const { person, accounts } = await addCustomer(app);
  app.bank.control.setAccount(accounts[0] ?? 0, { updated_at: '0000-01-01T00:00:00Z' });
  app.bank.control.setAccount(accounts[1] ?? 0, { updated_at: '9999-12-31T23:59:59Z' });
  const { status, body } = await person.get('/bridge/accounts');
  expect([status, body[0].updated_at]).toEqual([200, null]);
  const { body: days } = await person.get(
    `/bridge/accounts/${await accountIdOf(app, accounts[1])}/balances`,
  );
  expect(days.map(({ day }: { day: string }) => day)).toEqual(['2026-01-12']);
});

test('an account that is no longer listed is hidden, and comes back with its history', async () => {
  const { person, accounts } = await addCustomer(app);
  const [account = 0] = accounts;
  await person.get('/bridge/accounts');
  const id = await accountIdOf(app, account);
  app.bank.control.setAccount(account, { data_access: 'disabled' });
  const listed = async () =>
    (await person.get('/bridge/accounts')).body.some((one: { id: number }) => one.id === id);
  expect(await listed()).toBe(false);
  expect((await person.get(`/bridge/accounts/${id}/balances`)).status).toBe(404);
  app.bank.control.setAccount(account, { data_access: 'enabled' });
  expect(await listed()).toBe(true);
  expect((await person.get(`/bridge/accounts/${id}/balances`)).body).toHaveLength(1);
});

test('accounts stay while their bank is synchronised again', async () => {
  const { person, itemId } = await addCustomer(app);
  const { body: before } = await person.get('/bridge/accounts');
  const readyAt = new Date(app.clock.now().getTime() + 60_000).toISOString();
  app.bank.control.setItem(itemId, { syncing: -3, readyAt });
  const { body } = await person.get('/bridge/accounts');
  expect(body).toHaveLength(before.length);
  expect(body[0]).toMatchObject({ status: -3, balance: before[0].balance });
});

test('three hundred accounts are read and stored', async () => {
  const { person, itemId } = await addCustomer(app);
  for (let round = 0; round < 37; round += 1) app.bank.control.addEdgeCaseAccounts(itemId);
  const { body } = await person.get('/bridge/accounts');
  expect(body.length).toBeGreaterThan(250);
  expect((await person.get('/bridge/accounts?stored=1')).body).toEqual(body);
});
