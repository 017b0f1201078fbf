import { sql } from 'kysely';
import type { Depths } from '../platform/metrics/meters.ts';
import type { Platform } from '../platform/platform.ts';

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
