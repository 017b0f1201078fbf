import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type Application, startApplication } from '../support/application.ts';
import type { Person } from '../support/person.ts';
import { accountIdOf, addCustomer, addNotification, type Customer } from './customer.ts';

export let app: Application;

/** For the file that calls it. */
export function setUpReadCustomers(): void {
  beforeAll(async () => {
    app = await startApplication();
  });
  beforeEach(() => app.services.database.sql.deleteFrom('bank_calls').execute());
  afterAll(() => app.close());
}

/** A customer whose bank was read, with a message that said its figures. */
export async function readCustomer(): Promise<Customer> {
  const customer = await addCustomer(app);
  const { person, accounts } = customer;
  await person.get('/bridge/accounts');
  const { database, randomness, clock } = app.services;
  const messengerId = await addNotification(app, person);
  const now = clock.now();
  await database.sql
    .insertInto('deliveries')
    .values({
      ...{ user_id: person.id, id: randomness.uuid(), messenger_id: messengerId },
      ...{ kind: 'daily', local_date: '2026-01-11', outcome: 'delivered', due_at: now },
      ...{ channel_id: 'C1', channel_name: 'général', created_at: now },
      figures: JSON.stringify({ [await accountIdOf(app, accounts[0])]: [1, 'EUR'] }),
    })
    .execute();
  return customer;
}

/** All that is stored of a person: hidden or not. */
export async function stored({ id }: Person) {
  const { sql } = app.services.database;
  const count = async (table: 'bank_connections' | 'bank_accounts' | 'bank_balances') =>
    (await sql.selectFrom(table).select('user_id').where('user_id', '=', id).execute()).length;
  const sent = await sql
    .selectFrom('deliveries')
    .select('figures')
    .where('user_id', '=', id)
    .executeTakeFirst();
  return {
    connections: await count('bank_connections'),
    accounts: await count('bank_accounts'),
    balances: await count('bank_balances'),
    said: Object.keys(sent?.figures ?? {}).length,
  };
}

export const whole = { connections: 1, accounts: 4, balances: 4, said: 1 };
export const nothing = { connections: 0, accounts: 0, balances: 0, said: 0 };

/** How many banks the person sees. */
export const shown = async (person: Person) =>
  (await person.get('/bridge/items?stored=1')).body.length;

/** The next list of the service is this one. */
export const list = (path: 'items' | 'accounts', resources: unknown[]) =>
  app.bank.control.addFault({
    ...{ match: `GET /v3/aggregation/${path}`, kind: 'status', status: 200, times: 1 },
    body: { resources, pagination: { next_uri: null } },
  });
