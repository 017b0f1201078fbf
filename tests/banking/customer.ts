import { sql } from 'kysely';
import type { Application } from '../support/application.ts';
import type { Person } from '../support/person.ts';

export interface Customer {
  person: Person;
  /** As the bank names it. */
  itemId: number;
  /** Its accounts, as the bank names them, in the order in which the bank lists them. */
  accounts: number[];
}

/** A person whose bank is linked behind the scenes, and not yet read. */
export async function addCustomer(app: Application, login = 'success'): Promise<Customer> {
  const person = await app.signUp();
  await person.get('/bridge/items/connect');
  const itemId = app.bank.control.link({ externalUserId: person.id, login });
  const item = app.bank.control.items(person.id).find(({ id }) => id === itemId);
  return { person, itemId, accounts: item?.accounts ?? [] };
}

/** Our number of a connection that the bank's stand-in names so. It must have been read. */
export async function connectionIdOf(
  app: Application,
  sourceId: number | string | undefined,
): Promise<number> {
  return await idOf(app, 'bank_connections', sourceId);
}

/** Our number of an account that the bank's stand-in names so. It must have been read. */
export async function accountIdOf(app: Application, sourceId: number | undefined): Promise<number> {
  return await idOf(app, 'bank_accounts', sourceId);
}

async function idOf(
  { services }: Application,
  table: 'bank_connections' | 'bank_accounts',
  sourceId: number | string | undefined,
): Promise<number> {
  const row = await services.database.sql
    .selectFrom(table)
    .select('id')
    .where('source', '=', 'bridge')
    .where('source_id', '=', String(sourceId))
    .executeTakeFirstOrThrow();
  return row.id;
}

/** How many times the bank was asked for `path` since the last `clearRequests`. */
export function asked(app: Application, path: 'items' | 'accounts'): number {
  const requests = app.bank.control.requests();
  return requests.filter((request) => request.path === `/v3/aggregation/${path}`).length;
}

/** A notification of this person, in a workspace of his own. */
export async function addNotification(
  app: Application,
  person: Person,
  given: {
    message?: string;
    nextAt?: string;
    scope?: 'all' | 'chosen';
    includesNew?: boolean;
  } = {},
): Promise<string> {
  const { message = '{{soldes}}', nextAt = null, scope = 'all', includesNew = true } = given;
  const { database, randomness, clock } = app.services;
  const [id, destinationId, now] = [randomness.uuid(), randomness.uuid(), clock.now()];
  await sql`insert into destinations (user_id, id, chat, team_id, team_name, scope, sealed_secret, state,
    created_at, updated_at) values (${person.id}, ${destinationId}, 'slack', ${destinationId}, 'Atelier', 'bot',
    '', 'connected', ${now}, ${now})`.execute(database.sql);
  const slotId = await addSlot(app, nextAt ?? '2099-01-01T00:00:00Z');
  await sql`insert into messengers (user_id, id, destination_id, channel_id, channel_name, message,
    variables, hours, minutes, zone, slot_id, active_since, account_scope, includes_new, created_at,
    updated_at)
    values (${person.id}, ${id}, ${destinationId}, 'C1', 'général', ${message}, true, 9, 0,
    'Europe/Paris', ${slotId}, ${now}, ${scope}, ${includesNew}, ${now}, ${now})`.execute(
    database.sql,
  );
  return id;
}

/** A slot of its own, which no schedule leads to: that of its region does not exist. */
async function addSlot({ services }: Application, nextAt: string): Promise<string> {
  const { database, randomness } = services;
  const { id } = await database.sql
    .insertInto('slots')
    .values({
      ...{ hours: 9, minutes: 0, zone: 'Europe/Paris', offset_minutes: null, days: 127, shard: 0 },
      holidays: randomness.uuid(),
      ...{ next_at: new Date(nextAt), local_date: nextAt.slice(0, 10) },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** When the stored figures of a person were read. */
export async function refreshedAt(app: Application, person: Person): Promise<Date | null> {
  const row = await app.services.database.sql
    .selectFrom('bank_refreshes')
    .select('refreshed_at')
    .where('user_id', '=', person.id)
    .executeTakeFirst();
  return row?.refreshed_at ?? null;
}
