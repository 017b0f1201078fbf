import { sql, type Transaction } from 'kysely';
import { addDays } from '../../../shared/calendar/local-date.ts';
import { maxClockSkewMs } from '../../platform/clock.ts';
import { clockSkewMs } from '../../platform/database/clock-skew.ts';
import { unnested } from '../../platform/database/records.ts';
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
import { isOwnSending } from '../schedule/slots.ts';
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
    ({ at, localDate }) =>
      localDate !== next?.localDate && at.getTime() < now.getTime() - lateAfterMs,
  );
  if (missed.length === 0) return;
  const days = missed.map(({ at, localDate }) => {
    return { id: randomness.uuid(), next_at: at, local_date: localDate };
  });
  const types = { id: 'uuid', next_at: 'timestamptz', local_date: 'date' };
  const { rows: written } = await sql`
    insert into deliveries (user_id, messenger_id, local_date, id, kind, due_at, outcome, reason,
      finished_at, channel_id, channel_name, created_at)
    select m.user_id, m.id, s.local_date, s.id, 'daily', s.next_at, 'missed',
      ${ownCodes.serviceStopped}, ${now}::timestamptz, m.channel_id, m.channel_name,
      ${now}::timestamptz
    from messengers m join (select * from ${unnested(days, types)}) s on ${isOwnSending(now)}
    where m.user_id = ${before.user_id} and m.id = ${before.id}
    on conflict do nothing returning id`.execute(transaction);
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
