import { type RawBuilder, sql, type Transaction } from 'kysely';
import { records, unnested } from '../../platform/database/records.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { NotificationsDeps } from '../deps.ts';
import { ownCodes } from '../reasons.ts';
import type { DueDays } from '../schedule/occurrences.ts';
import {
  activeMessenger,
  afterCursor,
  isOwnSending,
  type LockedSlot,
  lockSlot,
  type Slot,
} from '../schedule/slots.ts';
import type { ClaimedDelivery } from './attempt.ts';
import type { DeliverySettings } from './settings.ts';

type Needed = Pick<NotificationsDeps, 'database' | 'chats'>;

export interface DueClaim {
  /** Marked as being sent. The deliveries that cannot be sent now are pending or missed. */
  deliveries: ClaimedDelivery[];
  /** All rows that were written. */
  written: number;
}

interface ClaimOptions {
  now: Date;
  count: number;
  settings: Pick<DeliverySettings, 'leaseMs' | 'uselessAfterMs' | 'testWithinMs'>;
}

/** How days are recorded that are of no use any more. */
export interface UselessEnd {
  outcome: 'missed' | 'uncertain';
  reason: string;
}

export const missedEnd: UselessEnd = { outcome: 'missed', reason: ownCodes.serviceStopped };

interface DueClaimOptions extends ClaimOptions {
  uselessEnd: UselessEnd;
}

/**
 * Claims up to `count` notifications of the slot's next sending, the first of `days`: writes their rows,
 * marked as being sent, and moves the slot on. Days that are of no use any more are recorded with
 * `uselessEnd`, several at once unless the first was begun, and what was read of bank transactions for
 * them is erased. A day that has a row is not sent again, unless it was counted as missed by a clock that ran
 * ahead. Null when another worker has the slot, or has moved it on.
 *
 * The slot is locked by a statement of its own: one that locks and reads would read what was there when
 * it began, for example a notification that was deleted while the lock was not free yet.
 */
export async function claimDue(
  deps: Needed,
  slot: Slot,
  days: DueDays,
  options: DueClaimOptions,
): Promise<DueClaim | null> {
  return await deps.database.sql.transaction().execute(async (transaction) => {
    const locked = await lockSlot(transaction, slot);
    if (!locked) return null;
    return await claimOfSlot(transaction, deps, { ...slot, ...locked }, days, options);
  });
}

/**
 * In one statement, under the lock of the slot.
 *
 * The rows that were written are found by `case … in`, which PostgreSQL looks up in a hash. Of a join
 * with them it would expect one row, and compare each of `count` with each.
 */
async function claimOfSlot(
  transaction: Transaction<Schema>,
  { chats }: Pick<Needed, 'chats'>,
  slot: Slot & LockedSlot,
  { occurrences, next }: DueDays,
  { now, count, settings, uselessEnd }: DueClaimOptions,
): Promise<DueClaim> {
  const isUseful = occurrences[0]?.isUseful ?? false;
  // The notifications before the cursor would get no row of the days behind the first.
  const isAlone = isUseful || slot.isBegun;
  const sendings = isAlone ? occurrences.slice(0, 1) : occurrences.filter((one) => !one.isUseful);
  const following = occurrences[sendings.length] ?? next;
  // Without a sending, only the slot's moment is corrected.
  const limit = sendings.length > 0 ? count : 0;
  const days = sendings.map(({ at, localDate }) => ({ next_at: at, local_date: localDate }));
  const { rows } = await sql<Partial<ClaimedDelivery> & { written: number }>`
    with slot as materialized (
      select id, after_user, after_messenger from slots where id = ${slot.id}
    ), candidates as materialized (
      select m.* from slot s cross join lateral (
        select * from messengers m where m.slot_id = s.id and ${activeMessenger} and ${afterCursor}
        order by m.user_id, m.id limit ${limit}::int
      ) m
    ), due as materialized (
      select gen_random_uuid() as id, m.user_id, m.id as messenger_id, s.next_at as due_at,
        s.local_date, m.channel_id, m.channel_name, m.message as text, m.variables, m.chart,
        m.operations, m.zone, m.offset_minutes,
        ${destinationColumns}, ${isUseful}::boolean and offer.chat is not null
        and dest.state = 'connected' and coalesce(l.blocked_until <= now(), true) as is_marked
      from candidates m
      join (select * from ${unnested(days, { next_at: 'timestamptz', local_date: 'date' })}) s
        on ${isOwnSending(isUseful ? now : endOfTime)}
      ${joinDestination(chats, sql`m.channel_id`)}
    ), written as (
      insert into deliveries as d (user_id, messenger_id, local_date, id, kind, due_at, outcome,
        reason, finished_at, run_at, sending_at, attempts, channel_id, channel_name, created_at)
      select user_id, messenger_id, local_date, id, 'daily', due_at,
        ${isUseful ? 'pending' : uselessEnd.outcome}, ${isUseful ? null : uselessEnd.reason},
        ${isUseful ? null : now}::timestamptz,
        now() + greatest(0, case when is_marked then ${settings.leaseMs / 1000}
          else blocked_seconds end) * interval '1 s',
        case when is_marked then ${now}::timestamptz end, is_marked::int, channel_id, channel_name,
        ${now}
      from due order by user_id, messenger_id
      on conflict (user_id, messenger_id, local_date, sequence) do update
        set id = excluded.id, outcome = 'pending', reason = null, finished_at = null,
          due_at = excluded.due_at, run_at = excluded.run_at,
          sending_at = excluded.sending_at, attempts = excluded.attempts,
          channel_id = excluded.channel_id, channel_name = excluded.channel_name
        where ${isUseful}::boolean and d.outcome = 'missed' and d.attempts = 0
      returning d.id
    ), erased as (
      update message_operations o set sealed = null, prints = null from due
      where not ${isUseful}::boolean and o.user_id = due.user_id
        and o.messenger_id = due.messenger_id and o.due_at = due.due_at
    ), moved as (
      update slots set claimed_at = ${now},
        next_at = case when claim.has_more then slots.next_at else ${following.at} end,
        local_date = case when claim.has_more then slots.local_date else ${following.localDate} end,
        after_user = case when claim.has_more then claim.last[1] end,
        after_messenger = case when claim.has_more then claim.last[2] end
      from slot s, (
        select count(*) >= ${Math.max(1, limit)} as has_more, (select array[user_id, id]
          from candidates order by user_id desc, id desc limit 1) as last from candidates
      ) claim
      where slots.id = s.id returning slots.id
    )
    select (select count(*) from written)::int as written, f.*
    from moved left join (
      select f.id, 0 as sequence, 'daily' as kind, f.local_date as "localDate", f.due_at as "dueAt",
        1 as attempts, 0 as failures, 0 as resends, null::json as crossings, null::timestamptz as "sendingAt",
        null::jsonb as "draftAccounts", null::jsonb as "draftSettings", null as "pausedReason",
        null::timestamptz as "lostAt", false as "isRepeatable",
        ${outputColumns}
      from due f where case when f.is_marked then f.id in (select id from written) end
    ) f on true`.execute(transaction);
  const [first] = rows;
  if (!first) throw new Error('A locked slot is gone.');
  const deliveries = rows.filter((row): row is typeof row & ClaimedDelivery => row.id != null);
  return { deliveries, written: first.written };
}

/** No day that lies before a notification's beginning is counted as missed, whatever the clock says. */
const endOfTime = new Date('9999-01-01T00:00:00Z');

/**
 * Takes the lease of up to `count` pending deliveries whose time has come: tests, alerts, those to be
 * tried again, and those whose worker was killed. Marks the ones that can be sent now as being sent, but for
 * tests, whose post `beginTest` marks.
 * outcome.ts decides what becomes of the others, by the same conditions. Those of `held` are left alone:
 * their lease may have ended early, where the clock of the database went ahead. Without `takesOver`, so is
 * what another worker was sending.
 */
export async function claimWaiting(
  { database, chats }: Needed,
  { now, count, settings, held, takesOver }: ClaimOptions & { held: string[]; takesOver: boolean },
): Promise<ClaimedDelivery[]> {
  if (!(await isAnyWaiting(database))) return [];
  const usefulSince = new Date(now.getTime() - settings.uselessAfterMs);
  const testsSince = new Date(now.getTime() - settings.testWithinMs);
  const channel = sql`(case t.kind when 'test' then t.channel_id else m.channel_id end)`;
  const { rows } = await sql<ClaimedDelivery>`
    with taken as materialized (
      select *, coalesce(lost_at, sending_at) as first_lost_at from deliveries
      where outcome = 'pending' and run_at <= now() and id <> all(${held}::uuid[])
        and (sending_at is null or ${takesOver}::boolean)
      order by run_at limit ${count}::int for update skip locked
    ), found as materialized (
      select t.user_id, t.messenger_id, t.local_date, t.sequence, t.id, t.kind, t.due_at,
        t.sending_at, t.first_lost_at, t.attempts, t.failures, t.resends, m.operations,
        m.zone, m.offset_minutes,
        coalesce((t.draft_settings->>'chart')::boolean, m.chart) as chart,
        case t.kind when 'alert' then '' else coalesce(t.draft, m.message) end as text,
        case t.kind when 'alert' then ${crossingsOf} end as crossings, ${channel} as channel_id,
        case t.kind when 'test' then t.channel_name else m.channel_name end as channel_name,
        case when t.kind <> 'alert' and coalesce(t.draft, m.message) = m.message
          then m.variables end as variables,
        t.draft_accounts, t.draft_settings,
        case when m.paused_at is not null then coalesce(m.paused_reason, 'paused')
          when m.stopped or m.paused_until > t.local_date then 'paused' end as paused_reason,
        ${destinationColumns}, offer.chat is not null as is_offered,
        coalesce(offer.repeats and (offer.within_ms is null or
          extract(epoch from ${now}::timestamptz - t.first_lost_at) * 1000 <= offer.within_ms),
          false) as is_repeatable
      from taken t join messengers m on m.user_id = t.user_id and m.id = t.messenger_id
      ${joinDestination(chats, channel)}
    ), decided as materialized (
      select *, channel_id is not null and (text <> '' or crossings is not null) and is_offered
        and state = 'connected' and blocked_seconds <= 0
        and case when sending_at is null then resends = 0 or is_repeatable
          else resends = 0 and kind <> 'test' and is_repeatable end
        and due_at >= case kind when 'test' then ${testsSince}::timestamptz
          else ${usefulSince}::timestamptz end
        and (kind = 'test' or paused_reason is null) as is_marked
      from found
    ), marked as (
      update deliveries d set run_at = now() + ${settings.leaseMs} * interval '1 ms',
        sending_at = case when f.is_marked and f.kind <> 'test' then ${now} else d.sending_at end,
        lost_at = case when f.is_marked then coalesce(d.lost_at, d.sending_at) else d.lost_at end,
        reason = case when not f.is_marked then d.reason end,
        attempts = d.attempts + f.is_marked::int,
        resends = d.resends + (f.is_marked and d.sending_at is not null)::int,
        channel_id = case when f.is_marked then f.channel_id else d.channel_id end,
        channel_name = case when f.is_marked then f.channel_name else d.channel_name end
      from decided f where ${sameDelivery('d', 'f')}
    ), orphans as (
      delete from deliveries d using taken t where ${sameDelivery('d', 't')}
        and not exists (select from found f where ${sameDelivery('f', 't')})
    )
    select f.id, f.sequence, f.kind, f.crossings, f.local_date as "localDate", f.due_at as "dueAt",
      f.attempts + f.is_marked::int as attempts, f.failures,
      f.resends + (f.is_marked and f.sending_at is not null)::int as resends,
      f.sending_at as "sendingAt", f.first_lost_at as "lostAt",
      f.draft_accounts as "draftAccounts", f.draft_settings as "draftSettings",
      f.paused_reason as "pausedReason", f.is_repeatable as "isRepeatable", ${outputColumns}
    from decided f order by f.due_at`.execute(database.sql);
  return rows;
}

/** Asked several times a second: far less work than the claim, of which most find nothing. */
async function isAnyWaiting({ sql: database }: Needed['database']): Promise<boolean> {
  const { rows } = await sql`select 1 from deliveries
    where outcome = 'pending' and run_at <= now() limit 1`.execute(database);
  return rows.length > 0;
}

/**
 * At the start of the only process of an embedded database: what an earlier one was sending waits for
 * no lease.
 */
export async function releaseLeases({ database }: Pick<Needed, 'database'>): Promise<void> {
  await sql`update deliveries set run_at = now()
    where outcome = 'pending' and sending_at is not null and run_at > now()`.execute(database.sql);
}

/**
 * What the alert `t` tells, as `NamedCrossing`s; null when all of it was deleted or hidden since. An account
 * that `m` does not cover any more is told by an alert on it alone.
 */
const crossingsOf = sql`(
  select json_agg(json_build_object('amountMinor', c.amount_minor, 'balanceMinor', c.balance_minor,
    'changeMinor', c.change_minor, 'currency', c.currency, 'accounts', c.accounts,
    'asOf', (date_part('epoch', c.as_of) * 1000)::bigint, 'isHeld', c.release_at is not null,
    'account', case when a.id is not null then json_build_object('id', a.id, 'name', a.name,
      'bank', json_build_object('name', a.bank_name)) end) order by c.id)
  from alert_crossings c
  join alerts w on w.user_id = c.user_id and w.id = c.alert_id
  left join bank_accounts a on a.user_id = c.user_id and a.id = c.account_id
  left join messenger_accounts chosen on m.account_scope = 'chosen' and chosen.user_id = m.user_id
    and chosen.messenger_id = m.id and chosen.account_id = a.id
  where c.delivery_id = t.id and (a.id is null or (a.gone_at is null and (w.account_id = a.id
    or m.account_scope = 'all' or coalesce(chosen.included, m.includes_new)))))`;

const destinationColumns = sql`dest.id as destination_id, dest.chat, dest.team_id, dest.state,
  dest.sealed_secret, coalesce(extract(epoch from l.blocked_until - now()), 0)::float8
    as blocked_seconds`;

/** The columns that both claims have under the same names. */
const outputColumns = sql`f.user_id as "userId", f.messenger_id as "messengerId", f.text,
  f.variables, f.chart, f.operations <> 'off' as "hasTransactions", f.zone,
  f.offset_minutes as "offsetMinutes", f.channel_id as "channelId",
  f.destination_id as "destinationId", f.chat, f.team_id as "teamId", f.state,
  f.sealed_secret as "sealedSecret", f.blocked_seconds as "blockedSeconds",
  f.is_marked as "isMarked"`;

function sameDelivery(one: string, other: string): RawBuilder<boolean> {
  const columns = ['user_id', 'messenger_id', 'local_date', 'sequence'];
  return sql.raw(columns.map((name) => `${one}.${name} = ${other}.${name}`).join(' and '));
}

/** The destination of `m`, its chat as it is offered here, and the waits that the chat asked for. */
function joinDestination(
  chats: Needed['chats'],
  channel: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const offered = [...chats].map(([chat, { repeat }]) => ({
    ...{ chat, repeats: repeat !== 'never' },
    within_ms: typeof repeat === 'object' ? repeat.withinMs : null,
  }));
  return sql`
    join destinations dest on dest.user_id = m.user_id and dest.id = m.destination_id
    left join (select * from ${records(offered, 'chat text, repeats boolean, within_ms float8')}
    ) offer on offer.chat = dest.chat
    left join lateral (
      select max(blocked_until) as blocked_until from chat_limits l where l.chat = dest.chat
        and (l.scope, l.team_id, l.channel_id) in (('service', '', ''),
          ('team', dest.team_id, ''), ('channel', dest.team_id, ${channel}))
    ) l on true`;
}
