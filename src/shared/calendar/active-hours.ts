import { Temporal } from 'temporal-polyfill';
import type { LocalZone } from './local-date.ts';
import { zoneOrParis } from './wall-clock.ts';

/** The hours of the wall clock between which accounts with alerts are read, and alerts told at once. */
export const activeHours = { from: 7, until: 22 } as const;

/** The wall clock of a zone at a moment: its day (YYYY-MM-DD), and the minutes since midnight. */
export function wallClockAt(localZone: LocalZone, at: Date): { day: string; minutes: number } {
  const there = zoned(localZone, at.getTime());
  return { day: there.toPlainDate().toString(), minutes: there.hour * 60 + there.minute };
}

/** Minutes since these hours began on that day; null outside of them. */
export function minutesIntoActiveHours(localZone: LocalZone, at: Date): number | null {
  const { minutes } = wallClockAt(localZone, at);
  const isActive = minutes >= activeHours.from * 60 && minutes < activeHours.until * 60;
  return isActive ? minutes - activeHours.from * 60 : null;
}

/** The first moment strictly after `at` at which they begin. */
export function nextActiveHours(localZone: LocalZone, at: Date): Date {
  const today = zoned(localZone, at.getTime()).toPlainDate();
  for (let day = today; ; day = day.add({ days: 1 })) {
    const begins = day
      .toPlainDateTime({ hour: activeHours.from })
      .toZonedDateTime(timeZoneOf(localZone)).epochMilliseconds;
    if (begins > at.getTime()) return new Date(begins);
  }
}

function zoned(localZone: LocalZone, milliseconds: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(milliseconds).toZonedDateTimeISO(
    timeZoneOf(localZone),
  );
}

/** The IANA name, or ±HH:MM. */
function timeZoneOf({ zone, offsetMinutes }: LocalZone): string {
  if (zone !== null) return zoneOrParis(zone);
  const east = offsetMinutes ?? 0;
  const [hours, minutes] = [Math.floor(Math.abs(east) / 60), Math.abs(east) % 60];
  const digits = [hours, minutes].map((count) => String(count).padStart(2, '0'));
  return (east < 0 ? '-' : '+') + digits.join(':');
}
