import type { Clock } from '../../src/server/platform/clock.ts';

/** Time that stands still until a test moves it. */
export interface ManualClock extends Clock {
  set(moment: string | Date): void;
  advance(by: { days?: number; hours?: number; minutes?: number; seconds?: number }): void;
}

/** Starts on a Monday morning in winter: 08:00 in Paris. */
export function manualClock(start = '2026-01-12T07:00:00Z'): ManualClock {
  let now = new Date(start);
  return {
    now: () => new Date(now),
    set(moment) {
      now = new Date(moment);
    },
    advance({ days = 0, hours = 0, minutes = 0, seconds = 0 }) {
      now = new Date(now.getTime() + (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000);
    },
  };
}
