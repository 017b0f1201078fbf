import { nextSending, offsetAt, type StoredHour, zoneOf } from '../schedule/next-sending.ts';

/** ±HHMM at the next sending, also while none is planned. */
export type ShownOffset = (hour: StoredHour, nextAt: Date | null, now: Date) => string;

interface Known {
  from: number;
  until: number;
  offset: string;
}

/**
 * Reads come far more often than sendings: what was computed for an hour serves everyone with the
 * same hour until that sending has passed.
 */
export function rememberOffsets(limit = 1000): ShownOffset {
  const known = new Map<string, Known>();
  return (hour, nextAt, now) => {
    const time = now.getTime();
    const key = `${hour.hours}:${hour.minutes} ${zoneOf(hour)} ${nextAt?.getTime()}`;
    const kept = known.get(key);
    if (kept && (nextAt || (kept.from <= time && time < kept.until))) return kept.offset;
    const at = nextAt ?? nextSending(hour, now).at;
    const offset = offsetAt(hour, at);
    if (known.size >= limit) known.clear();
    known.set(key, { from: time, until: at.getTime(), offset });
    return offset;
  };
}
