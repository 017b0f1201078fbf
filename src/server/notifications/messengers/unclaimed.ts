import type { Transaction } from 'kysely';
import { addDays } from '../../../shared/calendar/local-date.ts';
import { maxClockSkewMs } from '../../platform/clock.ts';
import { clockSkewMs } from '../../platform/database/clock-skew.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { NotificationsDeps } from '../deps.ts';
import { ownCodes } from '../reasons.ts';
import {
  isActive,
  isKnownZone,
  lateAfterMs,
  nextSending,
  type Schedule,
  scheduleOf,
  uselessAfterMs,
} from '../schedule/next-sending.ts';
import { dueDays, type Occurrence } from '../schedule/occurrences.ts';
import type { Messenger } from './queries.ts';

type Needed = Pick<
  NotificationsDeps,
  'database' | 'clock' | 'machineClock' | 'randomness' | 'metrics'
>;

/**
 * Records as missed what was due by the schedule that a notification had, `before`, and that no worker has
 * claimed: by its new schedule, `after`, none will. A sending that is not late yet gives way to the change, as
 * does one of a day on which the new schedule sends. The notification is locked and its slot held.
 *
 * On PostgreSQL alone: the process of an embedded database claims what is due itself, where it trusts its
 * clock.
 */
export async function recordUnclaimed(
  deps: Needed,
  transaction: Transaction<Schema>,
  before: Messenger,
  after: Messenger,
): Promise<void> {
  const { database, machineClock, clock, randomness, metrics } = deps;
  if (!isActive(before) || database.engine === 'embedded') return;
  if (before.zone !== null && !isKnownZone(before.zone)) return;
  if ((await clockSkewMs({ sql: transaction }, machineClock)) > maxClockSkewMs) return;
  const now = clock.now();
  const slot = await transaction
    .selectFrom('slots')
    .select('local_date')
    .where('id', '=', before.slot_id)
    .executeTakeFirstOrThrow();
  const schedule = scheduleOf(before);
  const next = isActive(after) ? nextSending(scheduleOf(after), now, after.planned_on) : null;
  const missed = allDue(schedule, addDays(slot.local_date, -1), now).filter(
    (one) =>
      isOwn(before, one, now) &&
      one.localDate !== next?.localDate &&
      one.at.getTime() < now.getTime() - lateAfterMs,
  );
  if (missed.length === 0) return;
  const written = await transaction
    .insertInto('deliveries')
    .values(
      missed.map(({ at, localDate }) => ({
        ...{ user_id: before.user_id, messenger_id: before.id, local_date: localDate },
        ...{ id: randomness.uuid(), kind: 'daily' as const, due_at: at, created_at: now },
        ...{ outcome: 'missed' as const, reason: ownCodes.serviceStopped, finished_at: now },
        ...{ channel_id: before.channel_id, channel_name: before.channel_name },
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute();
  metrics.deliveriesDue(written.length);
  for (const _ of written) {
    metrics.deliveryEnded({ kind: 'daily', outcome: 'missed', lagSeconds: null });
  }
}

/** Every day that is due, oldest first. */
function allDue(schedule: Schedule, notOnOrBefore: string, now: Date): Occurrence[] {
  const { occurrences, next } = dueDays(schedule, notOnOrBefore, now, uselessAfterMs);
  const last = occurrences.at(-1);
  if (!last || next.at > now) return occurrences;
  return [...occurrences, ...allDue(schedule, last.localDate, now)];
}

/** As `isOwnSending` of slots.ts. */
function isOwn(
  { active_since: since, planned_on: planned }: Messenger,
  { at, localDate }: Occurrence,
  now: Date,
): boolean {
  const hasBegun = since < at || since.getTime() > now.getTime() + maxClockSkewMs;
  return hasBegun && (planned === null || planned < localDate || planned > addDays(localDate, 1));
}
