import { Temporal } from 'temporal-polyfill';
import { dayMs } from './durations.ts';

/** The zone of a wall clock: an IANA name, or minutes east of UTC while `zone` is null. */
export interface LocalZone {
  zone: string | null;
  offsetMinutes: number | null;
}

/** The first moment of a calendar day (YYYY-MM-DD) in Paris. */
export function startOfParisDay(day: string): Date {
  return new Date(Temporal.PlainDate.from(day).toZonedDateTime('Europe/Paris').epochMilliseconds);
}

/** DD/MM/YYYY of a day (YYYY-MM-DD). */
export function slashedDay(day: string): string {
  return day.split('-').reverse().join('/');
}

/** The calendar day so many days after another, both YYYY-MM-DD; before it where `count` is negative. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * dayMs).toISOString().slice(0, 10);
}
