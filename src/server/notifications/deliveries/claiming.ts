import { sql, type Transaction } from 'kysely';
import { unnested } from '../../platform/database/records.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { hasErrorCode } from '../../platform/error-code.ts';
import type { NotificationsDeps } from '../deps.ts';
import { ownCodes } from '../reasons.ts';
import type { DueDays } from '../schedule/occurrences.ts';
import { isSharedSlot, type LockedSlot, lockSharedSlot, lockSlot } from '../schedule/slot-locks.ts';
import { activeMessenger, afterCursor, isOwnSending, type Slot } from '../schedule/slots.ts';
import type { ClaimedDelivery } from './attempt.ts';
import { claimedColumns, destinationColumns, joinDestination } from './claimed-columns.ts';
import type { DeliverySettings } from './settings.ts';

type Needed = Pick<NotificationsDeps, 'database' | 'chats'>;

export interface DueClaim {
  /** Marked as being sent. The deliveries that cannot be sent now are pending or missed. */
  deliveries: ClaimedDelivery[];
  /** All rows that were written. */
  written: number;
}

export interface ClaimOptions {
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
  return await claimLocked(deps, lockSlot, slot, days, options);
}

/**
 * The same for a slot that changes of notifications have: it waits for them, some two seconds at most, and
 * the ones that come later wait for it. Null at once when another worker has the slot.
 */
export async function claimShared(
  deps: Needed,
  slot: Slot,
  days: DueDays,
  options: DueClaimOptions,
): Promise<DueClaim | null> {
  if (!(await isSharedSlot(deps.database, slot))) return null;
  try {
    return await claimLocked(deps, lockSharedSlot, slot, days, options);
  } catch (error) {
    if (hasErrorCode(error, '55P03')) return null;
    throw error;
  }
}

async function claimLocked(
  deps: Needed,
  lock: typeof lockSlot,
  slot: Slot,
  days: DueDays,
  options: DueClaimOptions,
): Promise<DueClaim | null> {
  return await deps.database.sql.transaction().execute(async (transaction) => {
    const locked = await lock(transaction, slot);
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
        ${destinationColumns}, ${isUseful}::boolean
        and dest.chat = any(${[...chats.keys()]}::text[]) and dest.state = 'connected' and coalesce(l.blocked_until <= now(), true) as is_marked
      from candidates m
      join (select * from ${unnested(days, { next_at: 'timestamptz', local_date: 'date' })}) s
        on ${isOwnSending(isUseful ? now : endOfTime)}
      ${joinDestination(sql`m.channel_id`)}
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
        null::timestamptz as "lostAt", ${claimedColumns}
      from due f where case when f.is_marked then f.id in (select id from written) end
    ) f on true`.execute(transaction);
  const [first] = rows;
  if (!first) throw new Error('A locked slot is gone.');
  const deliveries = rows.filter((row): row is typeof row & ClaimedDelivery => row.id != null);
  return { deliveries, written: first.written };
}

/** No day that lies before a notification's beginning is counted as missed, whatever the clock says. */
const endOfTime = new Date('9999-01-01T00:00:00Z');
