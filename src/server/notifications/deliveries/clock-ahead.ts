import { type Selectable, sql, type Transaction } from 'kysely';
import { forgetFutureReadings } from '../../banking/refreshing/scheduling.ts';
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
 * Mends what was planned under a clock that ran ahead of `now`: days that were counted as missed
 * before they came are days to come again, and a sending further away than the next possible one is
 * planned anew. A day whose message was sent, even too early, is in the history and never sent again.
 */
export async function takeBackFuture(
  deps: Pick<Platform, 'database' | 'log'>,
  now: Date,
): Promise<void> {
  await forgetFutureReadings(deps, now);
  let after: Key = { user_id: noId, id: noId };
  let count = 0;
  for (;;) {
    const { last, mended } = await deps.database.sql
      .transaction()
      .execute((transaction) => mendSome(transaction, now, after));
    count += mended;
    if (!last) break;
    after = last;
  }
  if (count > 0) deps.log.warn({ messengers: count }, 'planned again after a clock ran ahead');
}

const noId = '00000000-0000-0000-0000-000000000000';

const most = 500;

const dayMs = 86_400_000;

/** `missedAhead`: a day that has not come yet is written down as missed. */
type Suspect = Messenger & { missedAhead: boolean };

interface Progress {
  /** Null once there is nothing left to look at. */
  last: Key | null;
  mended: number;
}

async function mendSome(
  transaction: Transaction<Schema>,
  now: Date,
  after: Key,
): Promise<Progress> {
  const suspects = await readSuspects(transaction, now, after);
  // A zone that this machine does not know is waited for where it is planned.
  const known = suspects.filter(({ zone }) => zone === null || isKnownZone(zone));
  const early = known.filter((messenger) => isEarly(messenger, now));
  const missed = await forgetMissedDays(transaction, early, now);
  const lastDays = await lastDaysOf(transaction, early, missed, now);
  const mended = known.flatMap((before) => {
    const isMended = early.includes(before);
    const planned_on = isMended ? (lastDays.get(before.id) ?? null) : before.planned_on;
    const next_at = plannedAgain({ ...before, planned_on }, now, isMended);
    const same =
      planned_on === before.planned_on && next_at?.getTime() === before.next_at?.getTime();
    return same ? [] : [{ ...keyOf(before), next_at, planned_on }];
  });
  await sql`
    update messengers m set next_at = given.next_at, planned_on = given.planned_on
    from ${records(mended, `${keyShape}, next_at timestamptz, planned_on date`)}
    where m.user_id = given.user_id and m.id = given.id`.execute(transaction);
  return { last: suspects.length < most ? null : (suspects.at(-1) ?? null), mended: mended.length };
}

/** By rough signs, in one look over the table: what they point at is looked at closely. */
async function readSuspects(
  transaction: Transaction<Schema>,
  now: Date,
  { user_id, id }: Key,
): Promise<Suspect[]> {
  const tomorrow = new Date(now.getTime() + dayMs / 2).toISOString().slice(0, 10);
  const soon = new Date(now.getTime() + 60_000);
  const farAway = new Date(now.getTime() + 10 * dayMs);
  // Written after its hour, so later than now as well: by that it is found without reading them all.
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
    .limit(most)
    .forNoKeyUpdate()
    .execute();
}

/** Tomorrow may be planned already, where the hour is kept now or was kept before it was moved. */
function lastTrustedDay(messenger: Messenger, now: Date): string {
  return localDateAt(scheduleOf(messenger), new Date(now.getTime() + dayMs));
}

function isEarly(messenger: Suspect, now: Date): boolean {
  const { planned_on: plannedOn, missedAhead } = messenger;
  return missedAhead || (plannedOn !== null && plannedOn > lastTrustedDay(messenger, now));
}

function plannedAgain(messenger: Messenger, now: Date, isMended: boolean): Date | null {
  const { next_at: nextAt } = messenger;
  if (!nextAt) return null;
  if (isMended) return nextAtOf(messenger, now);
  const latest = nextSending(scheduleOf(messenger), now, lastTrustedDay(messenger, now));
  return nextAt > latest.at ? nextAtOf(messenger, now) : nextAt;
}

/** Never tried: what is not due yet, only a clock that ran ahead could miss. */
const isMissed = sql<boolean>`d.kind = 'daily' and d.outcome = 'missed' and d.attempts = 0`;

/** Returns each messenger's first such day. */
async function forgetMissedDays(
  transaction: Transaction<Schema>,
  messengers: Messenger[],
  now: Date,
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; day: string }>`
    with forgotten as (
      delete from deliveries d using ${records(messengers.map(keyOf), keyShape)}
      where d.user_id = given.user_id and d.messenger_id = given.id
        and d.due_at > ${now} and ${isMissed}
      returning d.messenger_id as id, d.local_date as day
    )
    select id, min(day) as day from forgotten group by id`.execute(transaction);
  return new Map(rows.map(({ id, day }) => [id, day]));
}

/** The last day in the history, before tomorrow and before a day that is to come again. */
async function lastDaysOf(
  transaction: Transaction<Schema>,
  messengers: Messenger[],
  missed: Map<string, string>,
  now: Date,
): Promise<Map<string, string>> {
  const asked = messengers.map((messenger) => ({
    ...keyOf(messenger),
    until: lastTrustedDay(messenger, now),
    before: missed.get(messenger.id) ?? null,
  }));
  const { rows } = await sql<{ id: string; day: string }>`
    select given.id, max(d.local_date) as day
    from ${records(asked, `${keyShape}, until date, before date`)}
    join deliveries d on d.user_id = given.user_id and d.messenger_id = given.id
      and d.kind = 'daily' and d.local_date <= given.until
      and (given.before is null or d.local_date < given.before)
    group by given.id`.execute(transaction);
  return new Map(rows.map(({ id, day }) => [id, day]));
}

function keyOf({ user_id, id }: Messenger): Key {
  return { user_id, id };
}

const keyShape = 'user_id uuid, id uuid';
