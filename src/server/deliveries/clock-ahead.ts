import { type Selectable, sql, type Transaction } from 'kysely';
import { forgetFutureReadings } from '../banks/wanting.ts';
import { records } from '../database/records.ts';
import type { Schema } from '../database/schema.ts';
import { nextAtOf, scheduleOf } from '../messengers/planning.ts';
import type { Parts } from '../parts.ts';
import { isKnownZone, localDateAt, nextSending } from '../schedule/next-sending.ts';

type Messenger = Selectable<Schema['messengers']>;
type Key = Pick<Messenger, 'user_id' | 'id'>;

/**
 * Mends what was planned under a clock that ran ahead of `now`: days that were counted as missed
 * before they came are days to come again, and a sending further away than the next possible one is
 * planned anew. A day whose message was sent, even too early, is in the history and never sent again.
 */
export async function takeBackFuture(
  parts: Pick<Parts, 'database' | 'log'>,
  now: Date,
): Promise<void> {
  await forgetFutureReadings(parts, now);
  let after: Key = { user_id: noId, id: noId };
  let count = 0;
  for (;;) {
    const { last, mended } = await parts.database.sql
      .transaction()
      .execute((transaction) => mendSome(transaction, now, after));
    count += mended;
    if (!last) break;
    after = last;
  }
  if (count > 0) parts.log.warn({ messengers: count }, 'planned again after a clock ran ahead');
}

const noId = '00000000-0000-0000-0000-000000000000';

const most = 500;

const dayMs = 86_400_000;

interface Progress {
  /** Null once there is nothing left to look at. */
  last: Messenger | null;
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
  await forgetMissedDays(transaction, early, now);
  const lastDays = await lastDaysOf(transaction, early, now);
  const mended = known.flatMap((before) => {
    const planned_on = early.includes(before)
      ? (lastDays.get(before.id) ?? null)
      : before.planned_on;
    const next_at = plannedAgain({ ...before, planned_on }, now);
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
): Promise<Messenger[]> {
  const tomorrow = new Date(now.getTime() + dayMs / 2).toISOString().slice(0, 10);
  const soon = new Date(now.getTime() + 60_000);
  const farAway = new Date(now.getTime() + 10 * dayMs);
  return await transaction
    .selectFrom('messengers')
    .selectAll()
    .where(sql<boolean>`(user_id, id) > (${user_id}::uuid, ${id}::uuid)`)
    .where(
      sql<boolean>`(planned_on > ${tomorrow}::date or updated_at > ${soon}
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

function isEarly(messenger: Messenger, now: Date): boolean {
  const { planned_on: plannedOn } = messenger;
  return plannedOn !== null && plannedOn > lastTrustedDay(messenger, now);
}

function plannedAgain(messenger: Messenger, now: Date): Date | null {
  const { next_at: nextAt } = messenger;
  if (!nextAt) return null;
  const latest = nextSending(scheduleOf(messenger), now, lastTrustedDay(messenger, now));
  return nextAt > latest.at ? nextAtOf(messenger, now) : nextAt;
}

/** Never tried, and not due yet: only a clock that ran ahead could miss them. */
async function forgetMissedDays(
  transaction: Transaction<Schema>,
  messengers: Messenger[],
  now: Date,
): Promise<void> {
  await sql`
    delete from deliveries d using ${records(messengers.map(keyOf), keyShape)}
    where d.user_id = given.user_id and d.messenger_id = given.id and d.kind = 'daily'
      and d.outcome = 'missed' and d.attempts = 0 and d.due_at > ${now}`.execute(transaction);
}

async function lastDaysOf(
  transaction: Transaction<Schema>,
  messengers: Messenger[],
  now: Date,
): Promise<Map<string, string>> {
  const asked = messengers.map((messenger) => ({
    ...keyOf(messenger),
    until: lastTrustedDay(messenger, now),
  }));
  const { rows } = await sql<{ id: string; day: string }>`
    select given.id, max(d.local_date) as day
    from ${records(asked, `${keyShape}, until date`)}
    join deliveries d on d.user_id = given.user_id and d.messenger_id = given.id
      and d.kind = 'daily' and d.local_date <= given.until
    group by given.id`.execute(transaction);
  return new Map(rows.map(({ id, day }) => [id, day]));
}

function keyOf({ user_id, id }: Messenger): Key {
  return { user_id, id };
}

const keyShape = 'user_id uuid, id uuid';
