import { sql, type Transaction } from 'kysely';
import type { Schema } from '../../platform/database/schema.ts';
import type { Platform } from '../../platform/platform.ts';
import { bankRefreshJobs } from '../jobs.ts';

type Needed = Pick<Platform, 'database' | 'queue' | 'clock'>;

/** How long before a sending its figures are made fresh, and how old they may be then. */
const beforehandMs = 3_600_000;
const freshForMs = 6 * 3_600_000;
/** The spreading ends this early, so that the last reading is over in time. */
const marginSeconds = 120;
/** How soon a user is tried again; also when a waiting job counts as lost. */
const retryMs = 600_000;

/** Users read in one transaction. */
const most = 500;

/**
 * Has the bank of this user of the provider read again. A bank tells of one refresh in many
 * notices: the job is left to the worker's next look, so that one reading answers them all.
 * Unknown users are nobody's.
 */
export async function wantReading(deps: Needed, providerUserId: string): Promise<void> {
  const now = deps.clock.now();
  await deps.database.sql.transaction().execute(async (transaction) => {
    const { rows } = await sql<Wanted>`
      insert into bank_refreshes as r (user_id, wanted_at)
      select user_id, ${now}::timestamptz from bank_users
      where provider_user_id = ${providerUserId}
      on conflict (user_id) do update set wanted_at = excluded.wanted_at
        where r.wanted_at is null or r.wanted_at < ${lostBefore(now)}
      returning r.user_id`.execute(transaction);
    await enqueue(deps, transaction, rows, now);
  });
}

/**
 * Has the banks read whose figures a message within the hour will speak of, when they would be
 * older than six hours by then. Each user has a moment of his own in that hour, so that a thousand
 * messages at nine are no thousand calls at eight. Returns how many there were, at most 500.
 */
export async function wantDueReadings(deps: Needed): Promise<number> {
  const now = deps.clock.now();
  const soon = new Date(now.getTime() + beforehandMs);
  return await deps.database.sql.transaction().execute(async (transaction) => {
    const { rows } = await sql<Wanted>`
      insert into bank_refreshes as r (user_id, wanted_at)
      select distinct m.user_id, ${now}::timestamptz
      from messengers m
      join bank_users b on b.user_id = m.user_id
      left join bank_refreshes k on k.user_id = m.user_id
      where m.next_at > ${now} and m.next_at <= ${soon} and m.message like '%{{%' and m.variables
        and m.next_at - ${spreadSeconds} * interval '1 s' <= ${now}
        and coalesce(k.refreshed_at, '-infinity') < m.next_at - ${freshForMs}::int * interval '1 ms'
        and coalesce(k.attempted_at, '-infinity') < ${lostBefore(now)}
        and coalesce(k.wanted_at, '-infinity') < ${lostBefore(now)}
      limit ${most}
      on conflict (user_id) do update set wanted_at = excluded.wanted_at
        where r.wanted_at is null or r.wanted_at < ${lostBefore(now)}
      returning r.user_id`.execute(transaction);
    await enqueue(deps, transaction, rows, now);
    return rows.length;
  });
}

interface Wanted {
  user_id: string;
}

/** The same for a user each day: seconds before the sending, from the margin to the whole hour. */
const spreadSeconds = sql<number>`(${sql.lit(marginSeconds)} + mod(
  abs(hashtext(m.user_id::text)::bigint), ${sql.lit(beforehandMs / 1000 - marginSeconds)}))`;

function lostBefore(now: Date): Date {
  return new Date(now.getTime() - retryMs);
}

async function enqueue(
  { queue }: Needed,
  transaction: Transaction<Schema>,
  rows: Wanted[],
  now: Date,
): Promise<void> {
  const wantedAt = now.getTime();
  const jobs = rows.map(({ user_id: userId }) => ({ data: { userId, wantedAt } }));
  await queue.insert(transaction, bankRefreshJobs, jobs);
}

/** What was noted under a clock that ran ahead of `now` would keep readings waiting until then. */
export async function forgetFutureReadings(
  { database }: Pick<Platform, 'database'>,
  now: Date,
): Promise<void> {
  const longAgo = new Date(now.getTime() - freshForMs);
  await sql`
    update bank_refreshes set wanted_at = null, attempted_at = null,
      refreshed_at = case when refreshed_at > ${now} then ${longAgo}::timestamptz else refreshed_at end
    where greatest(wanted_at, attempted_at, refreshed_at) > ${new Date(now.getTime() + 60_000)}`.execute(
    database.sql,
  );
}

/** Its job has begun: what is wanted from now on needs another. */
export async function unwant(
  { database }: Pick<Platform, 'database'>,
  ownerId: string,
): Promise<void> {
  await database.sql
    .updateTable('bank_refreshes')
    .set({ wanted_at: null })
    .where('user_id', '=', ownerId)
    .execute();
}
