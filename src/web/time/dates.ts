import { isDayAlone } from '../../shared/calendar/ages.ts';
import { format, longDay, timeFormat, utc } from './calendar.ts';

/** "1er oct.", for a day written YYYY-MM-DD. */
export function shortDay(day: string): string {
  return format(day, { day: 'numeric', month: 'short' }, utc);
}

/** "jeudi 1er octobre" for a day written YYYY-MM-DD, "mercredi 1er octobre 2025" for one of another year. */
export function longDate(day: string, now: Date): string {
  const isOfThisYear = Number(day.slice(0, 4)) === now.getFullYear();
  return isOfThisYear ? longDay(day) : format(day, { dateStyle: 'full' }, utc);
}

/**
 * "le 1er octobre à 07:12", on this browser's clock; "le 1er octobre" for a day alone.
 */
export function momentWords(moment: string): string {
  const day = { day: 'numeric', month: 'long' } as const;
  return isDayAlone(new Date(moment))
    ? `le ${format(moment, day, utc)}`
    : `le ${format(moment, { ...day, hour: '2-digit', minute: '2-digit' })}`;
}

/** "1er décembre 2026 à 09:00", on this browser's clock. */
export function dateTimeText(date: Date): string {
  return `${format(date, { dateStyle: 'long' })} à ${format(date, timeFormat)}`;
}
