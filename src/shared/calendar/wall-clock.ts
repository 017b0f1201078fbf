import { dayMs } from './durations.ts';
import type { LocalZone } from './local-date.ts';

/** A date whose UTC fields are the wall clock of the zone, to the minute. */
export function wallClock(at: Date, { zone, offsetMinutes }: LocalZone): Date {
  if (zone === null) return new Date(at.getTime() + (offsetMinutes ?? 0) * 60_000);
  const minute = Math.floor(at.getTime() / 60_000);
  const known = shownMinutes.get(zone)?.get(minute);
  if (known) return known;
  const shown = readClock(at, zone);
  keep(zone, minute, shown);
  return shown;
}

/** The calendar day at `at` in the zone, YYYY-MM-DD. */
export function localDateAt(at: Date, localZone: LocalZone): string {
  return wallClock(at, localZone).toISOString().slice(0, 10);
}

/** The calendar day of a moment in Paris: that of the banks and of their customers. */
export function parisDayOf(at: Date): string {
  return localDateAt(at, paris);
}

/** The latest calendar day that has begun anywhere: no clock is more than 14 hours ahead of UTC. */
export function latestDayAt(at: Date): string {
  return localDateAt(at, { zone: null, offsetMinutes: 14 * 60 });
}

const paris: LocalZone = { zone: 'Europe/Paris', offsetMinutes: null };

/** Since midnight, on the wall clock of the zone. */
export function minutesOfDay(at: Date, localZone: LocalZone): number {
  const there = wallClock(at, localZone);
  return there.getUTCHours() * 60 + there.getUTCMinutes();
}

/** The number of a moment's day on the calendar of that zone: one more with each day. */
export function dayNumber(at: Date, localZone: LocalZone): number {
  return Math.floor(wallClock(at, localZone).getTime() / dayMs);
}

/** The name by which Temporal knows a zone: the IANA name, or ±HH:MM. */
export function zoneName({ zone, offsetMinutes }: LocalZone): string {
  if (zone !== null) return zone;
  const east = offsetMinutes ?? 0;
  const [hours, minutes] = [Math.floor(Math.abs(east) / 60), Math.abs(east) % 60];
  const digits = [hours, minutes].map((count) => String(count).padStart(2, '0'));
  return (east < 0 ? '-' : '+') + digits.join(':');
}

/** The same; that of Paris for a zone that this machine does not know. */
export function knownZoneName(localZone: LocalZone): string {
  return localZone.zone === null ? zoneName(localZone) : zoneOrParis(localZone.zone);
}

/**
 * A zone that this machine does not know is taken for that of Paris, so that what is due there is told
 * all the same.
 */
function zoneOrParis(zone: string): string {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return zone;
  } catch {
    return 'Europe/Paris';
  }
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** A cache by zone: the messages of one minute name the same few moments. */
const shownMinutes = new Map<string, Map<number, Date>>();
let kept = 0;

function keep(zone: string, minute: number, shown: Date): void {
  if (kept >= maxKept) {
    shownMinutes.clear();
    kept = 0;
  }
  kept += 1;
  const minutes = shownMinutes.get(zone);
  if (minutes) minutes.set(minute, shown);
  else shownMinutes.set(zone, new Map([[minute, shown]]));
}

/** About the minutes of three days. */
const maxKept = 4000;

function readClock(at: Date, zone: string): Date {
  let clock = clocks.get(zone);
  if (!clock) {
    clock = new Intl.DateTimeFormat('en-US', {
      ...{ timeZone: zoneOrParis(zone), calendar: 'gregory', hourCycle: 'h23' },
      ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' },
    });
    if (clocks.size >= 600) clocks.clear();
    clocks.set(zone, clock);
  }
  const part = new Map(clock.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const numberOf = (type: Intl.DateTimeFormatPartTypes) => part.get(type) ?? 0;
  const shown = new Date(0);
  // `Date.UTC` would take the first hundred years for those of the last century.
  shown.setUTCFullYear(numberOf('year'), numberOf('month') - 1, numberOf('day'));
  shown.setUTCHours(numberOf('hour'), numberOf('minute'));
  return shown;
}
