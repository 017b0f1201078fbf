import { type NotNull, type RawBuilder, sql, type Transaction } from 'kysely';
import type { ConnectionState } from '../../../shared/banks/states.ts';
import { hourMs } from '../../../shared/calendar/durations.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { Platform } from '../../platform/platform.ts';
import type { ReadingPolicy } from '../../providers/banks/port.ts';
import { confirmedAfterMs } from '../connections/missing.ts';
import { statusNumbers } from '../connections/store.ts';
import type { FigureNeeds } from '../deps.ts';

type Data = Pick<Platform, 'database'>;

/** One user's link with one source. */
export interface LinkKey {
  userId: string;
  source: string;
}

export interface Lease {
  /** The link's count of erasures when the lease was taken; see storeReading. */
  erasures: number;
  /** When it ends, as the database writes it. Once the row has another value, another worker has it. */
  until: string;
}

/** Longer than a reading takes. After this time, the lease of a worker that died can be taken. */
export const leaseMs = 45_000;

/**
 * The right to read this link, held by one worker at a time. Null while another holds it. `unattended`: how
 * the source limits readings without the person; this one counts as such. Null where none is counted.
 */
export async function acquireLease(
  { database, clock }: Pick<Platform, 'database' | 'clock'>,
  { userId, source }: LinkKey,
  unattended: ReadingPolicy['unattended'] | null,
): Promise<Lease | null> {
  const now = clock.now();
  const { rows } = await sql<Lease>`
    insert into bank_refreshes as r (user_id, source, attempted_at, leased_until, unattended_at)
    values (${userId}, ${source}, ${now}, now() + ${leaseMs}::int * interval '1 ms',
      ${unattended ? sql`array[${now}::timestamptz]` : sql`'{}'::timestamptz[]`})
    on conflict (user_id, source) do update
      set attempted_at = excluded.attempted_at, leased_until = excluded.leased_until,
        unattended_at = ${unattended ? sql`array(${countedReadings('r', now, unattended)})` : sql`r.unattended_at`}
          || excluded.unattended_at
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

/** How soon a link is tried again; also when a waiting job counts as lost. */
const retryMs = 600_000;

/**
 * The readings of the row `refreshes` without the person that still count. One that is dated after `now` comes
 * from a clock that was set back.
 */
function countedReadings(
  refreshes: 'r' | 'k',
  now: Date,
  { spanMs }: NonNullable<ReadingPolicy['unattended']>,
): RawBuilder<unknown> {
  const since = new Date(now.getTime() - spanMs);
  return sql`select m from unnest(${sql.ref(`${refreshes}.unattended_at`)}) m
    where m > ${since} and m <= ${now}`;
}

/** Whether more than `spared` of these readings are left to the link of `k`. */
function isAnyLeft(
  now: Date,
  unattended: ReadingPolicy['unattended'],
  spared: number,
): RawBuilder<boolean> {
  if (!unattended) return sql`true`;
  const count = sql`(select count(*) from (${countedReadings('k', now, unattended)}) counted)`;
  return sql`${count} < ${unattended.most - spared}::int`;
}

/** Selects our user whom the source calls `providerUserId`, due now. */
export function linkOfProviderUser(
  now: Date,
  kind: string,
  providerUserId: string,
): RawBuilder<unknown> {
  return sql`select user_id, ${now}::timestamptz as due_at from bank_links
    where source = ${kind} and provider_user_id = ${providerUserId}`;
}

/** Selects a user of ours who has a link with the source, due now. */
export function linkOfUser(now: Date, kind: string, userId: string): RawBuilder<unknown> {
  return sql`select user_id, ${now}::timestamptz as due_at from bank_links
    where user_id = ${userId} and source = ${kind}`;
}

/** A reading may take so much longer than its lease before its worker counts as dead. */
const slowMs = 30_000;

/** The last readings begin this long before the message, so that they are over in time. */
const marginSeconds = 120;

/**
 * Selects the users with a link of whom a message with variables leaves soon, the first `most` of them,
 * due with it. `silentBanks`: also those whose last reading had no answer of `some` of their banks, or of `all`.
 * An attempt within the last minutes puts the reading off, but not at the moment of their own, as where a page
 * was loaded just before; nor where the worker died: its lease is still there, and has run out long ago.
 */
export function dueLinks(
  now: Date,
  kind: string,
  { beforeMessage: { withinMs, freshForMs }, unattended }: MessagePolicy,
  needs: FigureNeeds,
  { most, silentBanks }: { most: number; silentBanks: 'none' | 'some' | 'all' },
): RawBuilder<unknown> {
  const soon = new Date(now.getTime() + withinMs);
  // The same for a user each day: seconds before the sending, from the margin to the whole time.
  const spreadSeconds = sql`(${sql.lit(marginSeconds)} + mod(
    abs(hashtext(n.user_id::text)::bigint), ${sql.lit(withinMs / 1000 - marginSeconds)}))`;
  const ownMoment = sql`n.due_at - ${spreadSeconds} * interval '1 s'`;
  const hasBankIn = (...states: ConnectionState[]) => sql`exists (select 1 from bank_connections c
    where c.user_id = n.user_id and c.source = ${kind} and c.gone_at is null
      and c.state in (${sql.join(states)}))`;
  const isOlderThan = (ms: number) =>
    sql`coalesce(k.refreshed_at, '-infinity') < n.due_at - ${ms}::int * interval '1 ms'`;
  const isOldForSpare = unattended
    ? sql`${isOlderThan(unattended.freshForMs)} and ${isAnyLeft(now, unattended, 1)}`
    : sql`false`;
  return sql`select n.user_id, min(n.due_at) as due_at
    from (${needs.ofMessages(now, soon)}) n
    join bank_links b on b.user_id = n.user_id and b.source = ${kind}
    left join bank_refreshes k on k.user_id = n.user_id and k.source = ${kind}
    where ${ownMoment} <= ${now}
      and (${isOlderThan(freshForMs)} or ${isOldForSpare}
        or ${silentBanks !== 'none'} and ${hasBankIn('unreachable', 'limited')}
          and (${silentBanks === 'some'} or not ${hasBankIn('ok')}))
      and (k.leased_until < now() - ${slowMs}::int * interval '1 ms'
        or coalesce(k.attempted_at, '-infinity') < greatest(${retryBefore(now)}::timestamptz, ${ownMoment}))
      and coalesce(k.scheduled_at, '-infinity') < ${retryBefore(now)}
    group by n.user_id
    order by due_at
    limit ${most}`;
}

type MessagePolicy = Pick<ReadingPolicy, 'unattended'> & {
  beforeMessage: NonNullable<ReadingPolicy['beforeMessage']>;
};

/** Each user's first reading of the day begins at a minute of their own within these. */
const morningMinutes = 50;

/** Links count as due this much early, so that two readings are never further apart than `everyMs`. */
const earlyMs = 5 * 60_000;

/**
 * Selects the users with a link of which an alert watches an account, and that was not read lately. They
 * are due after the messages that are about to be sent. `watched` is what `FigureNeeds.ofAlerts` selects.
 */
export function watchedLinks(
  now: Date,
  kind: string,
  { forAlerts: { everyMs }, unattended }: AlertPolicy,
  watched: RawBuilder<unknown>,
  most: number,
): RawBuilder<unknown> {
  const readBefore = new Date(now.getTime() - everyMs + earlyMs);
  return sql`select distinct w.user_id, ${new Date(now.getTime() + everyMs)}::timestamptz as due_at
    from (${watched}) w
    join bank_links b on b.user_id = w.user_id and b.source = ${kind}
    left join bank_accounts a on a.user_id = w.user_id and a.id = w.account_id
    left join bank_refreshes k on k.user_id = w.user_id and k.source = ${kind}
    where (w.account_id is null or a.source = ${kind})
      and mod(abs(hashtext(w.user_id::text)::bigint), ${sql.lit(morningMinutes)}) <= w.minutes
      and coalesce(k.refreshed_at, '-infinity') < ${readBefore}
      and coalesce(k.attempted_at, '-infinity') < ${retryBefore(now)}
      and coalesce(k.scheduled_at, '-infinity') < ${retryBefore(now)}
      and ${isAnyLeft(now, unattended, 0)}
    limit ${most}`;
}

type AlertPolicy = Pick<ReadingPolicy, 'unattended'> & {
  forAlerts: NonNullable<ReadingPolicy['forAlerts']>;
};

/**
 * Selects the users with a link whom the source did not know so long ago, and of whom it was not asked since
 * it would confirm that, the first `most` of them, due now.
 */
export function unconfirmedLinks(now: Date, kind: string, most: number): RawBuilder<unknown> {
  const span = sql`${confirmedAfterMs}::int * interval '1 ms'`;
  return sql`select k.user_id, ${now}::timestamptz as due_at from bank_refreshes k
    join bank_links b on b.user_id = k.user_id and b.source = k.source
    where k.source = ${kind} and k.unknown_since + ${span} <= ${now}
      and k.attempted_at < k.unknown_since + ${span}
      and coalesce(k.scheduled_at, '-infinity') < ${retryBefore(now)}
    limit ${most}`;
}

/**
 * Notes that the links of these users with a source are to be read. Returns the users of whom it was
 * not noted before, or so long ago that the job counts as lost. Leaves out a user who is being deleted,
 * with whom the statement would fail for all.
 */
export async function markScheduled(
  transaction: Transaction<Schema>,
  kind: string,
  now: Date,
  links: RawBuilder<unknown>,
): Promise<{ user_id: string; due_at: Date }[]> {
  const { rows } = await sql<{ user_id: string; due_at: Date }>`
    with due as materialized (${links}), marked as (
      insert into bank_refreshes as r (user_id, source, scheduled_at)
      select u.id, ${kind}, ${now}::timestamptz from due join users u on u.id = due.user_id
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

function retryBefore(now: Date): Date {
  return new Date(now.getTime() - retryMs);
}

/** Called when a job for the link begins: a change from now on needs another job. */
export async function unmarkScheduled(
  { database }: Data,
  userId: string,
  kind: string | undefined,
): Promise<void> {
  await database.sql
    .updateTable('bank_refreshes')
    .set({ scheduled_at: null })
    .where('user_id', '=', userId)
    .$if(kind !== undefined, (query) => query.where('source', '=', kind ?? ''))
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
