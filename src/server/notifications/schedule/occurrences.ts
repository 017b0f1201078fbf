import { dayMs } from '../../../shared/calendar/durations.ts';
import { historyDays } from '../../platform/upkeep.ts';
import { nextSending, type Schedule, type Sending } from './next-sending.ts';

export interface Occurrence extends Sending {
  /** False when another day has come since, or when it is too late to be useful. */
  isUseful: boolean;
}

export interface DueDays {
  occurrences: Occurrence[];
  /** The sending to plan next; still due when an outage left more days than one pass records. */
  next: Sending;
}

/**
 * The days a schedule has to account for, oldest first: every hour up to `now`, days of rest left out, on
 * days later than `notOnOrBefore`. Only the last one can still be useful. The schedule is computed from the
 * day, so changed rules of a zone move a stored moment, earlier as well as later, and lose no day.
 */
export function dueDays(
  schedule: Schedule,
  notOnOrBefore: string,
  now: Date,
  uselessAfterMs: number,
): DueDays {
  const occurrences: Occurrence[] = [];
  const start = Math.max(Date.parse(notOnOrBefore), now.getTime() - rememberedMs);
  let next = nextSending(schedule, new Date(start), notOnOrBefore);
  while (next.at <= now && occurrences.length < daysInOnePass) {
    occurrences.push({ ...next, isUseful: false });
    next = nextSending(schedule, next.at, next.localDate);
  }
  const last = occurrences.at(-1);
  if (last && next.at > now) last.isUseful = now.getTime() - last.at.getTime() <= uselessAfterMs;
  return { occurrences, next };
}

/** An older gap than the history has nowhere to be shown. */
const rememberedMs = historyDays * dayMs;

/** Keeps one transaction short after a long outage. */
const daysInOnePass = 10;
