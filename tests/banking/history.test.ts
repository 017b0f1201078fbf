import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { historyPages } from '../../src/server/banking/history/routes.ts';
import { runHourlyUpkeep } from '../../src/server/operations/upkeep/hourly.ts';
import type { AccountHistory } from '../../src/shared/contract/banks.ts';
import { type Application, startApplication } from '../support/application.ts';
import type { Person } from '../support/person.ts';
import { accountIdOf, addCustomer, type Customer } from './customer.ts';

let app: Application;
beforeAll(async () => {
  app = await startApplication();
});
afterAll(() => app.close());
beforeEach(() => app.clock.set('2026-01-12T07:00:00Z'));

test.for(['/bridge/accounts/1/balances', '/bridge/balances'])(
  'a visitor gets nothing from %s',
  async (path) => {
    expect((await app.visitor.get(path)).status).toBe(401);
  },
);

test('each day keeps the last figure that the bank gave on it', async () => {
  const customer = await addCustomer(app);
  await say(customer, 100, '2026-01-11T20:00:00Z');
  await say(customer, 120, '2026-01-12T06:00:00Z');
  await say(customer, 110, '2026-01-12T06:30:00Z');
  expect(await days(customer)).toEqual([
    {
      day: '2026-01-11',
      balance: 100,
      currency_code: 'EUR',
      as_of: '2026-01-11T20:00:00.000Z',
    },
    {
      day: '2026-01-12',
      balance: 110,
      currency_code: 'EUR',
      as_of: '2026-01-12T06:30:00.000Z',
    },
  ]);
});

test('an older figure that comes late does not replace a newer one', async () => {
  const customer = await addCustomer(app);
  await say(customer, 110, '2026-01-12T06:30:00Z');
  await say(customer, 90, '2026-01-12T05:00:00Z');
  expect(await days(customer)).toMatchObject([{ balance: 110 }]);
});

test('a day begins at midnight in Paris, in winter and in summer', async () => {
  app.clock.set('2026-07-20T10:00:00Z');
  const customer = await addCustomer(app);
  await say(customer, 1, '2026-01-11T22:59:59Z');
  await say(customer, 2, '2026-01-11T23:00:00Z');
  await say(customer, 3, '2026-07-01T21:59:59Z');
  await say(customer, 4, '2026-07-01T22:00:00Z');
  expect((await days(customer, 400)).map((one) => [one.day, one.balance])).toEqual([
    ['2026-01-11', 1],
    ['2026-01-12', 2],
    ['2026-07-01', 3],
    ['2026-07-02', 4],
  ]);
});

test('a figure from the future stands on today', async () => {
  const customer = await addCustomer(app);
  await say(customer, 5, '2026-01-20T00:00:00Z');
  expect(await days(customer)).toMatchObject([{ day: '2026-01-12', balance: 5 }]);
});

test('the number of days counts today, and is at most four hundred', async () => {
  const customer = await addCustomer(app);
  await say(customer, 1, '2026-01-10T12:00:00Z');
  await say(customer, 2, '2026-01-12T06:00:00Z');
  expect(await days(customer, 2)).toHaveLength(1);
  expect(await days(customer, 3)).toHaveLength(2);
  const { person } = customer;
  const id = await accountIdOf(app, customer.accounts[0]);
  for (const wrong of ['0', '401', 'a', '1.5']) {
    const { status } = await person.get(`/bridge/accounts/${id}/balances?days=${wrong}`);
    expect([wrong, status]).toEqual([wrong, 400]);
  }
});

test('all accounts come in one answer, and nobody sees those of somebody else', async () => {
  const { person, accounts } = await addCustomer(app);
  const { person: outsider } = await addCustomer(app);
  await person.get('/bridge/accounts');
  const { body } = await person.get('/bridge/balances?days=30');
  const ids = await Promise.all(accounts.map((account) => accountIdOf(app, account)));
  expect(body.map((one: { account: { id: number } }) => one.account.id)).toEqual(ids);
  expect(body[0].balances).toEqual([
    {
      day: expect.any(String),
      balance: expect.any(Number),
      currency_code: 'EUR',
      as_of: expect.any(String),
    },
  ]);
  expect((await outsider.get('/bridge/balances')).body).toEqual([]);
  expect((await outsider.get(`/bridge/accounts/${ids[0]}/balances`)).status).toBe(404);
});

test('the histories of many accounts are read a few accounts at a time', async () => {
  const customer = await addCustomer(app);
  await say(customer, 100, '2026-01-12T06:00:00Z');
  const { id: owner } = customer.person;
  const id = await accountIdOf(app, customer.accounts[0]);
  const { sql } = app.services.database;
  const row = await sql
    .selectFrom('bank_accounts')
    .selectAll()
    .where('user_id', '=', owner)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const others = [1, 2, 3, 4, 5, 6].map((other) => ({ ...row, id: id + 1000 + other }));
  await sql
    .insertInto('bank_accounts')
    .values(others.map((other) => ({ ...other, source_id: `copy ${other.id}` })))
    .execute();
  const balance = { user_id: owner, balance_minor: 100, currency: 'EUR', as_of: app.clock.now() };
  await sql
    .insertInto('bank_balances')
    .values(others.map((other) => ({ ...balance, account_id: other.id, day: '2026-01-12' })))
    .execute();
  const pages: AccountHistory[][] = [];
  for await (const page of historyPages(app.services, owner, 400)) pages.push(page);
  expect(pages.length).toBeGreaterThan(1);
  for (const page of pages) expect(page.length).toBeLessThanOrEqual(5);
  const { body } = await customer.person.get('/bridge/balances?days=400');
  expect(body).toEqual(pages.flat());
  expect(body.map((one: { account: { id: number } }) => one.account.id)).toEqual(
    expect.arrayContaining([id, ...others.map((other) => other.id)]),
  );
});

test('balances are kept four hundred days, and hidden accounts thirty', async () => {
  const customer = await addCustomer(app);
  const { person, accounts } = customer;
  await say(customer, 1, '2026-01-12T06:00:00Z');
  const id = await accountIdOf(app, accounts[0]);
  app.clock.set('2027-02-15T11:00:00Z');
  await say(customer, 2, '2027-02-15T10:00:00Z');
  await runHourlyUpkeep(app.services);
  expect(await storedDays(person, id)).toEqual(['2026-01-12', '2027-02-15']);
  app.clock.set('2027-02-16T11:00:00Z');
  await runHourlyUpkeep(app.services);
  expect(await storedDays(person, id)).toEqual(['2027-02-15']);
  app.bank.control.setAccount(accounts[0] ?? 0, { data_access: 'disabled' });
  await app.services.bankRefreshes.refresh(person.id);
  app.clock.set('2027-03-15T11:00:00Z');
  await runHourlyUpkeep(app.services);
  expect(await storedDays(person, id)).toEqual(['2027-02-15']);
  app.clock.set('2027-03-19T11:00:00Z');
  await runHourlyUpkeep(app.services);
  expect(await storedDays(person, id)).toEqual([]);
});

/** The bank gives this figure for the first account, and is read. */
async function say({ person, accounts }: Customer, balance: number, at: string): Promise<void> {
  app.bank.control.setAccount(accounts[0] ?? 0, { balance, updated_at: at });
  await app.services.bankRefreshes.refresh(person.id);
}

async function days({ person, accounts }: Customer, count = 90) {
  const id = await accountIdOf(app, accounts[0]);
  const { body } = await person.get(`/bridge/accounts/${id}/balances?days=${count}`);
  return body as { day: string; balance: number }[];
}

async function storedDays(person: Person, accountId: number): Promise<string[]> {
  const rows = await app.services.database.sql
    .selectFrom('bank_balances')
    .select('day')
    .where('user_id', '=', person.id)
    .where('account_id', '=', accountId)
    .orderBy('day')
    .execute();
  return rows.map(({ day }) => day);
}
