import { dayMs } from '../calendar/durations.ts';
import type { LocalZone } from '../calendar/local-date.ts';
import { dayNumber } from '../calendar/wall-clock.ts';

/** A person is reminded this long before an access to a bank ends. */
export const remindedBeforeMs = { '14-days': 14 * dayMs, '3-days': 3 * dayMs } as const;

/** An access that ends within the first of these spans, and has not ended yet. */
export function endsSoon(endsAt: Date | null, now: Date): endsAt is Date {
  const leftMs = endsAt ? endsAt.getTime() - now.getTime() : 0;
  return leftMs > 0 && leftMs <= remindedBeforeMs['14-days'];
}

/** "aujourd'hui", "demain", "dans 3 jours", by the calendar of that zone. */
export function endingIn(endsAt: Date, now: Date, localZone: LocalZone = paris): string {
  const days = dayNumber(endsAt, localZone) - dayNumber(now, localZone);
  if (days < 2) return days < 1 ? "aujourd'hui" : 'demain';
  return `dans ${days} jours`;
}

const paris = { zone: 'Europe/Paris', offsetMinutes: null };
