import type { Platform } from '../../platform/platform.ts';
import { deliveryJobs } from '../jobs.ts';
import { packsOf } from './packs.ts';
import { listUnfinished } from './store.ts';

/**
 * For a process that holds the embedded database alone: what was running when the last process ended
 * is running no more. The deliveries say what is unfinished, so the jobs are written anew; of what was
 * being sent, the answer is lost.
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
    const rows = await listUnfinished(transaction);
    await queue.insert(transaction, deliveryJobs, packsOf(rows));
  });
}
