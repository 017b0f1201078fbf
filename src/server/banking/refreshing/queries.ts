import { type NotNull, type RawBuilder, sql, type Transaction } from 'kysely';
import { hourMs } from '../../../shared/calendar/durations.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { Platform } from '../../platform/platform.ts';
import { statusNumbers } from '../connections/store.ts';
import type { LinkKey } from '../source-links/queries.ts';
import { retryBefore } from './due-links.ts';

type Data = Pick<Platform, 'database'>;

export interface Lease {
  /** The link's count of erasures when the lease was taken; see storeReading. */
  erasures: number;
  /** When it ends, as the database writes it. Once the row has another value, another worker has it. */
  until: string;
}

/** Longer than a reading takes. After this time, the lease of a worker that died can be taken. */
export const leaseMs = 45_000;

/** The right to read this link, held by one worker at a time. Null while another holds it. */
export async function acquireLease(
  { database, clock }: Pick<Platform, 'database' | 'clock'>,
  { userId, source }: LinkKey,
): Promise<Lease | null> {
  const { rows } = await sql<Lease>`
    insert into bank_refreshes as r (user_id, source, attempted_at, leased_until)
    values (${userId}, ${source}, ${clock.now()}, now() + ${leaseMs}::int * interval '1 ms')
    on conflict (user_id, source) do update
      set attempted_at = excluded.attempted_at, leased_until = excluded.leased_until
      where r.leased_until is null or r.leased_until < now()
    returning r.erasures, r.leased_until::text as until`.execute(database.sql);
  return rows[0] ?? null;
}

/**
 * Ends a lease whose reading brought nothing. `failure` is the kind of the source's error, or a word for a
 * fault of ours; null when the link is gone, or the source's user with it: nobody is unknown there any more.
 */
export async function releaseLease(
  { database }: Data,
  { userId, source }: LinkKey,
  { until }: Lease,
  failure: string | null,
): Promise<void> {
  await database.sql
    .updateTable('bank_refreshes')
    .set({ leased_until: null, failure, ...(failure === null && { unknown_since: null }) })
    .where('user_id', '=', userId)
    .where('source', '=', source)
    .where(sql<string>`leased_until::text`, '=', until)
    .execute();
}

/**
 * Notes under the lease that the source does not know the user. Returns since when it was so at every
 * reading that ended in an answer about them; null where the lease has passed to another worker.
 */
export async function noteUnknownUser(
  { database }: Data,
  { userId, source }: LinkKey,
  { until }: Lease,
  now: Date,
): Promise<Date | null> {
  const row = await database.sql
    .updateTable('bank_refreshes')
    .set({ unknown_since: sql`coalesce(unknown_since, ${now}::timestamptz)` })
    .where('user_id', '=', userId)
    .where('source', '=', source)
    .where(sql<string>`leased_until::text`, '=', until)
    .returning('unknown_since')
    .executeTakeFirst();
  return row?.unknown_since ?? null;
}

/**
 * For how long the lease has been held, null when it is free; how the last reading failed; and the
 * link's count of erasures. A lease held for longer than it lasts belongs to a worker that died.
 */
export async function readLease({ database }: Data, { userId, source }: LinkKey) {
  const { rows } = await sql<{
    leasedForMs: number | null;
    failure: string | null;
    erasures: number;
  }>`
    select extract(epoch from now() - leased_until)::float8 * 1000 + ${leaseMs}::int as "leasedForMs",
      failure, erasures
    from bank_refreshes where user_id = ${userId} and source = ${source}`.execute(database.sql);
  return rows[0] ?? { leasedForMs: null, failure: null, erasures: 0 };
}

/**
 * Notes that the links of these users with a source are to be read. Returns the users of whom it was
 * not noted before, or so long ago that the job counts as lost. Leaves out a user who is being deleted,
 * with whom the statement would fail for all.
 */
export async function markScheduled(
  transaction: Transaction<Schema>,
  source: string,
  now: Date,
  links: RawBuilder<unknown>,
): Promise<{ user_id: string; due_at: Date }[]> {
  const { rows } = await sql<{ user_id: string; due_at: Date }>`
    with due as materialized (${links}), marked as (
      insert into bank_refreshes as r (user_id, source, scheduled_at)
      select u.id, ${source}, ${now}::timestamptz from due join users u on u.id = due.user_id
      order by u.id for key share of u
      on conflict (user_id, source) do update set scheduled_at = excluded.scheduled_at
        where r.scheduled_at is null or r.scheduled_at < ${retryBefore(now)}
      returning r.user_id)
    select user_id, due_at from due join marked using (user_id)`.execute(transaction);
  return rows;
}

/** The links of which a reading is scheduled and has not begun. */
export async function listScheduled(
  transaction: Transaction<Schema>,
): Promise<{ user_id: string; source: string; scheduled_at: Date }[]> {
  return await transaction
    .selectFrom('bank_refreshes')
    .select(['user_id', 'source', 'scheduled_at'])
    .where('scheduled_at', 'is not', null)
    .orderBy('scheduled_at')
    .$narrowType<{ scheduled_at: NotNull }>()
    .execute();
}

/** Called when a job for the link begins: a change from now on needs another job. */
export async function unmarkScheduled(
  { database }: Data,
  userId: string,
  source: string | undefined,
): Promise<void> {
  await database.sql
    .updateTable('bank_refreshes')
    .set({ scheduled_at: null })
    .where('user_id', '=', userId)
    .$if(source !== undefined, (query) => query.where('source', '=', source ?? ''))
    .execute();
}

/** So old that it is read again before the next message. */
const longAgoMs = 6 * hourMs;

/** Resets moments that a clock ahead of `now` wrote: until then they would prevent new readings. */
export async function forgetFutureReadings({ database }: Data, now: Date): Promise<void> {
  const longAgo = new Date(now.getTime() - longAgoMs);
  const soon = new Date(now.getTime() + 60_000);
  await sql`
    update bank_refreshes set scheduled_at = null, attempted_at = null, unknown_since = null,
      refreshed_at = case when refreshed_at > ${now} then ${longAgo}::timestamptz else refreshed_at end
    where greatest(scheduled_at, attempted_at, refreshed_at, unknown_since) > ${soon}`.execute(
    database.sql,
  );
}

/** Called when the source refuses the person's credentials: the connections show it until renewed. */
export async function markRefused({ database }: Data, { userId, source }: LinkKey): Promise<void> {
  await database.sql
    .updateTable('bank_connections')
    .set({ state: 'credentials', status: statusNumbers.credentials, status_description: null })
    .where('user_id', '=', userId)
    .where('source', '=', source)
    .execute();
}
