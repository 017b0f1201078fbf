import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { dayMs } from '../../../shared/calendar/durations.ts';
import { localDateAt } from '../../../shared/calendar/wall-clock.ts';
import { records } from '../../platform/database/records.ts';
import type { StoredReadAccount } from '../../platform/database/schema/notifications.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transactions.ts';
import type { Platform } from '../../platform/platform.ts';
import { type ScheduleColumns, scheduleOf, uselessAfterMs } from '../schedule/next-sending.ts';
import { activeMessenger, afterCursor, isOwnSending } from '../schedule/slots.ts';
import { type KnownAccounts, knownAfterPause, storedKnownAccounts } from './known-accounts.ts';
import {
  type EarlierTry,
  findKnown,
  type ScheduledReading,
  type Sending,
  scheduledReading,
} from './queries.ts';

/**
 * Schedules the reading of bank transactions for the messages that are sent within the hour, each at a moment
 * of its own in that hour. Returns those that were not scheduled before, `most` of them. Leaves out
 * a notification that is being deleted, with which the statement would fail for all.
 */
export async function scheduleReadings(
  transaction: Transaction<Schema>,
  now: Date,
  most: number,
): Promise<ScheduledReading[]> {
  const soon = new Date(now.getTime() + withinSeconds * 1000);
  const spreadSeconds = sql`(${sql.lit(lastReadingSeconds)} + mod(
    abs(hashtext(m.id::text)::bigint), ${sql.lit(withinSeconds - lastReadingSeconds)}))`;
  const { rows } = await sql<ScheduledReading>`
    insert into message_operations as o (user_id, messenger_id, due_at, scheduled_at)
    select m.user_id, m.id, s.next_at, ${now}::timestamptz
    from slots s
    join messengers m on m.slot_id = s.id and m.operations <> 'off' and m.variables
      and ${activeMessenger} and ${isOwnSending(now)}
    left join message_operations known on known.user_id = m.user_id and known.messenger_id = m.id
    where s.next_at > ${now} and s.next_at <= ${soon}
      and s.next_at - ${spreadSeconds} * interval '1 s' <= ${now}
      and known.due_at is distinct from s.next_at
    order by m.user_id, m.id limit ${most}
    for key share of m
    on conflict (user_id, messenger_id) do update
      set due_at = excluded.due_at, scheduled_at = excluded.scheduled_at, sealed = null,
        prints = null
      where o.due_at <> excluded.due_at
    returning ${scheduledReading}`.execute(transaction);
  return rows;
}

/** As if the reading for the next sending had not been scheduled: no sending is due at that moment. */
const unscheduled = { due_at: sql<Date>`scheduled_at` };

/** How long before a sending its bank transactions may be read. */
const withinSeconds = 3600;
/** Each reading begins at the latest this long before its sending. */
export const lastReadingSeconds = 90;

/**
 * Stores a reading for one sending. Does nothing when the notification is gone, tells no transactions or
 * waits for another sending, or when that one has begun: nothing would erase what is stored then.
 */
export async function storeBankTransactions(
  database: Kysely<Schema>,
  { userId, messengerId, dueAt }: Sending,
  given: {
    accounts: KnownAccounts;
    sealed: string;
    /** Of what this try has read. */
    fingerprints: ReadFingerprint[];
    /** Of the accounts that this try has read. */
    onceTold?: StoredReadAccount[];
    /** Of what earlier tries have read, and `sealed` tells as well. */
    earlier?: EarlierTry['prints'];
    now: Date;
  },
): Promise<void> {
  const untold = given.fingerprints.filter(({ is_told }) => !is_told);
  const prints = [
    ...(given.earlier ?? []),
    ...(given.onceTold ?? []),
    ...untold.map(({ fingerprint: print, accountId: account }) => ({ print, account })),
  ];
  await inTransaction(database, async (transaction) => {
    // Before what a change of the notification locks after it. Switched off, it keeps nothing. A claim
    // leaves the slot alone meanwhile: it reads all of this, or none of it is stored.
    const { rows: telling } = await sql`select from slots s join messengers m on m.slot_id = s.id
      where m.user_id = ${userId} and m.id = ${messengerId} and m.operations <> 'off'
        and s.next_at = ${dueAt} and ${afterCursor}
      for share of s, m`.execute(transaction);
    if (telling.length === 0) return;
    const { numUpdatedRows } = await transaction
      .updateTable('message_operations')
      .set({
        ...{ sealed: given.sealed, accounts: JSON.stringify(storedKnownAccounts(given.accounts)) },
        prints: JSON.stringify(prints),
      })
      .where('user_id', '=', userId)
      .where('messenger_id', '=', messengerId)
      .where('due_at', '=', dueAt)
      .where('due_at', '>', given.now)
      .executeTakeFirst();
    if (numUpdatedRows === 0n || given.fingerprints.length === 0) return;
    await sql`
      insert into operation_prints (user_id, messenger_id, print, read_at, is_told)
      select ${userId}::uuid, ${messengerId}::uuid, fingerprint, ${given.now}::timestamptz, is_told
      from ${records(given.fingerprints, 'fingerprint text, is_told boolean')} order by fingerprint
      on conflict (user_id, messenger_id, print) do update set read_at = excluded.read_at,
        is_told = operation_prints.is_told or excluded.is_told`.execute(transaction);
  });
}

export interface ReadFingerprint {
  fingerprint: string;
  accountId: number;
  is_told: boolean;
}

/** Bank transactions are switched on: those since the last message are told, and none of them again. */
export async function restartBankTransactions(
  transaction: Transaction<Schema>,
  messenger: { user_id: string; id: string } & ScheduleColumns,
): Promise<void> {
  const { user_id: userId, id: messengerId } = messenger;
  const row = await transaction
    .selectFrom('message_operations')
    .select('due_at')
    .where('user_id', '=', userId)
    .where('messenger_id', '=', messengerId)
    .forUpdate()
    .executeTakeFirst();
  if (!row) return;
  const { accounts, lastDay } = await findKnown(transaction, userId, messengerId);
  const readFor = localDateAt(row.due_at, scheduleOf(messenger));
  const known = storedKnownAccounts(knownAfterPause(accounts, { lastDay, readFor }));
  await transaction
    .updateTable('message_operations')
    .set({ accounts: JSON.stringify(known) })
    .where('user_id', '=', userId)
    .where('messenger_id', '=', messengerId)
    .execute();
}

/**
 * A text begins to tell bank transactions: where the reading for its next sending was scheduled, and nothing
 * was read for the text before, it is scheduled again.
 */
export async function repeatReading(
  transaction: Transaction<Schema>,
  userId: string,
  messengerId: string,
  now: Date,
): Promise<void> {
  await transaction
    .updateTable('message_operations')
    .set(unscheduled)
    .where('user_id', '=', userId)
    .where('messenger_id', '=', messengerId)
    .where('sealed', 'is', null)
    .where('due_at', '>', now)
    .execute();
}

/**
 * Bank transactions are switched off: what was read for the next message is erased, and read again should
 * they be switched on before. A message that is being sent tells them still, and notes that it did.
 */
export async function eraseBankTransactions(
  transaction: Transaction<Schema>,
  userId: string,
  messengerId: string,
  now: Date,
): Promise<void> {
  await transaction
    .updateTable('message_operations')
    .set({ sealed: null, prints: null, ...unscheduled })
    .where('user_id', '=', userId)
    .where('messenger_id', '=', messengerId)
    .where('due_at', '>', now)
    .execute();
}

/**
 * Daily messages have ended: what was read for them is erased, and told where the message that told it
 * may have arrived. `accounts`: those that it covered; null where that is not known, and all counts as told.
 */
export async function endBankTransactions(
  database: Kysely<Schema>,
  ended: (Sending & { isTold: boolean; accounts: number[] | null })[],
): Promise<void> {
  if (ended.length === 0) return;
  const given = records(
    ended,
    '"userId" uuid, "messengerId" uuid, "dueAt" timestamptz, "isTold" boolean, accounts int[]',
  );
  await end(
    database,
    sql`select o.user_id, o.messenger_id, o.prints, given."isTold" as is_told,
        given.accounts as told_accounts
      from ${given} join message_operations o on o.user_id = given."userId"
        and o.messenger_id = given."messengerId" and o.due_at = given."dueAt"
      where o.sealed is not null`,
  );
}

/**
 * After a restored backup: what was read for sendings that are due by now counts as told, because the
 * installation that it comes from may have sent them.
 */
export async function endRestoredBankTransactions(
  database: Kysely<Schema>,
  now: Date,
): Promise<void> {
  await end(
    database,
    sql`select o.user_id, o.messenger_id, o.prints, true as is_told, null::int[] as told_accounts
      from message_operations o where o.sealed is not null and o.due_at <= ${now}`,
  );
}

/**
 * Locks the readings before their fingerprints, as `storeBankTransactions` does. Until a message has told
 * them, what is known of its accounts stays as it was: the next one reads as far back again.
 */
async function end(database: Kysely<Schema>, ended: RawBuilder<unknown>): Promise<void> {
  await sql`
    with ended as materialized (
      ${ended} order by o.user_id, o.messenger_id for update of o
    ), told as materialized (
      select ended.user_id, ended.messenger_id, stored
      from ended cross join jsonb_array_elements(ended.prints) as stored
      where ended.is_told and coalesce((stored->>'account')::int = any(ended.told_accounts), true)
    ), marked as (
      update operation_prints p set is_told = true from told
      where p.user_id = told.user_id and p.messenger_id = told.messenger_id
        and p.print = coalesce(stored->>'print', stored #>> '{}')
    ), learned as (
      select user_id, messenger_id,
        array(select jsonb_array_elements_text(outdated) from unnest(array_agg(stored->'outdated')) outdated)
          as outdated,
        (select jsonb_object_agg(key, value) from unnest(array_agg(stored->'known')) known,
          jsonb_each(known)) as known
      from told where jsonb_typeof(stored->'known') = 'object' group by user_id, messenger_id
    )
    update message_operations o set sealed = null, prints = null,
      accounts = case when l.known is null then o.accounts
        else (o.accounts - l.outdated) || l.known end
    from ended left join learned l using (user_id, messenger_id)
    where o.user_id = ended.user_id and o.messenger_id = ended.messenger_id`.execute(database);
}

/**
 * After a restored backup, whose queue is empty: readings that were scheduled and not made are scheduled
 * again, for a sending that is still to come.
 */
export async function repeatRestoredReadings(database: Kysely<Schema>, now: Date): Promise<void> {
  await database
    .updateTable('message_operations')
    .set(unscheduled)
    .where('sealed', 'is', null)
    .where('due_at', '>', now)
    .execute();
}

/** A step of the hourly upkeep: 32 days after it was read last, a fingerprint says nothing any more. */
export async function forgetBankTransactions({
  database,
  clock,
}: Pick<Platform, 'database' | 'clock'>): Promise<void> {
  const now = clock.now().getTime();
  await sql`delete from operation_prints
    where read_at < ${new Date(now - fingerprintsKeptMs)}`.execute(database.sql);
  await sql`update message_operations set sealed = null, prints = null
    where sealed is not null
    and due_at < ${new Date(now - uselessAfterMs)}`.execute(database.sql);
}

/** Two days longer than is read back: for a later hour of the message, and for clocks that are set back. */
const fingerprintsKeptMs = 32 * dayMs;
