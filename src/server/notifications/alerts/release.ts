import { hourMs } from '../../../shared/calendar/durations.ts';
import type { LocalZone } from '../../../shared/calendar/local-date.ts';
import { isActiveHour, nextActiveHours } from '../schedule/active-hours.ts';
import type { Crossing } from './crossings.ts';

/** When a crossing is told. */
export interface PlannedCrossing<Found> {
  crossing: Found;
  /** The moment of the summary that it waits for; null when it is told at once. */
  releaseAt: Date | null;
}

/** In so many messages of a day an account is told at once; what comes later waits for the next summary. */
const maxImmediate = 3;

/**
 * Which of the crossings that were found now are told now, in one message. `immediateToday`: in how many
 * messages each account, and under null the total, was told at once since midnight of the notification's
 * zone.
 */
export function planRelease<Found extends Pick<Crossing, 'accountId'>>(
  crossings: readonly Found[],
  now: Date,
  {
    localZone,
    immediateToday,
  }: { localZone: LocalZone; immediateToday: ReadonlyMap<number | null, number> },
): PlannedCrossing<Found>[] {
  const isActive = isActiveHour(localZone, now);
  return crossings.map((crossing) => {
    const isNow = isActive && (immediateToday.get(crossing.accountId) ?? 0) < maxImmediate;
    return { crossing, releaseAt: isNow ? null : nextActiveHours(localZone, now) };
  });
}

/**
 * A moment of release further ahead than this was written by a clock that ran ahead, and is not waited
 * for: the next morning is never further away.
 */
export const longestWaitMs = 26 * hourMs;
