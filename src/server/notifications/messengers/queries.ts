import {
  expressionBuilder,
  type Kysely,
  type RawBuilder,
  type Selectable,
  sql,
  type Transaction,
  type Updateable,
} from 'kysely';
import type { Schema } from '../../platform/database/schema.ts';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import type { Platform } from '../../platform/platform.ts';
import { isUuid } from '../../platform/uuid.ts';
import { whileSlotsAreLocked } from '../schedule/slot-locks.ts';

type DatabaseDeps = Pick<Platform, 'database'>;

/** The columns of the table alone. */
export type Messenger = Selectable<Schema['messengers']>;

/** A messenger with its accounts, its destination and its last daily delivery: what is presented. */
export type MessengerRow = Awaited<ReturnType<typeof listMessengers>>[number];

/** Oldest first, in one statement. */
export async function listMessengers({ database }: DatabaseDeps, userId: string) {
  return await database.cached(`messengers:${userId}`, (reader) =>
    read(reader, userId).orderBy('messengers.created_at').orderBy('messengers.id').execute(),
  );
}

/** What one account may have; one that has more keeps them. */
export const maxMessengers = 100;

/**
 * As many as an account may have, from the oldest or from the one after the messenger `after`. `next` is
 * given for what follows, where an account has more.
 */
export async function pageOfMessengers(
  { database }: DatabaseDeps,
  userId: string,
  after: string | null,
): Promise<{ rows: MessengerRow[]; next: string | null }> {
  const found = await database.cached(`messengers:${userId}:${after}`, (reader) =>
    read(reader, userId)
      .$if(after !== null, (query) =>
        query.where(
          sql<boolean>`(messengers.created_at, messengers.id) > (select created_at, id from messengers
            where user_id = ${userId} and id = ${after})`,
        ),
      )
      .orderBy('messengers.created_at')
      .orderBy('messengers.id')
      .limit(maxMessengers + 1)
      .execute(),
  );
  const rows = found.slice(0, maxMessengers);
  return { rows, next: found.length > maxMessengers ? (rows.at(-1)?.id ?? null) : null };
}

/** Null for an unknown id, the id of another user's messenger, and a malformed id. */
export async function findMessenger(
  { database }: DatabaseDeps,
  userId: string,
  id: string,
): Promise<MessengerRow | null> {
  if (!isUuid(id)) return null;
  const row = await read(database.sql, userId).where('messengers.id', '=', id).executeTakeFirst();
  return row ?? null;
}

/** Throws `Not_Found` where `findMessenger` gives null. */
export async function requireMessenger(
  deps: DatabaseDeps,
  userId: string,
  id: string,
): Promise<MessengerRow> {
  const row = await findMessenger(deps, userId, id);
  if (!row) throw new ApiError(httpErrors.Not_Found);
  return row;
}

/** Locks the row. Null as for `findMessenger`. */
export async function lockMessenger(
  transaction: Transaction<Schema>,
  userId: string,
  id: string,
): Promise<Messenger | null> {
  if (!isUuid(id)) return null;
  const row = await transaction
    .selectFrom('messengers')
    .selectAll()
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/**
 * The part of a `MessengerRow` that is in other tables. To be read after the row is locked, in a
 * statement of its own: a transaction that disconnects a destination also pauses its messengers, so it
 * has either ended, and is seen here, or waits for the lock and pauses them afterwards.
 */
export async function readJoinedColumns(
  transaction: Transaction<Schema>,
  { user_id, id, destination_id, slot_id }: Messenger,
) {
  return await transaction
    .selectFrom('destinations')
    .innerJoin('slots', (on) => on.on('slots.id', '=', slot_id))
    .leftJoinLateral(lastDelivery(user_id, id), (on) => on.onTrue())
    .selectAll('last')
    .select(destinationColumns)
    .select('slots.next_at as slot_next_at')
    .where('destinations.user_id', '=', user_id)
    .where('destinations.id', '=', destination_id)
    .executeTakeFirstOrThrow();
}

/** Writes a locked row and returns it, with the accounts that it covers then. */
export async function updateMessenger(
  transaction: Transaction<Schema>,
  { user_id, id }: Messenger,
  change: Updateable<Schema['messengers']>,
) {
  return await transaction
    .updateTable('messengers')
    .set(change)
    .where('user_id', '=', user_id)
    .where('id', '=', id)
    .returningAll()
    .returning(chosenAccounts)
    .executeTakeFirstOrThrow();
}

/** The last day on which it had a sending by now, YYYY-MM-DD; null where there was none. */
export async function lastSentDay(
  transaction: Transaction<Schema>,
  { user_id, id }: Messenger,
  now: Date,
): Promise<string | null> {
  const { day } = await transaction
    .selectFrom('deliveries')
    .select(({ fn }) => fn.max<string | null>('local_date').as('day'))
    .where('user_id', '=', user_id)
    .where('messenger_id', '=', id)
    .where('kind', '=', 'daily')
    .where('due_at', '<=', now)
    .executeTakeFirstOrThrow();
  return day;
}

/** Plans no more messages of an account: also of one that is being resumed. */
export async function stopMessengers(
  transaction: Transaction<Schema>,
  userId: string,
): Promise<void> {
  await transaction
    .updateTable('messengers')
    .set({ stopped: true })
    .where('user_id', '=', userId)
    .execute();
}

/** False when the user has none of this id. Its deliveries are deleted with it. */
export async function deleteMessenger(
  { database }: DatabaseDeps,
  userId: string,
  id: string,
): Promise<boolean> {
  if (!isUuid(id)) return false;
  const one = { userId, messengerId: id };
  return await whileSlotsAreLocked(database, one, async (transaction, requireHeld) => {
    const deleted = await transaction
      .deleteFrom('messengers')
      .where('user_id', '=', userId)
      .where('id', '=', id)
      .returning('slot_id')
      .executeTakeFirst();
    if (!deleted) return false;
    requireHeld(deleted.slot_id);
    await transaction
      .deleteFrom('deliveries')
      .where('user_id', '=', userId)
      .where('messenger_id', '=', id)
      .execute();
    return true;
  });
}

/** The ids of the accounts that a messenger covers, where they are chosen one by one; else null. */
const chosenAccounts = sql<number[] | null>`(
  select json_agg(a.id order by a.id) from bank_accounts a
  left join messenger_accounts c on c.user_id = a.user_id and c.messenger_id = messengers.id
    and c.account_id = a.id
  where messengers.account_scope = 'chosen' and a.user_id = messengers.user_id
    and a.type = 'checking' and a.gone_at is null
    and coalesce(c.included, messengers.includes_new))`.as('chosen_accounts');

const destinationColumns = [
  ...(['destinations.chat', 'destinations.team_id', 'destinations.team_name'] as const),
  'destinations.state as destination_state',
] as const;

function read(database: Kysely<Schema>, userId: string) {
  return database
    .selectFrom('messengers')
    .innerJoin('destinations', (on) =>
      on
        .onRef('destinations.user_id', '=', 'messengers.user_id')
        .onRef('destinations.id', '=', 'messengers.destination_id'),
    )
    .leftJoinLateral(lastDelivery(sql.ref('messengers.user_id'), sql.ref('messengers.id')), (on) =>
      on.onTrue(),
    )
    .innerJoin('slots', 'slots.id', 'messengers.slot_id')
    .selectAll('messengers')
    .selectAll('last')
    .select(chosenAccounts)
    .select(destinationColumns)
    .select('slots.next_at as slot_next_at')
    .where('messengers.user_id', '=', userId);
}

/** The last daily delivery of a messenger, whose key is given as values or as columns. */
function lastDelivery(
  userId: string | RawBuilder<string>,
  messengerId: string | RawBuilder<string>,
) {
  return (
    expressionBuilder<Schema>()
      .selectFrom('deliveries')
      .select(['kind', 'due_at', 'sent_at', 'outcome', 'resends', 'reason'])
      .select(['id as delivery_id', 'channel_name as delivery_channel_name'])
      .select('local_date as last_date')
      .where('user_id', '=', userId)
      .where('messenger_id', '=', messengerId)
      .where('kind', '=', 'daily')
      // In the order of the partitions: those before the first that has one are not read.
      .orderBy('local_date', 'desc')
      .limit(1)
      .as('last')
  );
}
