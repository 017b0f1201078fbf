import { type Selectable, sql, type Transaction } from 'kysely';
import { column, records } from '../../platform/database/records.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { Platform } from '../../platform/platform.ts';
import type { ChatKind } from '../../providers/chats/port.ts';
import { deliveryJobs, type PackedDelivery } from '../jobs.ts';
import { type ScheduleColumns, scheduleOf } from '../schedule/next-sending.ts';
import { type DueDays, dueDays, type Occurrence } from './occurrences.ts';
import { packsOf } from './packs.ts';
import type { DeliverySettings } from './settings.ts';

/**
 * Accounts for what is due at `now`, in one transaction: the delivery rows are written, the jobs
 * enqueued and the messengers moved to their next day. Workers side by side skip each other's rows,
 * and a day that is already in the history is never sent again, whatever the clock did.
 * Returns how many messengers were due, at most `settings.planningBatch`.
 */
export async function planDue(
  deps: PlanningDeps,
  now: Date,
  settings: PlanningSettings,
): Promise<number> {
  return await planBatch(deps, now, settings, (days) => days);
}

/** The same where nothing may be sent any more: every day that is due is recorded as missed. */
export async function recordMissed(
  deps: PlanningDeps,
  now: Date,
  settings: PlanningSettings,
): Promise<number> {
  return await planBatch(deps, now, settings, ({ occurrences, nextAt }) => ({
    occurrences: occurrences.map((occurrence) => ({ ...occurrence, useful: false })),
    nextAt,
  }));
}

type PlanningDeps = Pick<Platform, 'database' | 'queue' | 'randomness' | 'log' | 'metrics'>;
type PlanningSettings = Pick<DeliverySettings, 'planningBatch' | 'uselessAfterMs'>;

async function planBatch(
  deps: PlanningDeps,
  now: Date,
  settings: PlanningSettings,
  restrict: (days: DueDays) => DueDays,
): Promise<number> {
  const { count, rows } = await deps.database.sql.transaction().execute(async (transaction) => {
    const due = await claim(transaction, now, settings.planningBatch);
    if (due.length === 0) return { count: 0, rows: [] };
    const planned = withDueDays(deps, due, now, settings.uselessAfterMs, restrict);
    const rows = planned.flatMap(({ messenger, days }) =>
      days.occurrences.map((occurrence) => ({ id: deps.randomness.uuid(), messenger, occurrence })),
    );
    const pending = await write(transaction, rows, now);
    await moveOn(transaction, planned);
    await deps.queue.insert(transaction, deliveryJobs, packsOf(pending));
    return { count: due.length, rows };
  });
  for (const { occurrence } of rows) {
    if (!occurrence.useful) {
      deps.metrics.deliveryEnded({ kind: 'daily', outcome: 'missed', lagSeconds: null });
    }
  }
  deps.metrics.deliveriesDue(rows.length);
  return count;
}

type DueMessenger = ScheduleColumns &
  Pick<
    Selectable<Schema['messengers']>,
    'user_id' | 'id' | 'planned_on' | 'channel_id' | 'channel_shared'
  > & {
    next_at: Date;
    chat: ChatKind;
    team_id: string;
  };

interface MessengerWithDays {
  messenger: DueMessenger;
  /** One object for all who share an hour. */
  days: DueDays;
}

interface PlannedDelivery {
  id: string;
  messenger: DueMessenger;
  occurrence: Occurrence;
}

async function claim(
  transaction: Transaction<Schema>,
  now: Date,
  count: number,
): Promise<DueMessenger[]> {
  const { rows } = await sql<DueMessenger>`
    select m.user_id, m.id, m.hours, m.minutes, m.zone, m.offset_minutes, m.next_at, m.planned_on,
      m.days, m.holidays, m.paused_until, m.channel_id, m.channel_shared, dest.chat, dest.team_id
    from messengers m
    join destinations dest on dest.user_id = m.user_id and dest.id = m.destination_id
    where m.next_at <= ${now} order by m.next_at limit ${count}
    for no key update of m skip locked`.execute(transaction);
  return rows;
}

/**
 * Many people share an hour: what is computed for one is kept for the others of the batch. A zone that
 * this machine does not know makes only its own notifications wait.
 */
function withDueDays(
  { log }: Pick<Platform, 'log'>,
  due: DueMessenger[],
  now: Date,
  uselessAfterMs: number,
  restrict: (days: DueDays) => DueDays,
): MessengerWithDays[] {
  const known = new Map<string, DueDays>();
  return due.map((messenger) => {
    const { id, zone, next_at: dueAt, planned_on: plannedOn } = messenger;
    const schedule = scheduleOf(messenger);
    const key = [...Object.values(schedule), dueAt.getTime(), plannedOn].join(' ');
    let days = known.get(key);
    try {
      days ??= restrict(dueDays(schedule, dueAt, plannedOn, now, uselessAfterMs));
    } catch (error) {
      log.error({ err: error, messengerId: id, zone }, 'an hour cannot be computed');
      days = { occurrences: [], nextAt: new Date(now.getTime() + againAfterMs) };
    }
    known.set(key, days);
    return { messenger, days };
  });
}

const againAfterMs = 10 * 60_000;

/** Returns what is to be sent: what this statement wrote, and no day that stood there before. */
async function write(
  transaction: Transaction<Schema>,
  planned: PlannedDelivery[],
  now: Date,
): Promise<PackedDelivery[]> {
  const occurrences = distinct(planned.map(({ occurrence }) => occurrence));
  const ids = planned.map(({ id }) => id);
  const numbers = planned.map(({ occurrence }) => occurrences.get(occurrence) ?? 0);
  const { rows } = await sql<{ id: string }>`
    insert into deliveries (user_id, id, messenger_id, kind, local_date, due_at, outcome, reason,
      finished_at, channel_id, channel_name, created_at)
    select m.user_id, planned.id, m.id, 'daily', given.local_date, given.due_at, given.outcome,
      given.reason, given.finished_at, m.channel_id, m.channel_name, ${now}
    from unnest(${keysOf(planned)}, ${column(ids, 'uuid')}, ${column(numbers, 'int')})
      as planned(user_id, messenger_id, id, occurrence)
    join ${records([...occurrences].map(occurrenceRow(now)), occurrenceShape)}
      on given.number = planned.occurrence
    join messengers m on m.user_id = planned.user_id and m.id = planned.messenger_id
    on conflict (user_id, messenger_id, local_date) where kind = 'daily' do nothing
    returning id`.execute(transaction);
  const written = new Set(rows.map(({ id }) => id));
  return planned.flatMap((delivery) =>
    delivery.occurrence.useful && written.has(delivery.id) ? [packed(delivery)] : [],
  );
}

const occurrenceRow =
  (now: Date) =>
  ([{ at, localDate, useful }, number]: [Occurrence, number]): object => ({
    number,
    local_date: localDate,
    due_at: at,
    ...(useful
      ? { outcome: 'pending' }
      : { outcome: 'missed', reason: 'service_stopped', finished_at: now }),
  });

const occurrenceShape = `number int, local_date date, due_at timestamptz, outcome text,
  reason text, finished_at timestamptz`;

function packed({ id, messenger, occurrence }: PlannedDelivery): PackedDelivery {
  return {
    userId: messenger.user_id,
    deliveryId: id,
    chat: messenger.chat,
    teamId: messenger.team_id,
    channelId: messenger.channel_id ?? '',
    dueAt: occurrence.at.getTime(),
    ...(messenger.channel_shared && { shared: true }),
  };
}

async function moveOn(
  transaction: Transaction<Schema>,
  planned: MessengerWithDays[],
): Promise<void> {
  const hours = distinct(planned.map(({ days }) => days));
  const rows = [...hours].map(([{ nextAt, occurrences }, number]) => ({
    ...{ number, next_at: nextAt },
    planned_on: occurrences.at(-1)?.localDate,
  }));
  const numbers = planned.map(({ days }) => hours.get(days) ?? 0);
  await sql`
    update messengers m set next_at = given.next_at,
      planned_on = coalesce(given.planned_on, m.planned_on)
    from unnest(${keysOf(planned)}, ${column(numbers, 'int')}) as moved(user_id, id, hour)
    join ${records(rows, 'number int, next_at timestamptz, planned_on date')}
      on given.number = moved.hour
    where m.user_id = moved.user_id and m.id = moved.id`.execute(transaction);
}

/** Two columns of a table to be unnested: the owner and the id of each messenger. */
function keysOf(rows: { messenger: DueMessenger }[]) {
  const owners = column(
    rows.map(({ messenger }) => messenger.user_id),
    'uuid',
  );
  const ids = column(
    rows.map(({ messenger }) => messenger.id),
    'uuid',
  );
  return sql`${owners}, ${ids}`;
}

/** Each of them once, with its number. */
function distinct<T>(things: T[]): Map<T, number> {
  return new Map([...new Set(things)].map((thing, number) => [thing, number]));
}
