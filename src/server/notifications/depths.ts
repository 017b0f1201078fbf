import type { Depths } from '../platform/metrics/meters.ts';
import type { Platform } from '../platform/platform.ts';

export async function readDepths({
  database,
  queue,
  clock,
}: Pick<Platform, 'database' | 'queue' | 'clock'>): Promise<Depths> {
  const now = clock.now();
  const { waiting, oldest } = await database.sql
    .selectFrom('messengers')
    .select(({ fn }) => [
      fn.countAll<number>().as('waiting'),
      fn.min<Date | null>('next_at').as('oldest'),
    ])
    .where('next_at', '<=', now)
    .executeTakeFirstOrThrow();
  return {
    queues: await queue.depths(),
    dueWaiting: waiting,
    dueOldestSeconds: oldest ? (now.getTime() - oldest.getTime()) / 1000 : 0,
  };
}
