/**
 * What a wall clock does, read through Intl alone and by stepping through the instants: no rule of
 * any calendar library is used here.
 */
export interface WallClock {
  /** Minutes since 1970-01-01T00:00 of the wall clock's own time. */
  at(instantMs: number): number;
}

const minute = 60_000;

export function wallClock(zone: string): WallClock {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
  return {
    at(instantMs) {
      const parts = Object.fromEntries(
        format.formatToParts(instantMs).map(({ type, value }) => [type, Number(value)]),
      );
      const { year = 0, month = 1, day = 1, hour = 0, minute: minutes = 0 } = parts;
      return Date.UTC(year, month - 1, day, hour, minutes) / minute;
    },
  };
}

/**
 * The first instant, in steps of a quarter, at which the clock shows `hours:minutes` of a day, and
 * else the instant that lies as far behind the gap's start as the asked time lies behind the gap's
 * first missing time.
 */
export function bruteForce(clock: WallClock, day: string, hours: number, minutes: number): number {
  const asked = Date.parse(`${day}T00:00:00Z`) / minute + hours * 60 + minutes;
  const from = (asked - 16 * 60) * minute;
  let before = from;
  for (let instant = from; instant <= from + 34 * 60 * minute; instant += 15 * minute) {
    const shown = clock.at(instant);
    if (shown === asked) return instant;
    if (shown > asked && clock.at(before) < asked && instant > before) {
      return before + (asked - clock.at(before)) * minute;
    }
    before = instant;
  }
  throw new Error(`the clock never shows ${day} ${hours}:${minutes}`);
}
