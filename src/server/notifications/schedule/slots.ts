import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import { addDays } from '../../../shared/calendar/local-date.ts';
import { maxClockSkewMs } from '../../platform/clock.ts';
import type { OpenDatabase } from '../../platform/database/open.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transactions.ts';
import type { Platform } from '../../platform/platform.ts';
import { nextSending, type SlotColumns, scheduleOf } from './next-sending.ts';

export type Slot = Selectable<Schema['slots']>;

type SlotKey = SlotColumns & { user_id: string };

/**
 * The slot of a schedule and a user, locked until the end of the transaction: no claim moves it on
 * before what the transaction writes is seen. It is inserted, at the first sending after `now`, if there
 * is none. What begins in it begins at a moment that is read afterwards.
 */
export async function slotFor(database: Kysely<Schema>, key: SlotKey, now: Date): Promise<Slot> {
  const { hours, minutes, zone, offset_minutes, days, holidays } = key;
  const schedule = { hours, minutes, zone, offset_minutes, days, holidays };
  const shard = shardOf(key.user_id);
  const { rows } = await sql<Slot>`
    select * from slots where hours = ${hours} and minutes = ${minutes} and days = ${days}
      and zone is not distinct from ${zone} and holidays is not distinct from ${holidays}
      and offset_minutes is not distinct from ${offset_minutes} and shard = ${shard}
    for share`.execute(database);
  if (rows[0]) return rows[0];
  // Of the schedule alone: others share the slot, and none of them the pause of this notification.
  const { at: next_at, localDate: local_date } = nextSending(scheduleOf(schedule), now);
  return await database
    .insertInto('slots')
    .values({ ...schedule, shard, next_at, local_date })
    .onConflict((conflict) =>
      conflict.columns(slotColumns).doUpdateSet(({ ref }) => ({ hours: ref('excluded.hours') })),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
}

const slotColumns = [
  ...(['hours', 'minutes', 'zone', 'offset_minutes', 'days', 'holidays', 'shard'] as const),
];

/** A quarter of the users, by the first digit of their ids. */
function shardOf(userId: string): number {
  return Number.parseInt(userId.slice(0, 1), 16) % 4;
}

/**
 * The slots that send next, the earliest first, with the time of the database's machine. Those that were to
 * send before `since` are left out.
 */
export async function readNextSlots(
  { sql: database }: OpenDatabase,
  count: number,
  since = new Date(0),
): Promise<{ slots: Slot[]; databaseNow: Date; claimedAt: Date | null }> {
  const { rows } = await sql<Slot & { database_now: Date; last_claimed_at: Date | null }>`
    select s.*, t.* from (select clock_timestamp() as database_now,
      (select max(claimed_at) from slots) as last_claimed_at) t
    left join lateral (select * from slots where next_at >= ${since}
      order by next_at limit ${count}) s on true`.execute(database);
  const [first] = rows;
  if (!first) throw new Error('The database gave no time.');
  return {
    slots: rows.filter(({ id }) => id !== null),
    databaseNow: first.database_now,
    claimedAt: first.last_claimed_at,
  };
}

/** Puts a slot off that cannot be computed here, unless another worker has moved it on. Its day stays. */
export async function postponeSlot(
  { sql: database }: OpenDatabase,
  slot: Slot,
  to: Date,
): Promise<void> {
  await database
    .updateTable('slots')
    .set({ next_at: to })
    .where('id', '=', slot.id)
    .where('next_at', '=', slot.next_at)
    .execute();
}

/**
 * Computes the next sending of each slot again, for rules of zones that changed with this version. With
 * `from`, slots that lie later than they can be are planned from that moment: a clock had run ahead, or an
 * earlier version put a slot off by the pause of one notification.
 */
export async function realignSlots(
  { database, log }: Pick<Platform, 'database' | 'log'>,
  from: Date | null = null,
): Promise<void> {
  for (const slot of await database.sql.selectFrom('slots').selectAll().execute()) {
    const expected = expectedOf({ log }, slot, from);
    if (!expected || expected.at.getTime() === slot.next_at.getTime()) continue;
    await database.sql
      .updateTable('slots')
      .set({ next_at: expected.at, local_date: expected.localDate })
      .$if(from !== null, (query) => query.set({ after_user: null, after_messenger: null }))
      .where('id', '=', slot.id)
      .where('next_at', '=', slot.next_at)
      .execute();
    log.warn({ slot: slot.id, from: slot.next_at, to: expected.at }, 'a slot was planned again');
  }
}

function expectedOf({ log }: Pick<Platform, 'log'>, slot: Slot, from: Date | null) {
  try {
    const schedule = scheduleOf(slot);
    const dayBefore = addDays(slot.local_date, -1);
    const ofItsDay = nextSending(schedule, new Date(dayBefore), dayBefore);
    const soonest = from && nextSending(schedule, from);
    return soonest && soonest.at < ofItsDay.at ? soonest : ofItsDay;
  } catch (error) {
    log.error({ err: error, zone: slot.zone }, 'an hour cannot be computed');
    return null;
  }
}

/** A clock that ran ahead claimed these slots: they count as claimed at `now`. */
export async function forgetLaterClaims(
  { database }: Pick<Platform, 'database'>,
  now: Date,
): Promise<void> {
  await database.sql
    .updateTable('slots')
    .set({ claimed_at: now })
    .where('claimed_at', '>', now)
    .execute();
}

/** Whether a notification, `m`, has a channel to post to, and neither its owner nor a failure stopped it. */
export const canPost = sql<boolean>`(m.channel_id is not null and m.paused_at is null
  and not m.stopped)`;

/** As `isActive` of next-sending.ts. */
export const activeMessenger = sql<boolean>`(${canPost} and m.message <> '')`;

/** Whether it is not paused on this day by its owner, or not any more. */
export function isUnpausedOn(day: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(m.paused_until is null or m.paused_until <= ${day})`;
}

/** The notifications whose sending before `moment` was not claimed yet. */
export async function countUnclaimed(
  { sql: database }: OpenDatabase,
  moment: Date,
): Promise<{ count: number; oldest: Date | null }> {
  const { rows } = await sql<{ count: number; oldest: Date | null }>`
    select count(*) as count, min(s.next_at) as oldest from slots s
    join messengers m on m.slot_id = s.id and ${activeMessenger}
      and ${afterCursor} and ${isOwnSending(moment)}
    where s.next_at < ${moment}`.execute(database);
  return rows[0] ?? { count: 0, oldest: null };
}

/** Whether a sending of the slot, `s`, is one of the notification's own: as `nextOf` of next-sending.ts computes it. */
export function isOwnSending(now: Date): RawBuilder<boolean> {
  const soon = new Date(now.getTime() + maxClockSkewMs);
  return sql<boolean>`((m.active_since < s.next_at or m.active_since > ${soon})
    and (m.planned_on is null or m.planned_on < s.local_date or m.planned_on > s.local_date + 1)
    and ${isUnpausedOn(sql`s.local_date`)})`;
}

const noId = sql.lit('00000000-0000-0000-0000-000000000000');

/** Whether the notification is still to be claimed of its slot's sending. */
export const afterCursor = sql<boolean>`((m.user_id, m.id) >
  (coalesce(s.after_user, ${noId}), coalesce(s.after_messenger, ${noId})))`;

/** Slots that no notification has any more. */
export async function removeUnusedSlots({ database }: Pick<Platform, 'database'>): Promise<void> {
  const isUnused = sql<boolean>`not exists (select from messengers m where m.slot_id = s.id)`;
  await inTransaction(database.sql, async (transaction) => {
    const { rows } = await sql<{ id: string }>`select id from slots s
      where next_at > now() and ${isUnused}
      order by id for update skip locked`.execute(transaction);
    // Asked again under the lock: a notification may have come before it.
    const ids = rows.map(({ id }) => id);
    await sql`delete from slots s
      where id = any(${ids}::uuid[]) and ${isUnused}`.execute(transaction);
  });
}
