import { sql } from 'kysely';
import type { Platform } from '../../platform/platform.ts';
import { deliveryJobs, type PackedDelivery } from '../jobs.ts';
import { packsOf } from './packs.ts';

/**
 * For a process that holds the embedded database alone: whatever was running when the last process
 * ended is running no more. The deliveries say what is unfinished, so the jobs are written anew, and
 * what was being sent is in nobody's hands: its answer is lost.
 */
export async function takeUpUnfinished({
  database,
  queue,
}: Pick<Platform, 'database' | 'queue'>): Promise<void> {
  if (database.engine !== 'embedded') return;
  await queue.clear(deliveryJobs);
  await database.sql.transaction().execute(async (transaction) => {
    await transaction
      .updateTable('deliveries')
      .set({ reason: 'interrupted' })
      .where('outcome', '=', 'pending')
      .where('sending_at', 'is not', null)
      .execute();
    const { rows } = await sql<PackedDelivery>`
      select d.user_id as "userId", d.id as "deliveryId", w.team_id as "teamId",
        coalesce(d.channel_id, '') as "channelId",
        extract(epoch from d.due_at)::float8 * 1000 as "dueAt"
      from deliveries d
      join messengers m on m.user_id = d.user_id and m.id = d.messenger_id
      join workspaces w on w.user_id = m.user_id and w.id = m.workspace_id
      where d.outcome = 'pending' order by d.due_at`.execute(transaction);
    await queue.insert(transaction, deliveryJobs, packsOf(rows));
  });
}
