import { holidayOn } from '../../../shared/calendar/holidays.ts';
import type { Region } from '../../../shared/calendar/regions.ts';

/** The days without a message; what is left out excludes none. */
export interface Rest {
  /** The days of the week that send, a bit each: Monday = 1 … Sunday = 64. */
  days?: number;
  /** The region whose public holidays send nothing. */
  holidays?: Region | null;
  /** The first day that sends again, YYYY-MM-DD. */
  pausedUntil?: string | null;
}

/** `everyDay` is what a notification has that never heard of days of the week. */
export const everyDay = 127;

export function restsOn(
  { days = everyDay, holidays = null }: Rest,
  day: { dayOfWeek: number; toString(): string },
): boolean {
  if (days !== everyDay && (days & (1 << (day.dayOfWeek - 1))) === 0) return true;
  return holidays !== null && holidayOn(day.toString(), holidays) !== null;
}

/** 1 Monday … 7 Sunday, as the API has them, to the bits that are stored. */
export function maskOf(days: number[]): number {
  return days.reduce((mask, day) => mask | (1 << (day - 1)), 0);
}

export function daysOf(mask: number): number[] {
  return [1, 2, 3, 4, 5, 6, 7].filter((day) => (mask & (1 << (day - 1))) !== 0);
}
