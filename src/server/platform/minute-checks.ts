import type { Platform } from './platform.ts';

export interface MinuteChecks {
  /** Resolves once the check under way has ended. */
  stop(): Promise<void>;
}

/** How often the application's clock is read. */
const tickMs = 250;
const checkEveryMs = 60_000;

/**
 * Calls `check` now and then once in each minute of the application's clock, also where that was set
 * back, and never twice at the same time. A check that fails is logged as `sentence`, and the next
 * follows.
 */
export function startMinuteChecks(
  { clock, log }: Pick<Platform, 'clock' | 'log'>,
  check: () => Promise<void>,
  sentence: string,
): MinuteChecks {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let checking = Promise.resolve();
  const checkSafely = async () => {
    try {
      await check();
    } catch (error) {
      log.warn({ err: error }, sentence);
    }
  };
  const timer = setInterval(() => {
    const now = clock.now().getTime();
    if (Math.abs(now - checkedAt) < checkEveryMs) return;
    checkedAt = now;
    checking = checking.then(checkSafely);
  }, tickMs);
  return {
    async stop() {
      clearInterval(timer);
      await checking;
    },
  };
}
