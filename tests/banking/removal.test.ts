import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { eraseConnection } from '../../src/server/banking/connections/erasing.ts';
import { listConnections } from '../../src/server/banking/connections/queries.ts';
import { storeReading } from '../../src/server/banking/connections/storing-readings.ts';
import { createBankRefreshes } from '../../src/server/banking/refreshing/refreshes.ts';
import { changeSecret, changeSecretIn } from '../../src/server/banking/source-links/queries.ts';
import type { BankSource } from '../../src/server/providers/banks/port.ts';
import { type Application, startApplication } from '../support/application.ts';
import { accountIdOf, addCustomer, addNotification, connectionIdOf } from './customer.ts';
import { scriptedSource } from './scripted-source.ts';

let app: Application;
beforeAll(async () => {
  app = await startApplication();
});
afterAll(() => app.close());

test('a removed bank leaves nothing behind, at once', async () => {
  const { person, itemId, accounts } = await addCustomer(app);
  await person.get('/bridge/accounts');
  const account = await accountIdOf(app, accounts[0]);
  await person.delete(`/bridge/items/${await connectionIdOf(app, itemId)}`);
  expect((await person.get('/bridge/items?stored=1')).body).toEqual([]);
  expect((await person.get('/bridge/balances')).body).toEqual([]);
  expect(await rowsOf(person.id)).toEqual({ items: 0, accounts: 0, balances: 0 });
  expect((await person.get(`/bridge/accounts/${account}/balances`)).status).toBe(404);
});

test('a removed bank leaves no figures in what was sent, and no choice of its accounts', async () => {
  const { person, itemId, accounts } = await addCustomer(app);
  const other = await addCustomer(app);
  await person.get('/bridge/accounts');
  const messengerId = await addNotification(app, person);
  const others = await addNotification(app, other.person);
  const { database, randomness, clock } = app.services;
  const account = await accountIdOf(app, accounts[0]);
  const figures = { [String(account)]: [1, 'EUR'], 70000: [2, 'EUR'] };
  for (const [userId, messenger_id] of [
    [person.id, messengerId],
    [other.person.id, others],
  ] as const) {
    const now = clock.now();
    const sent = { kind: 'daily', local_date: '2026-01-11', outcome: 'delivered' } as const;
    await database.sql
      .insertInto('deliveries')
      .values({
        ...{ user_id: userId, id: randomness.uuid(), messenger_id, ...sent, due_at: now },
        ...{ channel_id: 'C1', channel_name: 'général', created_at: now },
        figures: JSON.stringify(figures),
      })
      .execute();
    const chosen = [account, 70000].map((account_id) => ({ account_id, included: true }));
    await database.sql
      .insertInto('messenger_accounts')
      .values(chosen.map((choice) => ({ user_id: userId, messenger_id, ...choice })))
      .execute();
  }
  await person.delete(`/bridge/items/${await connectionIdOf(app, itemId)}`);
  const left = async (id: string) =>
    await database.sql
      .selectFrom('deliveries')
      .select('figures')
      .where('messenger_id', '=', id)
      .execute();
  expect(await left(messengerId)).toEqual([{ figures: { 70000: [2, 'EUR'] } }]);
  expect(await left(others)).toEqual([{ figures }]);
  const choices = await database.sql
    .selectFrom('messenger_accounts')
    .select(['messenger_id', 'account_id'])
    .execute();
  expect(choices).toHaveLength(3);
  expect(choices).not.toContainEqual({ messenger_id: messengerId, account_id: account });
});

test('a bank removed during a reading does not come back with it', async () => {
  const { person, itemId } = await addCustomer(app);
  await person.get('/bridge/accounts');
  const source = app.services.bankSources.get('bridge');
  if (!source) throw new Error('no source');
  const { read } = source;
  onTestFinished(() => void Object.assign(source, { read }));
  const [hasRead, isRemoved] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  source.read = async (...given) => {
    const found = await read(...given);
    hasRead.resolve();
    await isRemoved.promise;
    return found;
  };
  const reading = person.get('/bridge/accounts?fresh=1');
  await hasRead.promise;
  await person.delete(`/bridge/items/${await connectionIdOf(app, itemId)}`);
  isRemoved.resolve();
  expect((await reading).body).toEqual([]);
  expect(await rowsOf(person.id)).toEqual({ items: 0, accounts: 0, balances: 0 });
});

test('a bank that was removed at the provider is gone after the next reading', async () => {
  const { person, itemId } = await addCustomer(app);
  await person.get('/bridge/accounts');
  const other = app.bank.control.link({ externalUserId: person.id, providerId: 575 });
  app.bank.control.setItem(itemId, { userUuid: 'nobody' });
  const { body } = await person.get('/bridge/items');
  expect(body).toMatchObject([{ id: await connectionIdOf(app, other) }]);
});

test('an account that is still listed after its connection has gone spoils no reading', async () => {
  const { person, itemId } = await addCustomer(app);
  await person.get('/bridge/accounts');
  const { rows } = await sql<{ erasures: number; until: string }>`
    update bank_refreshes set leased_until = now() + interval '1 minute'
    where user_id = ${person.id} returning erasures, leased_until::text as until`.execute(
    app.services.database.sql,
  );
  const bank = { id: '574', name: 'Banque du Littoral' };
  const balance = { minor: 100, currency: 'EUR', kind: 'unknown', asOf: null } as const;
  const account = { name: 'Courant', type: 'checking', bank, balance };
  const startedAt = app.clock.now();
  const { erasures = 0, until = '' } = rows[0] ?? {};
  const isStored = await storeReading(
    app.services,
    { userId: person.id, source: 'bridge', startedAt, erasures, until },
    {
      connections: [
        {
          ...{ id: 'other', state: 'ok', code: 0, description: null, bank },
          ...{ lastSuccessfulRefresh: startedAt, authenticationExpiresAt: null },
        },
      ],
      accounts: [
        { ...account, id: 'left behind', connectionId: String(itemId) },
        { ...account, id: 'of the other', connectionId: 'other' },
      ],
    },
  );
  expect(isStored).not.toBeNull();
  const other = await connectionIdOf(app, 'other');
  expect((await person.get('/bridge/accounts?stored=1')).body).toMatchObject([
    { item: { id: other } },
  ]);
});

async function rowsOf(userId: string) {
  const count = async (table: 'bank_connections' | 'bank_accounts' | 'bank_balances') =>
    (
      await app.services.database.sql
        .selectFrom(table)
        .select('user_id')
        .where('user_id', '=', userId)
        .execute()
    ).length;
  return {
    items: await count('bank_connections'),
    accounts: await count('bank_accounts'),
    balances: await count('bank_balances'),
  };
}

test('of two banks that are removed at once, the last one takes the key with it', async () => {
  const person = await app.signUp();
  const connection = (id: string) => ({
    ...{ id, state: 'ok' as const, code: null, description: null },
    ...{ bank: { id: null, name: id } },
    ...{ lastSuccessfulRefresh: null, authenticationExpiresAt: null },
  });
  let meanwhile = async () => {};
  const source = scriptedSource({
    read: async () => ({ connections: ['first', 'second'].map(connection), accounts: [] }),
    async removeConnection() {
      await meanwhile();
      return (known, others) => (others.length > 0 ? known : null);
    },
  });
  const bankSources = app.services.bankSources as Map<string, BankSource>;
  bankSources.set('pair', source);
  onTestFinished(() => void bankSources.delete('pair'));
  await changeSecret(app.services, person.id, 'pair', () => 'key');
  await app.services.bankRefreshes.refresh(person.id, 'pair');
  const [first, second] = await listConnections(app.services, person.id);
  meanwhile = async () => {
    meanwhile = async () => {};
    await person.delete(`/bridge/items/${second?.id}`);
  };
  await person.delete(`/bridge/items/${first?.id}`);
  const { rows } = await sql`select from bank_links where user_id = ${person.id}`.execute(
    app.services.database.sql,
  );
  expect(rows).toEqual([]);
});

test('an account that another bank of the source opens too stays, with its number', async () => {
  const person = await app.signUp();
  const bank = { id: null, name: 'Banque du Littoral' };
  const connection = (id: string) => ({
    ...{ id, state: 'ok' as const, code: null, description: null, bank },
    ...{ lastSuccessfulRefresh: null, authenticationExpiresAt: null },
  });
  const account = (id: string) => ({
    ...{ id, connectionId: 'later', name: id, type: 'checking', bank },
    balance: { minor: 100, currency: 'EUR', kind: 'booked' as const, asOf: null },
  });
  const source = scriptedSource({
    read: async () => ({
      connections: ['earlier', 'later'].map(connection),
      accounts: ['own', 'shared'].map(account),
    }),
    removeConnection: async () => (known) => known,
    sharedAccounts: async () => new Map([['shared', 'earlier']]),
  });
  const bankSources = app.services.bankSources as Map<string, BankSource>;
  bankSources.set('shared', source);
  onTestFinished(() => void bankSources.delete('shared'));
  await changeSecret(app.services, person.id, 'shared', () => 'key');
  await app.services.bankRefreshes.refresh(person.id, 'shared');
  const list = async () => (await person.get('/bridge/accounts?stored=1')).body;
  const shared = (await list()).find((one: { name: string }) => one.name === 'shared');
  const [earlier, later] = await listConnections(app.services, person.id);
  await person.delete(`/bridge/items/${later?.id}`);
  expect(await list()).toMatchObject([{ id: shared.id, item: { id: earlier?.id } }]);
});

test('of a source that is not configured any more, no bank goes that only the source can end', async () => {
  const { person, itemId } = await addCustomer(app);
  await person.get('/bridge/accounts');
  const id = await connectionIdOf(app, itemId);
  const banks = app.services.bankSources as Map<string, BankSource>;
  const configured = [...banks];
  onTestFinished(() => {
    for (const [kind, source] of configured) banks.set(kind, source);
  });
  banks.delete('bridge');
  expect(await person.delete(`/bridge/items/${id}`)).toMatchObject({
    ...{ status: 503, body: { message: expect.stringContaining("n'est plus configuré") } },
  });
  expect((await person.get('/bridge/items?stored=1')).body).toMatchObject([{ id }]);
});

test('of a source that is not configured any more, the key goes with the last bank', async () => {
  const person = await app.signUp();
  const connection = (id: string) => ({
    ...{ id, state: 'ok' as const, code: null, description: null },
    ...{ bank: { id: null, name: id } },
    ...{ lastSuccessfulRefresh: null, authenticationExpiresAt: null },
  });
  let listed = ['first', 'second'];
  const source = scriptedSource({
    read: async () => ({ connections: listed.map(connection), accounts: [] }),
    hasConnection: async () => false,
  });
  const banks = app.services.bankSources as Map<string, BankSource>;
  banks.set('gone', source);
  await changeSecret(app.services, person.id, 'gone', () => 'key');
  const remove = async () => {
    await app.services.bankRefreshes.refresh(person.id, 'gone');
    banks.delete('gone');
    const [first] = await listConnections(app.services, person.id);
    const { status } = await person.delete(`/bridge/items/${first?.id}`);
    banks.set('gone', source);
    return status;
  };
  onTestFinished(() => void banks.delete('gone'));
  expect(await remove()).toBe(503);
  expect(await listConnections(app.services, person.id)).toHaveLength(2);
  listed = ['second'];
  app.clock.advance({ minutes: 5 });
  expect(await remove()).toBe(204);
  expect(await listConnections(app.services, person.id)).toEqual([]);
  const { rows } = await sql`select from bank_links where user_id = ${person.id}`.execute(
    app.services.database.sql,
  );
  expect(rows).toEqual([]);
});

test('a bank whose key was forgotten during a reading does not come back with it', async () => {
  const person = await app.signUp();
  const seen: (string | null)[] = [];
  const dates = { lastSuccessfulRefresh: null, authenticationExpiresAt: null };
  let meanwhile = async () => {};
  const source = scriptedSource({
    async read({ secret }) {
      seen.push(secret);
      await meanwhile();
      const connections = (secret ?? '').split(' ').map((id) => ({
        ...{ id, state: 'ok' as const, code: null, description: null },
        ...{ bank: { id: null, name: id }, ...dates },
      }));
      return { connections, accounts: [] };
    },
  });
  const deps = { ...app.services, bankSources: new Map([['script', source]]) };
  const refreshes = createBankRefreshes(deps);
  const names = async () => (await listConnections(deps, person.id)).map((one) => one.bank_name);
  await changeSecret(deps, person.id, 'script', () => 'first second');
  await refreshes.refresh(person.id, 'script');
  expect(await names()).toEqual(['first', 'second']);
  const [first] = await listConnections(deps, person.id);
  meanwhile = async () => {
    meanwhile = async () => {};
    if (!first) return;
    await eraseConnection(deps, first, (transaction) =>
      changeSecretIn(transaction, deps, person.id, 'script', (known) =>
        (known ?? '').replace('first ', ''),
      ),
    );
  };
  app.clock.advance({ minutes: 5 });
  await refreshes.refresh(person.id, 'script');
  expect(seen).toEqual(['first second', 'first second', 'second']);
  expect(await names()).toEqual(['second']);
});
