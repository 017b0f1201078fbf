import type { Platform } from '../../platform/platform.ts';
import { findRefreshedAt } from '../connections/queries.ts';
import type { BankingDeps } from '../deps.ts';
import { type BankRefreshJob, bankRefreshJobs } from '../jobs.ts';
import { unwant, wantDueReadings } from './scheduling.ts';

export interface BankWork {
  stop(): Promise<void>;
}

/** Readings under way at once in this process. */
const together = 8;
/** The application's clock is looked at this often, the database once in a minute of that clock. */
const tickMs = 250;
const lookEveryMs = 60_000;

/** Reads the banks that somebody wants read, and those that a message will soon speak of. */
export async function startBankWork(deps: BankingDeps): Promise<BankWork> {
  await deps.queue.work(bankRefreshJobs, (job) => readAsWanted(deps, job), together);
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
    while ((await wantDueReadings(deps)) > 0);
    // Also for what a notice has put there: a message may be about to speak of it.
    deps.queue.announce(bankRefreshJobs);
  } catch (error) {
    deps.log.warn({ err: error }, 'the reading of banks waits for the database');
  }
}

/**
 * Does nothing when a reading has begun since the job was wanted. One that had begun before it, and
 * was shared, is followed by another.
 */
export async function readAsWanted(
  deps: Pick<BankingDeps, 'database' | 'bankRefreshes'>,
  { userId, wantedAt }: BankRefreshJob,
): Promise<void> {
  await unwant(deps, userId);
  if ((await readSince(deps, userId)) > wantedAt) return;
  await deps.bankRefreshes.refresh(userId);
  if ((await readSince(deps, userId)) < wantedAt) await deps.bankRefreshes.refresh(userId);
}

async function readSince(deps: Pick<Platform, 'database'>, userId: string): Promise<number> {
  const at = await findRefreshedAt(deps, userId);
  return at?.getTime() ?? Number.NEGATIVE_INFINITY;
}
