import { nextSending, offsetAt, type Schedule, sendingsFrom } from '../schedule/next-sending.ts';

/** What a notification tells of the days to come. */
export interface Upcoming {
  /** ±HHMM at the next sending, also while none is planned. */
  offset: string;
  /** The next five sendings, ISO 8601 UTC; none while none is planned. */
  dates: string[];
}

interface Planned {
  nextAt: Date | null;
  plannedOn: string | null;
}

/**
 * Reads come far more often than sendings: what was computed for a schedule serves everyone with the
 * same one until its next sending has passed.
 */
export function rememberUpcoming(
  limit = 1000,
): (schedule: Schedule, planned: Planned, now: Date) => Upcoming {
  const known = new Map<string, Upcoming & { from: number; until: number }>();
  return (schedule, planned, now) => {
    const key = JSON.stringify([schedule, planned]);
    const kept = known.get(key);
    const time = now.getTime();
    if (kept && (planned.nextAt || (kept.from <= time && time < kept.until))) return kept;
    const next = planned.nextAt ?? nextSending(schedule, now).at;
    const upcoming = { offset: offsetAt(schedule, next), dates: datesFrom(schedule, planned) };
    if (known.size >= limit) known.clear();
    known.set(key, { ...upcoming, from: time, until: next.getTime() });
    return upcoming;
  };
}

function datesFrom(schedule: Schedule, { nextAt, plannedOn }: Planned): string[] {
  if (!nextAt) return [];
  const first = nextSending(schedule, new Date(nextAt.getTime() - 1), plannedOn);
  return sendingsFrom(schedule, first, 5).map(({ at }) => at.toISOString());
}
