import { expect, test } from 'vitest';
import { runHourlyUpkeep } from '../../src/server/operations/upkeep/hourly.ts';
import { app, list, readCustomer, setUpReadCustomers, stored, whole } from './read-customers.ts';

setUpReadCustomers();

test('a bank in order that lists no account keeps those it had, and says that it does not answer', async () => {
  const { person } = await readCustomer();
  const { body: before } = await person.get('/bridge/accounts?stored=1');
  const { body: items } = await person.get('/bridge/items?stored=1');
  app.clock.advance({ hours: 2 });
  list('accounts', []);
  const { last_successful_refresh } = items[0];
  expect((await person.get('/bridge/items?fresh=1')).body).toMatchObject([
    { state: 'unreachable', last_successful_refresh },
  ]);
  const { body: after } = await person.get('/bridge/accounts?stored=1');
  const figures = (rows: { id: number; balance: number; updated_at: string }[]) =>
    rows.map(({ id, balance, updated_at }) => [id, balance, updated_at]);
  expect(figures(after)).toEqual(figures(before));
  expect((await person.get('/bridge/items?fresh=1')).body).toMatchObject([{ state: 'ok' }]);
});

test('a list that is empty a week after the last one is believed', async () => {
  const { person } = await readCustomer();
  app.clock.advance({ days: 8 });
  list('accounts', []);
  expect((await person.get('/bridge/items?fresh=1')).body).toMatchObject([{ state: 'ok' }]);
  expect((await person.get('/bridge/accounts?stored=1')).body).toEqual([]);
});

test('a bank of which no account is shared any more shows none', async () => {
  const { person, accounts } = await readCustomer();
  for (const account of accounts) {
    app.bank.control.setAccount(account, { data_access: 'disabled' });
  }
  expect((await person.get('/bridge/items?fresh=1')).body).toMatchObject([{ state: 'ok' }]);
  expect((await person.get('/bridge/accounts?stored=1')).body).toEqual([]);
});

test('an account that went is erased a month later, once a second reading lacked it too', async () => {
  const { person, accounts } = await readCustomer();
  const without = (await listedNow()).filter((row) => row.id !== accounts[3]);
  expect(without).toHaveLength(3);
  for (const minutes of [0, 59]) {
    app.clock.advance({ minutes });
    list('accounts', without);
    await app.services.bankRefreshes.refresh(person.id);
  }
  const upkeepLater = async () => {
    app.clock.advance({ hours: 24 * 31 });
    await runHourlyUpkeep(app.services);
    return (await stored(person)).accounts;
  };
  expect(await upkeepLater()).toBe(4);
  list('accounts', without);
  await app.services.bankRefreshes.refresh(person.id);
  expect(await upkeepLater()).toBe(3);
});

test('an account that is no longer shared is erased a month later, with what messages said of it', async () => {
  const { person, accounts } = await readCustomer();
  app.bank.control.setAccount(accounts[0] ?? 0, { data_access: 'disabled' });
  await app.services.bankRefreshes.refresh(person.id);
  app.clock.advance({ hours: 24 * 29 });
  await runHourlyUpkeep(app.services);
  expect(await stored(person)).toEqual(whole);
  app.clock.advance({ hours: 24 * 2 });
  await runHourlyUpkeep(app.services);
  expect(await stored(person)).toEqual({ connections: 1, accounts: 3, balances: 3, said: 0 });
});

/** The accounts of the last reading, as the bank lists them. */
async function listedNow(): Promise<{ id: number }[]> {
  const request = app.bank.control.requests().findLast(({ path }) => path.endsWith('/accounts'));
  const { host: _host, ...headers } = Object(request?.headers);
  const answer = await fetch(`${app.bank.url}/v3/aggregation/accounts?limit=500`, { headers });
  return (await answer.json()).resources;
}
