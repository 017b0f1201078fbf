/** The one place that reads the machine's time. Everything else is handed a Clock. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** Milliseconds for measuring how long something takes: it never jumps and says no time of day. */
export function monotonicMs(): number {
  return performance.now();
}
