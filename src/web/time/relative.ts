import { ageWords } from '../../shared/calendar/ages.ts';
import { dayMs } from '../../shared/calendar/durations.ts';

/** "il y a 3 heures", "hier", "à l'instant"; "jamais" for what never was. Days are the reader's own. */
export function relativeDate(date: Date | null, now: Date): string {
  return ageWords(date, now, dayOf);
}

/** Its number on this browser's calendar. */
function dayOf(date: Date): number {
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / dayMs;
}
