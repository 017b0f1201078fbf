import { jobKinds } from '../../src/server/operations/jobs.ts';
import { migrate } from '../../src/server/platform/database/migrate.ts';
import type { OpenDatabase } from '../../src/server/platform/database/open.ts';
import { openQueue } from '../../src/server/platform/queue/queue.ts';

/** Makes every table and queue, as a start of the program does: most of what the start costs. */
export async function prepare(database: OpenDatabase): Promise<void> {
  await migrate(database);
  const onError = (error: Error) => {
    throw error;
  };
  const queue = await openQueue(database, jobKinds, { onError, supervise: false });
  await queue.close();
}
