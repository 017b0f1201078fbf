import { type Selectable, sql, type Transaction } from 'kysely';
import { records } from '../database/records.ts';
import type { Schema } from '../database/schema.ts';
import { type ScheduleColumns, scheduleOf } from '../messengers/planning.ts';
import type { Parts } from '../parts.ts';
import type { PackedDelivery } from '../queue/jobs.ts';
import type { DeliveryLimits } from './limits.ts';
import { type DueDays, dueDays } from './occurrences.ts';
import { packsOf } from './packs.ts';

/**
 * Accounts for what is due at `now`, in one transaction: the delivery rows are written, the jobs
 * enqueued and the messengers moved to their next day. Workers side by side skip each other's rows,
 * and a day that is already in the history is never sent again, whatever the clock did.
 * Returns how many messengers were due, at most `limits.planningBatch`.
 */
export async function planDue(
  parts: Pick<Parts, 'database' | 'queue' | 'randomness' | 'log' | 'metrics'>,
  now: Date,
  limits: Pick<DeliveryLimits, 'planningBatch' | 'uselessAfterMs'>,
): Promise<number> {
  const { planned, rows } = await parts.database.sql.transaction().execute(async (transaction) => {
    const due = await claim(transaction, now, limits.planningBatch);
    if (due.length === 0) return { planned: 0, rows: [] };
    const days = accountFor(parts, due, now, limits.uselessAfterMs);
    const rows = rowsOf(days, now, parts.randomness.uuid);
    const pending = await write(transaction, rows);
    await moveOn(transaction, days);
    await parts.queue.insert(transaction, 'deliveries', packsOf(pending));
    return { planned: due.length, rows };
  });
  for (const { outcome } of rows) {
    if (outcome === 'missed') {
      parts.metrics.deliveryEnded({ kind: 'daily', outcome, lagSeconds: null });
    }
  }
  parts.metrics.deliveriesDue(rows.length);
  return planned;
}

type DueMessenger = ScheduleColumns &
  Pick<
    Selectable<Schema['messengers']>,
    'user_id' | 'id' | 'planned_on' | 'channel_id' | 'channel_name'
  > & { next_at: Date; team_id: string };

interface PlannedDelivery {
  user_id: string;
  id: string;
  messenger_id: string;
  local_date: string;
  due_at: Date;
  outcome: 'pending' | 'missed';
  reason: string | null;
  finished_at: Date | null;
  channel_id: string | null;
  channel_name: string | null;
  created_at: Date;
  team_id: string;
}

interface Accounted extends DueDays {
  messenger: DueMessenger;
}

async function claim(
  transaction: Transaction<Schema>,
  now: Date,
  count: number,
): Promise<DueMessenger[]> {
  const { rows } = await sql<DueMessenger>`
    with due as materialized (
      select user_id, id, workspace_id, hours, minutes, zone, offset_minutes, next_at, planned_on,
        days, holidays, paused_until, channel_id, channel_name
      from messengers where next_at <= ${now} order by next_at limit ${count}
      for no key update skip locked
    )
    select due.*, w.team_id
    from due join workspaces w on w.user_id = due.user_id and w.id = due.workspace_id`.execute(
    transaction,
  );
  return rows;
}

/** Many people share an hour: what is computed for one is kept for the others of the batch. */
function accountFor(
  { log }: Pick<Parts, 'log'>,
  due: DueMessenger[],
  now: Date,
  uselessAfterMs: number,
): Accounted[] {
  const known = new Map<string, DueDays>();
  return due.map((messenger) => {
    const { next_at: dueAt, planned_on: plannedOn } = messenger;
    const schedule = scheduleOf(messenger);
    const key = [...Object.values(schedule), dueAt.getTime(), plannedOn].join(' ');
    const daysOfHour = () => dueDays(schedule, dueAt, plannedOn, now, uselessAfterMs);
    const days = known.get(key) ?? orLater(log, messenger, now, daysOfHour);
    known.set(key, days);
    return { messenger, ...days };
  });
}

/** A zone that this machine does not know keeps its own notification waiting, and nobody else's. */
function orLater(
  log: Parts['log'],
  { id, zone }: DueMessenger,
  now: Date,
  days: () => DueDays,
): DueDays {
  try {
    return days();
  } catch (error) {
    log.error({ err: error, messengerId: id, zone }, 'an hour cannot be computed');
    return { occurrences: [], nextAt: new Date(now.getTime() + againAfterMs) };
  }
}

const againAfterMs = 10 * 60_000;

function rowsOf(accounted: Accounted[], now: Date, uuid: () => string): PlannedDelivery[] {
  return accounted.flatMap(({ messenger, occurrences }) =>
    occurrences.map(({ at, localDate, useful }) => ({
      user_id: messenger.user_id,
      id: uuid(),
      messenger_id: messenger.id,
      local_date: localDate,
      due_at: at,
      outcome: useful ? 'pending' : 'missed',
      reason: useful ? null : 'service_stopped',
      finished_at: useful ? null : now,
      channel_id: messenger.channel_id,
      channel_name: messenger.channel_name,
      created_at: now,
      team_id: messenger.team_id,
    })),
  );
}

/** Returns what is to be sent: what this statement wrote, and no day that stood there before. */
async function write(
  transaction: Transaction<Schema>,
  deliveries: PlannedDelivery[],
): Promise<PackedDelivery[]> {
  const { rows } = await sql<{ id: string }>`
    insert into deliveries (user_id, id, messenger_id, kind, local_date, due_at, outcome, reason,
      finished_at, channel_id, channel_name, created_at)
    select user_id, id, messenger_id, 'daily', local_date, due_at, outcome, reason,
      finished_at, channel_id, channel_name, created_at
    from ${records(deliveries, deliveryShape)}
    on conflict (user_id, messenger_id, local_date) where kind = 'daily' do nothing
    returning id`.execute(transaction);
  const written = new Set(rows.map(({ id }) => id));
  return deliveries.flatMap((delivery) =>
    delivery.outcome === 'pending' && written.has(delivery.id) ? [packed(delivery)] : [],
  );
}

function packed({ user_id, id, team_id, channel_id, due_at }: PlannedDelivery): PackedDelivery {
  return {
    userId: user_id,
    deliveryId: id,
    teamId: team_id,
    channelId: channel_id ?? '',
    dueAt: due_at.getTime(),
  };
}

const deliveryShape = `user_id uuid, id uuid, messenger_id uuid, local_date date,
  due_at timestamptz, outcome text, reason text, finished_at timestamptz, channel_id text,
  channel_name text, created_at timestamptz`;

async function moveOn(transaction: Transaction<Schema>, accounted: Accounted[]): Promise<void> {
  const rows = accounted.map(({ messenger, occurrences, nextAt }) => ({
    user_id: messenger.user_id,
    id: messenger.id,
    next_at: nextAt,
    planned_on: occurrences.at(-1)?.localDate ?? messenger.planned_on,
  }));
  await sql`
    update messengers m set next_at = given.next_at, planned_on = given.planned_on
    from ${records(rows, 'user_id uuid, id uuid, next_at timestamptz, planned_on date')}
    where m.user_id = given.user_id and m.id = given.id`.execute(transaction);
}
