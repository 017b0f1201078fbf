import { setTimeout as sleep } from 'node:timers/promises';
import type { Parts } from '../parts.ts';
import { BankProviderError } from '../providers/bank.ts';
import { findRefreshedAt } from './stored.ts';

type Needed = Pick<Parts, 'database' | 'bankRefreshes' | 'log'>;

/** How long a page waits for the provider when the store has something to show. */
const patienceMs = 8_000;

/**
 * Brings the store up to date before it is shown. When the provider is down or slow, what was
 * stored before serves, each figure with its own date; who has nothing stored waits, and is told.
 */
export async function bringUpToDate(parts: Needed, ownerId: string): Promise<void> {
  const reading = parts.bankRefreshes.refresh(ownerId);
  const patience = new AbortController();
  const options = { signal: patience.signal, ref: false };
  try {
    const isRead = await Promise.race([
      reading.then(() => true),
      sleep(patienceMs, false, options),
    ]);
    if (!isRead && !(await findRefreshedAt(parts, ownerId))) await reading;
  } catch (error) {
    if (!isAbsence(error) || !(await findRefreshedAt(parts, ownerId))) throw error;
    parts.log.info({ err: error }, 'bank data is served from the store');
  } finally {
    patience.abort();
    reading.catch(() => {});
  }
}

function isAbsence(error: unknown): boolean {
  return (
    error instanceof BankProviderError && (error.kind === 'unavailable' || error.kind === 'limited')
  );
}
