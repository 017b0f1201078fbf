import { sql } from 'kysely';
import { dayMs } from '../../../shared/calendar/durations.ts';
import type { DeliveryKind } from '../../../shared/contract/deliveries.ts';
import type { Operations, Outcomes } from '../../../shared/contract/operations.ts';
import { deliverySettings } from '../../notifications/deliveries/settings.ts';
import { countWaiting } from '../../notifications/queue-depths.ts';
import type { OpenDatabase } from '../../platform/database/open.ts';

/**
 * Counts the deliveries that were due since then. Their local date is that day, the one before or a
 * later one: the table is partitioned by it.
 */
export async function countOutcomes(
  database: OpenDatabase,
  since: Date,
): Promise<Record<DeliveryKind, Outcomes>> {
  const rows = await database.sql
    .selectFrom('deliveries')
    .select(['kind', 'outcome', ({ fn }) => fn.countAll<number>().as('count')])
    .where('local_date', '>=', dayOf(since))
    .where('due_at', '>=', since)
    .groupBy(['kind', 'outcome'])
    .execute();
  const none = { pending: 0, delivered: 0, failed: 0, missed: 0, uncertain: 0, cancelled: 0 };
  const counts = { daily: { ...none }, test: { ...none }, alert: { ...none } };
  for (const { kind, outcome, count } of rows) counts[kind][outcome] = count;
  return counts;
}

export async function measureLag(database: OpenDatabase, since: Date): Promise<Operations['lag']> {
  const { rows } = await sql<Record<'median' | 'p99' | 'worst', number | null> & { late: number }>`
    select percentile_cont(0.5) within group (order by lag) as median,
      percentile_cont(0.99) within group (order by lag) as p99, max(lag) as worst,
      count(*) filter (where lag > ${deliverySettings.lateAfterMs / 1000}::float8) as late
    from (select extract(epoch from sent_at - due_at)::float8 as lag from deliveries
      where local_date >= ${dayOf(since)} and due_at >= ${since} and kind = 'daily'
        and outcome = 'delivered' and sent_at is not null) as delivered`.execute(database.sql);
  const [row] = rows;
  if (!row || row.median === null || row.p99 === null || row.worst === null) return null;
  const { median: medianSeconds, p99: p99Seconds, worst: worstSeconds, late } = row;
  return { medianSeconds, p99Seconds, worstSeconds, late };
}

/** The reasons of deliveries that were not delivered, the most frequent first. */
export async function countFailures(
  database: OpenDatabase,
  since: Date,
): Promise<{ chat: string; code: string; deliveries: number }[]> {
  const rows = await database.sql
    .selectFrom('deliveries as d')
    .innerJoin('messengers as m', (join) =>
      join.onRef('m.user_id', '=', 'd.user_id').onRef('m.id', '=', 'd.messenger_id'),
    )
    .innerJoin('destinations as t', (join) =>
      join.onRef('t.user_id', '=', 'm.user_id').onRef('t.id', '=', 'm.destination_id'),
    )
    .select(['t.chat', 'd.reason', ({ fn }) => fn.countAll<number>().as('deliveries')])
    .where('d.local_date', '>=', dayOf(since))
    .where('d.due_at', '>=', since)
    .where('d.kind', '<>', 'test')
    .where('d.outcome', 'in', ['failed', 'missed', 'uncertain'])
    .groupBy(['t.chat', 'd.reason'])
    .orderBy('deliveries', 'desc')
    .execute();
  return rows.map(({ chat, reason, deliveries }) => ({
    chat,
    code: reason ?? 'unknown',
    deliveries,
  }));
}

/** The first local date, YYYY-MM-DD, of what is due from `since`: west of Greenwich it is a day less. */
function dayOf(since: Date): string {
  return new Date(since.getTime() - dayMs).toISOString().slice(0, 10);
}

/** The messages that are late and that no worker has in hand. */
export async function countOverdue(database: OpenDatabase, now: Date): Promise<number> {
  const moment = new Date(now.getTime() - deliverySettings.lateAfterMs);
  return (await countWaiting(database, moment)).count;
}
