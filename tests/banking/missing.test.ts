import { expect, onTestFinished, test } from 'vitest';
import { listConnections } from '../../src/server/banking/connections/queries.ts';
import { changeSecret } from '../../src/server/banking/source-links/queries.ts';
import type { BankReading, BankSource } from '../../src/server/providers/banks/port.ts';
import { accountIdOf, addCustomer, asked, connectionIdOf } from './customer.ts';
import {
  app,
  list,
  nothing,
  readCustomer,
  setUpReadCustomers,
  shown,
  stored,
  whole,
} from './read-customers.ts';
import { scriptedSource } from './scripted-source.ts';

setUpReadCustomers();

test.for(['items', 'accounts'] as const)(
  'a row of %s that cannot be read fails the reading, and nothing changes',
  async (path) => {
    const { person, itemId } = await readCustomer();
    const { body: before } = await person.get('/bridge/accounts?stored=1');
    list(path, [{ id: 'itm_1', item_id: itemId, status: 0 }]);
    const { status, body } = await person.get('/bridge/items?fresh=1');
    expect([status, body.message]).toEqual([503, expect.stringContaining('liste illisible')]);
    expect((await person.get('/bridge/accounts?stored=1')).body).toEqual(before);
    expect(await stored(person)).toEqual(whole);
  },
);

test('an account that names no connection fails the reading', async () => {
  const { person } = await readCustomer();
  list('accounts', [{ id: 7, name: 'Compte courant', type: 'checking', balance: 1 }]);
  expect((await person.get('/bridge/items?fresh=1')).status).toBe(503);
  expect(await stored(person)).toEqual(whole);
});

test('an empty list hides the bank when nothing more is known, and a whole one brings it back', async () => {
  const { person, itemId } = await readCustomer();
  const { body: before } = await person.get('/bridge/accounts?stored=1');
  list('items', []);
  app.bank.control.addFault({ match: `/items/${itemId}`, kind: 'status', status: 503, times: 1 });
  expect((await person.get('/bridge/items?fresh=1')).body).toEqual([]);
  expect((await person.get('/bridge/accounts?stored=1')).body).toEqual([]);
  expect((await person.get('/bridge/balances')).body).toEqual([]);
  expect(await stored(person)).toEqual(whole);
  expect((await person.get('/bridge/items?fresh=1')).body).toHaveLength(1);
  expect((await person.get('/bridge/accounts?stored=1')).body).toEqual(before);
});

test('a bank that its service still has is not hidden by a list that lacks it', async () => {
  const { person } = await readCustomer();
  list('items', []);
  expect((await person.get('/bridge/items?fresh=1')).body).toHaveLength(1);
  expect(await stored(person)).toEqual(whole);
});

test('a hidden bank is removed by a page that still shows it, at its service too', async () => {
  const { person, itemId } = await readCustomer();
  const id = await connectionIdOf(app, itemId);
  const match = `GET /v3/aggregation/items/${itemId}`;
  app.bank.control.addFault({ match, kind: 'status', status: 503 });
  onTestFinished(() => app.bank.control.clearFaults());
  list('items', []);
  expect((await person.get('/bridge/items?fresh=1')).body).toEqual([]);
  list('items', []);
  expect((await person.delete(`/bridge/items/${id}`)).status).toBe(204);
  expect(await stored(person)).toEqual(nothing);
  expect(app.bank.control.items(person.id)).toEqual([]);
});

test('a bank that the service says is gone is erased, with the figures of past messages', async () => {
  const { person, itemId } = await readCustomer();
  app.bank.control.setItem(itemId, { userUuid: 'nobody' });
  expect((await person.get('/bridge/items?fresh=1')).body).toEqual([]);
  expect(await stored(person)).toEqual(nothing);
});

test('a bank that two readings an hour apart lack is erased, and not before', async () => {
  const { person, itemId } = await readCustomer();
  app.bank.control.setItem(itemId, { userUuid: 'nobody' });
  app.bank.control.addFault({ match: `/items/${itemId}`, kind: 'status', status: 503 });
  for (const minutes of [0, 30, 29]) {
    app.clock.advance({ minutes });
    await person.get('/bridge/items?fresh=1');
    expect(await stored(person)).toEqual(whole);
  }
  app.clock.advance({ minutes: 1 });
  expect((await person.get('/bridge/items?fresh=1')).status).toBe(200);
  expect(await stored(person)).toEqual(nothing);
  app.bank.control.clearFaults();
});

test('a 404 that says nothing of the bank itself is no word about it', async () => {
  const { person, itemId } = await readCustomer();
  app.bank.control.setItem(itemId, { userUuid: 'nobody' });
  app.bank.control.addFault({
    ...{ match: `/items/${itemId}`, kind: 'status', status: 404 },
    body: { errors: [{ code: 'not_found', message: 'No such route.' }] },
  });
  await person.get('/bridge/items?fresh=1');
  expect([await shown(person), await stored(person)]).toEqual([0, whole]);
  app.bank.control.clearFaults();
});

test('many lost banks cost at most ten questions', async () => {
  const { person } = await addCustomer(app);
  for (let more = 0; more < 14; more += 1) app.bank.control.link({ externalUserId: person.id });
  await person.get('/bridge/items');
  app.bank.control.clearRequests();
  list('items', []);
  await person.get('/bridge/items?fresh=1');
  expect(asked(app, 'items')).toBe(1);
  expect(app.bank.control.requests()).toHaveLength(11);
});

test.for([0, 1010, 1003, 402, 1234])(
  'an account that is no longer shared is hidden at once while its bank is at %s',
  async (status) => {
    const { person, itemId, accounts } = await readCustomer();
    const id = await accountIdOf(app, accounts[0]);
    app.bank.control.setItem(itemId, { status });
    app.bank.control.setAccount(accounts[0] ?? 0, { data_access: 'disabled' });
    const { body } = await person.get('/bridge/accounts?fresh=1');
    expect(body).toHaveLength(3);
    expect(body.map((one: { id: number }) => one.id)).not.toContain(id);
  },
);

test.for(['in the reading that hides its bank', 'while its bank is hidden'])(
  'an account that is no longer shared, %s, does not come back with the bank',
  async (when) => {
    const { person, itemId, accounts } = await readCustomer();
    const other = app.bank.control.link({ externalUserId: person.id, providerId: 575 });
    const id = await accountIdOf(app, accounts[0]);
    const readHidden = async () => {
      list('items', [{ id: other, status: 0, provider_id: 575 }]);
      app.bank.control.addFault({
        ...{ match: `/items/${itemId}`, kind: 'status', status: 503, times: 1 },
      });
      expect((await person.get('/bridge/items?fresh=1')).body).toHaveLength(1);
    };
    if (when === 'while its bank is hidden') await readHidden();
    app.bank.control.setAccount(accounts[0] ?? 0, { data_access: 'disabled' });
    await readHidden();
    const { body } = await person.get('/bridge/accounts?fresh=1');
    const numbers = body.map((one: { id: number }) => one.id);
    expect(numbers).toContain(await accountIdOf(app, accounts[1]));
    expect(numbers).not.toContain(id);
  },
);

test('an account that came back with its bank though it is no longer shared is hidden', async () => {
  const { person, accounts } = await readCustomer();
  const id = await accountIdOf(app, accounts[0]);
  app.bank.control.setAccount(accounts[0] ?? 0, { data_access: 'disabled' });
  await app.services.database.sql
    .updateTable('bank_accounts')
    .set({ gone_confirmed: true })
    .where('id', '=', id)
    .execute();
  expect((await person.get('/bridge/accounts?fresh=1')).body).toHaveLength(3);
});

test('a figure that the bank could not renew is as of the last time that it answered', async () => {
  const { person, accounts, itemId } = await readCustomer();
  const id = await accountIdOf(app, accounts[0]);
  const account = async () =>
    (await person.get('/bridge/accounts')).body.find((one: { id: number }) => one.id === id);
  const before = await account();
  app.clock.advance({ hours: 30 });
  const answered = (at: string) =>
    app.bank.control.setItem(itemId, { override: { last_successful_refresh: at } });
  answered(before.updated_at);
  app.bank.control.setAccount(accounts[0] ?? 0, {
    ...{ last_refresh_status: 'failed', updated_at: app.clock.now().toISOString() },
    balance: before.balance + 1,
  });
  expect(await account()).toEqual(before);
  const days = async () => (await person.get(`/bridge/accounts/${id}/balances`)).body;
  expect(await days()).toHaveLength(1);
  const sixHoursAgo = new Date(app.clock.now().getTime() - 6 * 3_600_000).toISOString();
  answered(sixHoursAgo);
  const renewed = { balance: before.balance + 1, updated_at: sixHoursAgo };
  expect(await account()).toMatchObject(renewed);
  expect(await days()).toHaveLength(2);
  app.bank.control.setAccount(accounts[0] ?? 0, { last_refresh_status: 'successful' });
  expect(await account()).toMatchObject({
    balance: before.balance + 1,
    updated_at: app.clock.now().toISOString(),
  });
});

test('a bank that is linked anew goes on with its accounts, their history and their messages', async () => {
  const { person, itemId, accounts } = await readCustomer();
  const { body: before } = await person.get('/bridge/accounts?types[]=checking&stored=1');
  const items = app.bank.control.items(person.id);
  expect(items[0]?.accounts).toEqual(accounts);
  app.clock.advance({ hours: 24 });
  app.bank.control.setItem(itemId, { userUuid: 'nobody' });
  const again = app.bank.control.link({ externalUserId: person.id });
  expect(again).not.toBe(itemId);
  await person.get('/bridge/items?fresh=1');
  const { body: after } = await person.get('/bridge/accounts?types[]=checking&stored=1');
  const numbers = (rows: { id: number; name: string }[]) => rows.map(({ id, name }) => [id, name]);
  expect(numbers(after)).toEqual(numbers(before));
  expect(after[0].item.id).not.toBe(before[0].item.id);
  const { body: days } = await person.get(`/bridge/accounts/${before[0].id}/balances`);
  expect(days).toHaveLength(2);
  expect((await stored(person)).said).toBe(1);
});

test('a hidden bank stays hidden while it cannot be read, and a reading that lacks it confirms that it is gone', async () => {
  const person = await app.signUp();
  const bank = { id: null, name: 'Banque' };
  const connection = (id: string) => ({
    ...{ id, bank, state: 'ok' as const, code: null, description: null },
    ...{ lastSuccessfulRefresh: null, authenticationExpiresAt: null },
  });
  const balance = { minor: 1, currency: 'EUR', kind: 'booked' as const, asOf: null };
  const account = {
    id: 'x',
    connectionId: 'going',
    name: 'Compte',
    type: 'checking',
    bank,
    balance,
  };
  let reading: BankReading = {
    connections: ['staying', 'going'].map(connection),
    accounts: [account],
  };
  const source = scriptedSource({ read: async () => reading });
  const bankSources = app.services.bankSources as Map<string, BankSource>;
  bankSources.set('script', source);
  onTestFinished(() => void bankSources.delete('script'));
  await changeSecret(app.services, person.id, 'script', () => 'key');
  const count = async (which?: 'with hidden ones') =>
    (await listConnections(app.services, person.id, which)).length;
  const after = async (minutes: number, next: BankReading) => {
    app.clock.advance({ minutes });
    reading = next;
    await app.services.bankRefreshes.refresh(person.id, 'script');
    return [await count(), await count('with hidden ones')];
  };
  const lacking = { connections: [connection('staying')], accounts: [] };
  const unread = { ...lacking, unread: [{ id: 'going', state: 'unreachable' as const }] };
  expect(await after(0, reading)).toEqual([2, 2]);
  expect(await after(10, unread)).toEqual([2, 2]);
  expect(await after(10, lacking)).toEqual([1, 2]);
  expect(await after(40, unread)).toEqual([1, 2]);
  expect(await after(20, lacking)).toEqual([1, 1]);
});
