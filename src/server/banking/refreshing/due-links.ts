import { type RawBuilder, sql } from 'kysely';
import type { ConnectionState } from '../../../shared/banks/states.ts';
import type { ReadingPolicy } from '../../providers/banks/port.ts';
import { confirmedAfterMs } from '../connections/missing.ts';
import type { FigureNeeds } from '../deps.ts';

/** Selects our user whom the source calls `providerUserId`, due now. */
export function linkOfProviderUser(
  now: Date,
  source: string,
  providerUserId: string,
): RawBuilder<unknown> {
  return sql`select user_id, ${now}::timestamptz as due_at from bank_links
    where source = ${source} and provider_user_id = ${providerUserId}`;
}

/** Selects a user of ours who has a link with the source, due now. */
export function linkOfUser(now: Date, source: string, userId: string): RawBuilder<unknown> {
  return sql`select user_id, ${now}::timestamptz as due_at from bank_links
    where user_id = ${userId} and source = ${source}`;
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
  source: string,
  { withinMs, freshForMs }: NonNullable<ReadingPolicy['beforeMessage']>,
  needs: FigureNeeds,
  { most, silentBanks }: { most: number; silentBanks: 'none' | 'some' | 'all' },
): RawBuilder<unknown> {
  const soon = new Date(now.getTime() + withinMs);
  // The same for a user each day: seconds before the sending, from the margin to the whole time.
  const spreadSeconds = sql`(${sql.lit(marginSeconds)} + mod(
    abs(hashtext(n.user_id::text)::bigint), ${sql.lit(withinMs / 1000 - marginSeconds)}))`;
  const ownMoment = sql`n.due_at - ${spreadSeconds} * interval '1 s'`;
  const hasBankIn = (...states: ConnectionState[]) => sql`exists (select 1 from bank_connections c
    where c.user_id = n.user_id and c.source = ${source} and c.gone_at is null
      and c.state in (${sql.join(states)}))`;
  return sql`select n.user_id, min(n.due_at) as due_at
    from (${needs.ofMessages(now, soon)}) n
    join bank_links b on b.user_id = n.user_id and b.source = ${source}
    left join bank_refreshes k on k.user_id = n.user_id and k.source = ${source}
    where ${ownMoment} <= ${now}
      and (coalesce(k.refreshed_at, '-infinity') < n.due_at - ${freshForMs}::int * interval '1 ms'
        or ${silentBanks !== 'none'} and ${hasBankIn('unreachable', 'limited')}
          and (${silentBanks === 'some'} or not ${hasBankIn('ok')}))
      and (k.leased_until < now() - ${slowMs}::int * interval '1 ms'
        or coalesce(k.attempted_at, '-infinity') < greatest(${retryBefore(now)}::timestamptz, ${ownMoment}))
      and coalesce(k.scheduled_at, '-infinity') < ${retryBefore(now)}
    group by n.user_id
    order by due_at
    limit ${most}`;
}

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
  source: string,
  { everyMs }: NonNullable<ReadingPolicy['forAlerts']>,
  watched: RawBuilder<unknown>,
  most: number,
): RawBuilder<unknown> {
  const readBefore = new Date(now.getTime() - everyMs + earlyMs);
  return sql`select distinct w.user_id, ${new Date(now.getTime() + everyMs)}::timestamptz as due_at
    from (${watched}) w
    join bank_links b on b.user_id = w.user_id and b.source = ${source}
    left join bank_accounts a on a.user_id = w.user_id and a.id = w.account_id
    left join bank_refreshes k on k.user_id = w.user_id and k.source = ${source}
    where (w.account_id is null or a.source = ${source})
      and mod(abs(hashtext(w.user_id::text)::bigint), ${sql.lit(morningMinutes)}) <= w.minutes
      and coalesce(k.refreshed_at, '-infinity') < ${readBefore}
      and coalesce(k.attempted_at, '-infinity') < ${retryBefore(now)}
      and coalesce(k.scheduled_at, '-infinity') < ${retryBefore(now)}
    limit ${most}`;
}

/**
 * Selects the users with a link whom the source did not know so long ago, and of whom it was not asked since
 * it would confirm that, the first `most` of them, due now.
 */
export function unconfirmedLinks(now: Date, source: string, most: number): RawBuilder<unknown> {
  const span = sql`${confirmedAfterMs}::int * interval '1 ms'`;
  return sql`select k.user_id, ${now}::timestamptz as due_at from bank_refreshes k
    join bank_links b on b.user_id = k.user_id and b.source = k.source
    where k.source = ${source} and k.unknown_since + ${span} <= ${now}
      and k.attempted_at < k.unknown_since + ${span}
      and coalesce(k.scheduled_at, '-infinity') < ${retryBefore(now)}
    limit ${most}`;
}

/**
 * Selects the users with a link of which the last reading brought nothing, or had no answer of a bank, and of
 * which none began since: in an hour where nothing was ever read, in a day otherwise. The first `most` of
 * them, due now. For sources that pages do not ask: who has no message waits for nobody else to do it.
 */
export function silentLinks(now: Date, source: string, most: number): RawBuilder<unknown> {
  const isSilent = sql`exists (select 1 from bank_connections c where c.user_id = k.user_id
    and c.source = k.source and c.gone_at is null and c.state in ('unreachable', 'limited'))`;
  return sql`select k.user_id, ${now}::timestamptz as due_at from bank_refreshes k
    join bank_links b on b.user_id = k.user_id and b.source = k.source
    where k.source = ${source} and (k.failure is not null or ${isSilent})
      and k.attempted_at < ${now}::timestamptz
        - case when k.refreshed_at is null then interval '1 hour' else interval '1 day' end
      and coalesce(k.scheduled_at, '-infinity') < ${retryBefore(now)}
    limit ${most}`;
}

/** How soon a link is tried again; also when a waiting job counts as lost. */
const retryMs = 600_000;

export function retryBefore(now: Date): Date {
  return new Date(now.getTime() - retryMs);
}
