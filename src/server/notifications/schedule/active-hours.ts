import { Temporal } from 'temporal-polyfill';
import type { LocalZone } from '../../../shared/calendar/local-date.ts';
import { knownZoneName, minutesOfDay } from '../../../shared/calendar/wall-clock.ts';

/** The hours of the wall clock between which accounts with alerts are read, and alerts told at once. */
const activeHours = { from: 7, until: 22 } as const;

/** Minutes since these hours began on that day; null outside of them. */
export function minutesIntoActiveHours(localZone: LocalZone, at: Date): number | null {
  const minutes = minutesOfDay(at, localZone);
  const isActive = minutes >= activeHours.from * 60 && minutes < activeHours.until * 60;
  return isActive ? minutes - activeHours.from * 60 : null;
}

export function isActiveHour(localZone: LocalZone, at: Date): boolean {
  return minutesIntoActiveHours(localZone, at) !== null;
}

/** The first moment strictly after `at` at which they begin. */
export function nextActiveHours(localZone: LocalZone, at: Date): Date {
  const name = knownZoneName(localZone);
  const today = Temporal.Instant.fromEpochMilliseconds(at.getTime())
    .toZonedDateTimeISO(name)
    .toPlainDate();
  for (let day = today; ; day = day.add({ days: 1 })) {
    const begins = day
      .toPlainDateTime({ hour: activeHours.from })
      .toZonedDateTime(name).epochMilliseconds;
    if (begins > at.getTime()) return new Date(begins);
  }
}
