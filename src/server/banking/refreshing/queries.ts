import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Schema } from '../../platform/database/schema.ts';
import type { Platform } from '../../platform/platform.ts';
import type { ReadingPolicy } from '../../providers/banks/port.ts';

type Data = Pick<Platform, 'database'>;

/** One user's link with one source. */
export interface LinkKey {
  userId: string;
  source: string;
}

export interface Lease {
  /** How many there had been when it was taken; see storeReading. */
  erasures: number;
  /** Its end, as the database writes it. A row that has another value belongs to another worker. */
  until: string;
}

/** Longer than a reading takes; a worker that died in one is waited for no longer. */
export const leaseMs = 45_000;

/** The right to read this link, held by one worker at a time. Null while another holds it. */
export async function takeLease(
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

export async function countErasures(
  { database }: Data,
  { userId, source }: LinkKey,
): Promise<number> {
  const row = await database.sql
    .selectFrom('bank_refreshes')
    .select('erasures')
    .where('user_id', '=', userId)
    .where('source', '=', source)
    .executeTakeFirst();
  return row?.erasures ?? 0;
}

/** Ends it without a reading; `failure` says how the source failed, if it did. */
export async function dropLease(
  { database }: Data,
  { userId, source }: LinkKey,
  { until }: Lease,
  failure: string | null,
): Promise<void> {
  await database.sql
    .updateTable('bank_refreshes')
    .set({ leased_until: null, failure })
    .where('user_id', '=', userId)
    .where('source', '=', source)
    .where(sql<string>`leased_until::text`, '=', until)
    .execute();
}

/**
 * For how long a worker has been reading, null when none does, and how the last reading failed. One
 * held for longer than a lease lasts has broken off.
 */
export async function lookAtLease({ database }: Data, { userId, source }: LinkKey) {
  const { rows } = await sql<{ heldForMs: number | null; failure: string | null }>`
    select extract(epoch from now() - leased_until)::float8 * 1000 + ${leaseMs}::int as "heldForMs",
      failure
    from bank_refreshes where user_id = ${userId} and source = ${source}`.execute(database.sql);
  return rows[0] ?? { heldForMs: null, failure: null };
}

/** How soon a link is tried again; also when a waiting job counts as lost. */
const retryMs = 600_000;

/**
 * Notes that the link of this user of the source is to be read, unless a job for it waits. Returns our
 * user; none for an unknown one.
 */
export async function markChanged(
  transaction: Transaction<Schema>,
  now: Date,
  { source, providerUserId }: { source: string; providerUserId: string },
): Promise<string[]> {
  return mark(
    transaction,
    now,
    source,
    sql`select user_id from bank_links
      where source = ${source} and provider_user_id = ${providerUserId}`,
  );
}

/** The spreading ends this early, so that the last reading is over in time. */
const marginSeconds = 120;

/** The same for the links whose balances a message is about to say, `most` of them. */
export async function markDue(
  transaction: Transaction<Schema>,
  now: Date,
  {
    source,
    withinMs,
    freshForMs,
    most,
  }: NonNullable<ReadingPolicy['beforeMessage']> & { source: string; most: number },
): Promise<string[]> {
  const soon = new Date(now.getTime() + withinMs);
  // The same for a user each day: seconds before the sending, from the margin to the whole time.
  const spreadSeconds = sql`(${sql.lit(marginSeconds)} + mod(
    abs(hashtext(m.user_id::text)::bigint), ${sql.lit(withinMs / 1000 - marginSeconds)}))`;
  return mark(
    transaction,
    now,
    source,
    sql`select distinct m.user_id
      from messengers m
      join bank_links b on b.user_id = m.user_id and b.source = ${source}
      left join bank_refreshes k on k.user_id = m.user_id and k.source = ${source}
      where m.next_at > ${now} and m.next_at <= ${soon} and m.message like '%{{%' and m.variables
        and m.next_at - ${spreadSeconds} * interval '1 s' <= ${now}
        and coalesce(k.refreshed_at, '-infinity') < m.next_at - ${freshForMs}::int * interval '1 ms'
        and coalesce(k.attempted_at, '-infinity') < ${lostBefore(now)}
        and coalesce(k.scheduled_at, '-infinity') < ${lostBefore(now)}
      limit ${most}`,
  );
}

async function mark(
  transaction: Transaction<Schema>,
  now: Date,
  source: string,
  users: RawBuilder<unknown>,
): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    insert into bank_refreshes as r (user_id, source, scheduled_at)
    select u.user_id, ${source}, ${now}::timestamptz from (${users}) u
    on conflict (user_id, source) do update set scheduled_at = excluded.scheduled_at
      where r.scheduled_at is null or r.scheduled_at < ${lostBefore(now)}
    returning r.user_id`.execute(transaction);
  return rows.map(({ user_id }) => user_id);
}

function lostBefore(now: Date): Date {
  return new Date(now.getTime() - retryMs);
}

/** A job for it has begun: a change from now on needs another. */
export async function unmark(
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

/** Readings noted under a clock that ran ahead of `now` count as older than `longAgo`, or not at all. */
export async function forgetFuture({ database }: Data, now: Date, longAgo: Date): Promise<void> {
  await sql`
    update bank_refreshes set scheduled_at = null, attempted_at = null,
      refreshed_at = case when refreshed_at > ${now} then ${longAgo}::timestamptz else refreshed_at end
    where greatest(scheduled_at, attempted_at, refreshed_at) > ${new Date(now.getTime() + 60_000)}`.execute(
    database.sql,
  );
}

/** The source no longer takes the person's credentials: her connections say so until they are renewed. */
export async function markRefused({ database }: Data, { userId, source }: LinkKey): Promise<void> {
  await database.sql
    .updateTable('bank_connections')
    .set({ state: 'credentials', status: 402, status_description: null })
    .where('user_id', '=', userId)
    .where('source', '=', source)
    .execute();
}
