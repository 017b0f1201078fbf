import type { Platform } from '../platform/platform.ts';
import type { BankRefreshJob } from '../platform/queue/jobs.ts';
import type { BankingDeps } from './deps.ts';
import { unwant, wantDueReadings } from './refresh-scheduling.ts';
import { findRefreshedAt } from './stored.ts';

export interface BankWork {
  stop(): Promise<void>;
}

/** Readings under way at once in this process. */
const together = 8;
/** The application's clock is looked at this often, the database once in a minute of that clock. */
const tickMs = 250;
const lookEveryMs = 60_000;

/** Reads the banks that somebody wants read, and those that a message will soon speak of. */
export async function startBankWork(parts: BankingDeps): Promise<BankWork> {
  await parts.queue.work('bank-refresh', (job) => readAsWanted(parts, job), together);
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking = Promise.resolve();
  const timer = setInterval(() => {
    const now = parts.clock.now().getTime();
    if (Math.abs(now - lookedAt) < lookEveryMs) return;
    lookedAt = now;
    looking = looking.then(() => look(parts));
  }, tickMs);
  return {
    async stop() {
      clearInterval(timer);
      await looking;
    },
  };
}

async function look(parts: BankingDeps): Promise<void> {
  try {
    while ((await wantDueReadings(parts)) > 0);
    // Also for what a notice has put there: a message may be about to speak of it.
    parts.queue.announce('bank-refresh');
  } catch (error) {
    parts.log.warn({ err: error }, 'the reading of banks waits for the database');
  }
}

/**
 * Does nothing when a reading has begun since the job was wanted. One that had begun before it, and
 * was shared, is followed by another.
 */
export async function readAsWanted(
  parts: Pick<BankingDeps, 'database' | 'bankRefreshes'>,
  { userId, wantedAt }: BankRefreshJob,
): Promise<void> {
  await unwant(parts, userId);
  if ((await readSince(parts, userId)) > wantedAt) return;
  await parts.bankRefreshes.refresh(userId);
  if ((await readSince(parts, userId)) < wantedAt) await parts.bankRefreshes.refresh(userId);
}

async function readSince(parts: Pick<Platform, 'database'>, userId: string): Promise<number> {
  const at = await findRefreshedAt(parts, userId);
  return at?.getTime() ?? Number.NEGATIVE_INFINITY;
}
