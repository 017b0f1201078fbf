import type { Platform } from '../../platform/platform.ts';
import { deliveryJobs } from '../jobs.ts';
import { packsOf } from './packs.ts';
import { listUnfinished } from './store.ts';

/**
 * At the start of a process with the embedded database, which no other process uses: nothing that the
 * last process was doing is still running. All jobs are replaced by new ones for the deliveries without
 * an outcome. A delivery that was being sent gets a reason, because its answer is lost.
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
