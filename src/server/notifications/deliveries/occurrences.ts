import { nextSending, type Schedule, type Sending } from '../schedule/next-sending.ts';

export interface Occurrence extends Sending {
  /** False when another day has come since, or when it is too late to be useful. */
  useful: boolean;
}

export interface DueDays {
  occurrences: Occurrence[];
  /** The moment to plan next; still due when an outage left more days than one pass records. */
  nextAt: Date;
}

/**
 * The days a messenger has to account for, oldest first: every hour from `dueAt` (UTC) up to `now`,
 * days of rest left out.
 * Only the last one can still be useful. The schedule is computed again from the hour, so a changed
 * time-zone database moves a stored moment instead of sending at the old one.
 */
export function dueDays(
  schedule: Schedule,
  dueAt: Date,
  plannedOn: string | null,
  now: Date,
  uselessAfterMs: number,
): DueDays {
  const occurrences: Occurrence[] = [];
  const start = Math.max(dueAt.getTime() - 1, now.getTime() - rememberedMs);
  let next = nextSending(schedule, new Date(start), plannedOn);
  while (next.at <= now && occurrences.length < daysInOnePass) {
    occurrences.push({ ...next, useful: false });
    next = nextSending(schedule, next.at, next.localDate);
  }
  const last = occurrences.at(-1);
  if (last && next.at > now) last.useful = now.getTime() - last.at.getTime() <= uselessAfterMs;
  return { occurrences, nextAt: next.at };
}

/** History is kept 400 days: an older gap has nowhere to be shown. */
const rememberedMs = 400 * 86_400_000;

/** Keeps one transaction short after a long outage. */
const daysInOnePass = 10;
