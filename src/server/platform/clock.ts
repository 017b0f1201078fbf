/** The time of day. Only this file reads the machine's clock; all other code is given a Clock. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** Milliseconds for measuring durations: never jumps, and has no relation to the time of day. */
export function monotonicMs(): number {
  return performance.now();
}

/** Two clocks that differ by more are not both right. */
export const maxClockSkewMs = 60_000;
