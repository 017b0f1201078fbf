import { sql } from 'kysely';
import type { Platform } from '../platform/platform.ts';
import type { QueueDepth } from '../platform/queue/queue.ts';

/** How much waits, for all processes of this database together. */
export interface Depths {
  queues: QueueDepth[];
  /** Notifications whose moment has passed and that nobody has planned. */
  dueWaiting: number;
  dueOldestSeconds: number;
}

export async function readDepths({
  database,
  queue,
  clock,
}: Pick<Platform, 'database' | 'queue' | 'clock'>): Promise<Depths> {
  const now = clock.now();
  const { rows } = await sql<{ waiting: number; oldest: Date | null }>`
    select count(*) as waiting, min(next_at) as oldest
    from messengers where next_at <= ${now}`.execute(database.sql);
  const { waiting = 0, oldest = null } = rows[0] ?? {};
  return {
    queues: await queue.depths(),
    dueWaiting: waiting,
    dueOldestSeconds: oldest ? (now.getTime() - oldest.getTime()) / 1000 : 0,
  };
}
