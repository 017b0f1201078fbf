import { findRefreshedAt } from '../connections/queries.ts';
import type { BankingDeps } from '../deps.ts';
import { type BankRefreshJob, bankRefreshJobs } from '../jobs.ts';
import { unmark } from './queries.ts';
import { scheduleDue } from './scheduling.ts';

export interface BankWork {
  stop(): Promise<void>;
}

/** Readings under way at once in this process. */
const together = 8;
/** The application's clock is looked at this often, the database once in a minute of that clock. */
const tickMs = 250;
const lookEveryMs = 60_000;

/** Reads the links whose reading is scheduled, and schedules those that a message will soon need. */
export async function startBankWork(deps: BankingDeps): Promise<BankWork> {
  await deps.queue.work(bankRefreshJobs, (job) => readAsScheduled(deps, job), together);
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

async function look(deps: BankingDeps): Promise<void> {
  try {
    while ((await scheduleDue(deps)) > 0);
    // Also for what a notice has put there: a message may be about to speak of it.
    deps.queue.announce(bankRefreshJobs);
  } catch (error) {
    deps.log.warn({ err: error }, 'the reading of banks waits for the database');
  }
}

/**
 * Does nothing when a reading has begun since the job was scheduled. One that had begun before it,
 * and was shared, is followed by another.
 */
export async function readAsScheduled(
  deps: Pick<BankingDeps, 'database' | 'bankRefreshes'>,
  { userId, source, scheduledAt }: BankRefreshJob,
): Promise<void> {
  const readSince = async () => {
    const at = await findRefreshedAt(deps, userId, source);
    return at ? at.getTime() : Number.NEGATIVE_INFINITY;
  };
  await unmark(deps, userId, source);
  if ((await readSince()) > scheduledAt) return;
  await deps.bankRefreshes.refresh(userId, source);
  if ((await readSince()) < scheduledAt) await deps.bankRefreshes.refresh(userId, source);
}
