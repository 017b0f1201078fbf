import { nextSending, type Schedule, sendingsFrom } from '../schedule/next-sending.ts';

/** The next five sendings, ISO 8601 UTC, of which the first is planned at `nextAt`. */
export type ShownDates = (schedule: Schedule, nextAt: Date) => string[];

const count = 5;

/** What was computed for a schedule serves everyone with the same one, until it has passed. */
export function rememberDates(limit = 1000): ShownDates {
  const known = new Map<string, string[]>();
  return (schedule, nextAt) => {
    const key = `${Object.values(schedule).join(' ')} ${nextAt.getTime()}`;
    const kept = known.get(key);
    if (kept) return kept;
    const first = nextSending(schedule, new Date(nextAt.getTime() - 1));
    const dates = sendingsFrom(schedule, first, count).map(({ at }) => at.toISOString());
    if (known.size >= limit) known.clear();
    known.set(key, dates);
    return dates;
  };
}
