import { minutesIntoActiveHours, nextActiveHours } from '../../../shared/calendar/active-hours.ts';
import { hourMs } from '../../../shared/calendar/durations.ts';
import type { LocalZone } from '../../../shared/calendar/local-date.ts';
import { localDateAt } from '../../../shared/calendar/wall-clock.ts';
import type { Crossing } from './crossings.ts';

/** When a crossing is told. */
export interface PlannedCrossing<Found> {
  crossing: Found;
  /** The moment of the summary that it waits for; null when it is told at once. */
  releaseAt: Date | null;
}

/** So many crossings of one account are told at once in a day; the others wait for the next summary. */
export const maxImmediate = 3;

/** What the crossings of a day are counted by: the account, or `total`. */
export function subjectOf({ accountId }: Pick<Crossing, 'accountId'>): string {
  return String(accountId ?? 'total');
}

/**
 * Which of the crossings that were found now are told now, in the order given. `immediateToday`: how many of
 * each subject were told at once since midnight of the notification's zone.
 */
export function planRelease<Found extends Pick<Crossing, 'accountId'>>(
  crossings: readonly Found[],
  now: Date,
  {
    localZone,
    immediateToday,
  }: { localZone: LocalZone; immediateToday: ReadonlyMap<string, number> },
): { day: string; planned: PlannedCrossing<Found>[] } {
  const isActive = minutesIntoActiveHours(localZone, now) !== null;
  const told = new Map(immediateToday);
  const planned = crossings.map((crossing) => {
    const subject = subjectOf(crossing);
    const count = told.get(subject) ?? 0;
    const isNow = isActive && count < maxImmediate;
    if (isNow) told.set(subject, count + 1);
    return { crossing, releaseAt: isNow ? null : nextActiveHours(localZone, now) };
  });
  return { day: localDateAt(now, localZone), planned };
}

/**
 * A moment of release further ahead than this was written by a clock that ran ahead, and is not waited
 * for: the next morning is never further away.
 */
export const longestWaitMs = 26 * hourMs;
