import type { NotificationsDeps } from '../deps.ts';
import { operationsJobs } from '../jobs.ts';
import { scheduleReadings } from './queries.ts';
import { readForMessage } from './reading.ts';

export interface OperationsWork {
  stop(): Promise<void>;
}

const concurrency = 4;
/** How often the application's clock is read. The database is queried once in a minute of that clock. */
const tickMs = 250;
const lookEveryMs = 60_000;

/** Reads the operations that messages are about to tell, in the hour before each. */
export async function startOperationsWork(deps: NotificationsDeps): Promise<OperationsWork> {
  await deps.queue.work(operationsJobs, (job) => readForMessage(deps, job), concurrency);
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking = Promise.resolve();
  const timer = setInterval(() => {
    const now = deps.clock.now().getTime();
    if (Math.abs(now - lookedAt) < lookEveryMs) return;
    lookedAt = now;
    looking = looking.then(() => look(deps));
  }, tickMs);
  return {
    async stop() {
      clearInterval(timer);
      await looking;
    },
  };
}

const most = 500;

async function look(deps: NotificationsDeps): Promise<void> {
  try {
    while ((await scheduleDueReadings(deps)) > 0);
  } catch (error) {
    deps.log.warn({ err: error }, 'the reading of operations waits for the database');
  }
}

/** Returns the number of readings that were scheduled, at most 500. */
export async function scheduleDueReadings({
  database,
  queue,
  clock,
}: Pick<NotificationsDeps, 'database' | 'queue' | 'clock'>): Promise<number> {
  const count = await database.sql.transaction().execute(async (transaction) => {
    const due = await scheduleReadings(transaction, clock.now(), most);
    const jobs = due.map(({ user_id: userId, messenger_id: messengerId, due_at: dueAt }) => ({
      data: { userId, messengerId, dueAt: dueAt.getTime() },
    }));
    await queue.insert(transaction, operationsJobs, jobs);
    return due.length;
  });
  if (count > 0) queue.announce(operationsJobs);
  return count;
}
