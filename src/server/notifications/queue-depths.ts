import { sql } from 'kysely';
import type { QueueDepths } from '../platform/metrics/meters.ts';
import type { Platform } from '../platform/platform.ts';
import type { QueueDepth } from '../platform/queue/queue.ts';
import { countUnclaimed } from './schedule/slots.ts';

type Database = Platform['database'];

export async function readQueueDepths({
  database,
  queue,
  clock,
}: Pick<Platform, 'database' | 'queue' | 'clock'>): Promise<QueueDepths> {
  const now = clock.now();
  const { count, oldest } = await countWaiting(database, new Date(now.getTime() + 1));
  return {
    queues: [...(await queue.depths()), await deliveryQueueDepth(database)],
    dueWaiting: count,
    dueOldestSeconds: oldest ? (now.getTime() - oldest.getTime()) / 1000 : 0,
  };
}

/**
 * What was due before `moment` and what no worker has in hand: notifications that none has claimed, and messages
 * whose worker was killed, or whose next try is due. What waits for a chat to allow it is left out.
 */
export async function countWaiting(
  database: Database,
  moment: Date,
): Promise<{ count: number; oldest: Date | null }> {
  const unclaimed = await countUnclaimed(database, moment);
  const abandoned = await countAbandoned(database, moment);
  const [oldest = null] = [unclaimed.oldest, abandoned.oldest]
    .filter((at) => at !== null)
    .sort((one, other) => one.getTime() - other.getTime());
  return { count: unclaimed.count + abandoned.count, oldest };
}

/** Pending rows are found by the time of their next claim, which is by the clock of the database. */
async function countAbandoned({ sql: database }: Database, moment: Date) {
  const { rows } = await sql<{ count: number; oldest: Date | null }>`
    select count(*)::int as count, min(due_at) as oldest from deliveries
    where outcome = 'pending' and run_at <= now() and due_at < ${moment} and kind <> 'test'`.execute(
    database,
  );
  return rows[0] ?? { count: 0, oldest: null };
}

/** The pending deliveries: those that wait for their time, and those that a worker sends. */
async function deliveryQueueDepth({ sql: database }: Database): Promise<QueueDepth> {
  const { rows } = await sql<{ waiting: number; active: number }>`
    select count(*) filter (where sending_at is null) as waiting, count(sending_at) as active
    from deliveries where outcome = 'pending'`.execute(database);
  return { queue: 'deliveries', waiting: rows[0]?.waiting ?? 0, active: rows[0]?.active ?? 0 };
}
