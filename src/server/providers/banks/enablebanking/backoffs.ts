import { dayMs, hourMs, minuteMs } from '../../../../shared/calendar/durations.ts';
import type { Clock } from '../../../platform/clock.ts';
import { dropOldest } from '../bounded-map.ts';

/** For how long the bank of an account is not called after one failure, after two, and so on. */
const backoffsMs = [minuteMs, hourMs, 2 * hourMs, 4 * hourMs];
/** After the bank said that its limit is met: trying again each hour would never let it recover. */
const limitedMs = 6 * hourMs;
/** The limits of banks are those of a day: a longer wait that is asked for would be a mistake. */
const longestLimitedMs = dayMs;
const maxBackoffs = 50_000;

/**
 * What the reading of an account gives whose bank is not called now: the stored figure (`kept`), that its
 * bank has failed (`resting`), or that its bank waits for its customer (`acting`).
 */
type SkippedEnd = 'kept' | 'resting' | 'acting';

export type Backoffs = ReturnType<typeof createBackoffs>;

/** The accounts whose banks are not called for a while, in memory; after a restart one try is made. */
export function createBackoffs(clock: Clock) {
  const backoffs = new Map<
    string,
    { from: number; until: number; failures: number; end: SkippedEnd }
  >();
  const backOff = (key: string, spanMs: number, failures: number, end: SkippedEnd): void => {
    const now = clock.now().getTime();
    backoffs.set(key, { from: now, until: now + spanMs, failures, end });
    dropOldest(backoffs, maxBackoffs);
  };
  const endWhenSkipped = (key: string): SkippedEnd => backoffs.get(key)?.end ?? 'kept';
  return {
    endWhenSkipped,
    isBackingOff(key: string): boolean {
      const now = clock.now().getTime();
      const known = backoffs.get(key);
      return known !== undefined && known.from <= now && now < known.until;
    },
    limited(key: string, seconds = 0): void {
      const spanMs = Math.min(Math.max(limitedMs, seconds * 1000), longestLimitedMs);
      backOff(key, spanMs, 0, endWhenSkipped(key));
    },
    /** A bank often stops waiting for its customer by itself, so this is told from the second time on. */
    failed(key: string, mayBeCustomer: boolean): 'failed' | 'acting' {
      const failures = (backoffs.get(key)?.failures ?? 0) + 1;
      const isCustomer = mayBeCustomer && failures > 1;
      backOff(
        key,
        backoffsMs[Math.min(failures, backoffsMs.length) - 1] ?? hourMs,
        failures,
        isCustomer ? 'acting' : 'resting',
      );
      return isCustomer ? 'acting' : 'failed';
    },
    /** The bank may be called again; its failures stay counted until it answers. */
    endWaiting(key: string): void {
      const known = backoffs.get(key);
      if (known) backoffs.set(key, { ...known, until: known.from });
    },
    clear: (key: string) => void backoffs.delete(key),
  };
}
