import type { Platform } from './platform.ts';

export interface MinuteLooks {
  /** Resolves once the look under way has ended. */
  stop(): Promise<void>;
}

/** How often the application's clock is read. */
const tickMs = 250;
const lookEveryMs = 60_000;

/**
 * Calls `look` now and then once in each minute of the application's clock, also where that was set
 * back, and never twice at the same time. A look that fails is logged as `sentence`, and the next follows.
 */
export function startMinuteLooks(
  { clock, log }: Pick<Platform, 'clock' | 'log'>,
  look: () => Promise<void>,
  sentence: string,
): MinuteLooks {
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking = Promise.resolve();
  const lookSafely = async () => {
    try {
      await look();
    } catch (error) {
      log.warn({ err: error }, sentence);
    }
  };
  const timer = setInterval(() => {
    const now = clock.now().getTime();
    if (Math.abs(now - lookedAt) < lookEveryMs) return;
    lookedAt = now;
    looking = looking.then(lookSafely);
  }, tickMs);
  return {
    async stop() {
      clearInterval(timer);
      await looking;
    },
  };
}
