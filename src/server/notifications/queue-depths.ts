import { sql } from 'kysely';
import type { QueueDepths } from '../platform/metrics/meters.ts';
import type { Platform } from '../platform/platform.ts';
import type { QueueDepth } from '../platform/queue/queue.ts';
import { countUnclaimed } from './schedule/slots.ts';

export async function readQueueDepths({
  database,
  queue,
  clock,
}: Pick<Platform, 'database' | 'queue' | 'clock'>): Promise<QueueDepths> {
  const now = clock.now();
  const { count, oldest } = await countUnclaimed(database, new Date(now.getTime() + 1));
  return {
    queues: [...(await queue.depths()), await deliveryQueueDepth(database)],
    dueWaiting: count,
    dueOldestSeconds: oldest ? (now.getTime() - oldest.getTime()) / 1000 : 0,
  };
}

/** The pending deliveries: those that wait for their time, and those that a worker sends. */
async function deliveryQueueDepth({ sql: database }: Platform['database']): Promise<QueueDepth> {
  const { rows } = await sql<{ waiting: number; active: number }>`
    select count(*) filter (where sending_at is null) as waiting, count(sending_at) as active
    from deliveries where outcome = 'pending'`.execute(database);
  return { queue: 'deliveries', waiting: rows[0]?.waiting ?? 0, active: rows[0]?.active ?? 0 };
}
