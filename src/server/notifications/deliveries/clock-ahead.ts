import { type Selectable, sql, type Transaction } from 'kysely';
import { forgetFutureReadings } from '../../banking/refreshing/queries.ts';
import { records } from '../../platform/database/records.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { Platform } from '../../platform/platform.ts';
import {
  isKnownZone,
  localDateAt,
  nextAtOf,
  nextSending,
  scheduleOf,
} from '../schedule/next-sending.ts';

type Messenger = Selectable<Schema['messengers']>;
type Key = Pick<Messenger, 'user_id' | 'id'>;

/**
 * Corrects what was planned while the clock was ahead of the right time, which is `now`. Days that
 * were recorded as missed before they came are removed from the history, and will be sent when they
 * come. A next sending that lies too far in the future is computed again. A message that was sent too
 * early stays in the history: its day is never sent again.
 */
export async function takeBackFuture(
  deps: Pick<Platform, 'database' | 'log'>,
  now: Date,
): Promise<void> {
  await forgetFutureReadings(deps, now);
  let count = 0;
  for (let after: Key | null = { user_id: noId, id: noId }; after; ) {
    const from: Key = after;
    const { last, mended } = await deps.database.sql
      .transaction()
      .execute((transaction) => mendPage(transaction, now, from));
    count += mended;
    after = last;
  }
  if (count > 0) deps.log.warn({ messengers: count }, 'planned again after a clock ran ahead');
}

const noId = '00000000-0000-0000-0000-000000000000';

const pageSize = 500;

const dayMs = 86_400_000;

/** `last` is null when no messenger follows. */
async function mendPage(
  transaction: Transaction<Schema>,
  now: Date,
  after: Key,
): Promise<{ last: Key | null; mended: number }> {
  const suspects = await readSuspects(transaction, now, after);
  // The hour of a zone that this machine does not know cannot be computed: planning.ts reports it.
  const known = suspects.filter(({ zone }) => zone === null || isKnownZone(zone));
  const early = new Set(known.filter((messenger) => isPlannedTooEarly(messenger, now)));
  const lastDays = await forgetMissedDays(transaction, [...early], now);
  const mended = known.flatMap((before) => {
    const { user_id, id, next_at: nextAt } = before;
    const isEarly = early.has(before);
    const planned_on = isEarly ? (lastDays.get(id) ?? null) : before.planned_on;
    const isWrong = nextAt && (isEarly || nextAt > latestNextAt(before, now));
    const next_at = isWrong ? nextAtOf({ ...before, planned_on }, now) : nextAt;
    const isSame = planned_on === before.planned_on && next_at?.getTime() === nextAt?.getTime();
    return isSame ? [] : [{ user_id, id, next_at, planned_on }];
  });
  await sql`
    update messengers m set next_at = given.next_at, planned_on = given.planned_on
    from ${records(mended, 'user_id uuid, id uuid, next_at timestamptz, planned_on date')}
    where m.user_id = given.user_id and m.id = given.id`.execute(transaction);
  return {
    last: suspects.length < pageSize ? null : (suspects.at(-1) ?? null),
    mended: mended.length,
  };
}

/** `missedAhead`: a day that has not come yet is recorded as missed. */
type Suspect = Messenger & { missedAhead: boolean };

/** A page of the messengers that one statement can suspect. Each is then examined by itself. */
async function readSuspects(
  transaction: Transaction<Schema>,
  now: Date,
  { user_id, id }: Key,
): Promise<Suspect[]> {
  const tomorrow = new Date(now.getTime() + dayMs / 2).toISOString().slice(0, 10);
  const soon = new Date(now.getTime() + 60_000);
  const farAway = new Date(now.getTime() + 10 * dayMs);
  // `created_at` has an index. A missed day is recorded after its hour: both are then later than now.
  const missedAhead = sql<boolean>`(user_id, id) in (select d.user_id, d.messenger_id
    from deliveries d where d.created_at > ${now} and d.due_at > ${now} and ${isMissed})`;
  return await transaction
    .selectFrom('messengers')
    .selectAll()
    .select(missedAhead.as('missedAhead'))
    .where(sql<boolean>`(user_id, id) > (${user_id}::uuid, ${id}::uuid)`)
    .where(
      sql<boolean>`(planned_on > ${tomorrow}::date or updated_at > ${soon} or ${missedAhead}
        or (next_at > ${farAway} and (paused_until is null or paused_until <= ${tomorrow}::date)))`,
    )
    .orderBy('user_id')
    .orderBy('id')
    .limit(pageSize)
    .forNoKeyUpdate()
    .execute();
}

/** A delivery that was recorded as missed and never tried. Its users add that it is not due yet. */
const isMissed = sql<boolean>`d.kind = 'daily' and d.outcome = 'missed' and d.attempts = 0`;

function isPlannedTooEarly(messenger: Suspect, now: Date): boolean {
  const { planned_on: plannedOn, missedAhead } = messenger;
  return missedAhead || (plannedOn !== null && plannedOn > lastPossibleDay(messenger, now));
}

/** The latest moment that the next sending can have been planned for under the right clock. */
function latestNextAt(messenger: Messenger, now: Date): Date {
  return nextSending(scheduleOf(messenger), now, lastPossibleDay(messenger, now)).at;
}

/**
 * The latest day that can have been planned under the right clock: tomorrow in the messenger's zone,
 * because its hour may have been moved since from a zone where it was tomorrow already.
 */
function lastPossibleDay(messenger: Messenger, now: Date): string {
  return localDateAt(scheduleOf(messenger), new Date(now.getTime() + dayMs));
}

/**
 * Deletes the days that were recorded as missed before they came. Returns for each messenger the last
 * day that remains planned: one that can have been planned, and that is before every deleted day.
 */
async function forgetMissedDays(
  transaction: Transaction<Schema>,
  messengers: Messenger[],
  now: Date,
): Promise<Map<string, string>> {
  const asked = messengers.map((messenger) => {
    const { user_id, id } = messenger;
    return { user_id, id, until: lastPossibleDay(messenger, now) };
  });
  // The outer query still sees the deleted rows, which `not exists` leaves out.
  const { rows } = await sql<{ id: string; day: string }>`
    with given as materialized (
      select * from ${records(asked, 'user_id uuid, id uuid, until date')}
    ), forgotten as (
      delete from deliveries d using given
      where d.user_id = given.user_id and d.messenger_id = given.id
        and d.due_at > ${now} and ${isMissed}
      returning d.messenger_id, d.local_date
    )
    select given.id, max(d.local_date) as day from given
    join deliveries d on d.user_id = given.user_id and d.messenger_id = given.id
      and d.kind = 'daily' and d.local_date <= given.until
    where not exists (select from forgotten f
      where f.messenger_id = given.id and f.local_date <= d.local_date)
    group by given.id`.execute(transaction);
  return new Map(rows.map(({ id, day }) => [id, day]));
}
