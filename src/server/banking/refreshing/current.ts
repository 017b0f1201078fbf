import { setTimeout as sleep } from 'node:timers/promises';
import { BankSourceError } from '../../providers/banks/port.ts';
import { findRefreshedAt } from '../connections/queries.ts';
import type { BankingDeps } from '../deps.ts';

type Needed = Pick<BankingDeps, 'database' | 'clock' | 'bankRefreshes' | 'log'>;

/** How long a page waits for a source when the store has something to show. */
const patienceMs = 8_000;
const freshMs = 120_000;

/**
 * Brings the store up to date before it is shown. When a source is down or slow, what was
 * stored before serves, each figure with its own date; who has nothing stored waits, and is told.
 * `stored` asks for nothing new, `fresh` for nothing old.
 */
export async function bringUpToDate(
  deps: Needed,
  ownerId: string,
  { stored, fresh }: { stored?: '1'; fresh?: '1' },
): Promise<void> {
  if (stored) return;
  const reading = deps.bankRefreshes.refresh(ownerId);
  try {
    if (fresh) return await reading;
    const isRead = await inTime(reading);
    if (!isRead && !(await findRefreshedAt(deps, ownerId))) await reading;
  } catch (error) {
    const since = await findRefreshedAt(deps, ownerId);
    const isOld = !since || deps.clock.now().getTime() - since.getTime() > freshMs;
    // Limits are met by reading often: what was read a moment ago is fresh.
    if (!isAbsence(error) || !since || (fresh && (isOld || !isLimit(error)))) throw error;
    deps.log.info({ err: error }, 'bank data is served from the store');
  }
}

/** False when it takes longer than a page waits. It goes on, and how it ends is of no interest then. */
async function inTime(reading: Promise<void>): Promise<boolean> {
  const patience = new AbortController();
  const late = sleep(patienceMs, false, { signal: patience.signal, ref: false }).catch(() => false);
  try {
    return await Promise.race([reading.then(() => true), late]);
  } finally {
    patience.abort();
    reading.catch(() => {});
  }
}

function isAbsence(error: unknown): boolean {
  return (error instanceof BankSourceError && error.kind === 'unavailable') || isLimit(error);
}

function isLimit(error: unknown): boolean {
  return error instanceof BankSourceError && error.kind === 'limited';
}
