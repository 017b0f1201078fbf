/** The one place that reads the machine's time. Everything else is handed a Clock. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
