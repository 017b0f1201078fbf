import { dayMs } from '../../../shared/calendar/durations.ts';
import type { Clock } from '../../platform/clock.ts';
import { dropOldest } from './bounded-map.ts';

/** How soon what failed to load is asked for again. */
const retryMs = 5 * 60_000;
const maxKept = 1_000;

/**
 * Keeps each value for a day, and a failure for some minutes. Concurrent calls for one key share one
 * request.
 */
export function createDayCache<Value>(clock: Clock) {
  const kept = new Map<string, { value: Promise<Value>; until: number; spanMs: number }>();
  return (key: string, load: () => Promise<Value>): Promise<Value> => {
    const now = clock.now().getTime();
    const known = kept.get(key);
    // Also asked again when the clock was set back.
    if (known && now < known.until && known.until - now <= known.spanMs) return known.value;
    const entry = { value: load(), until: now + dayMs, spanMs: dayMs };
    kept.set(key, entry);
    dropOldest(kept, maxKept);
    entry.value.catch(() => Object.assign(entry, { until: now + retryMs, spanMs: retryMs }));
    return entry.value;
  };
}
