import { dayMs, hourMs, minuteMs } from './durations.ts';

const steps = [
  { unit: 'year', ms: 365 * dayMs },
  { unit: 'month', ms: 30 * dayMs },
  { unit: 'day', ms: dayMs },
  { unit: 'hour', ms: hourMs },
  { unit: 'minute', ms: minuteMs },
] as const;
const elapsedWords = new Intl.RelativeTimeFormat('fr');
const dayWords = new Intl.RelativeTimeFormat('fr', { numeric: 'auto' });

/**
 * The age of a figure in words, for pages and messages alike: "il y a 3 heures", "hier", "il y a 4
 * jours", "à l'instant"; "jamais" for what never was. Days are those of the calendar that `dayOf` counts
 * by: the number of a moment's day.
 */
export function ageWords(at: Date | null, now: Date, dayOf: (moment: Date) => number): string {
  if (!at) return 'jamais';
  const elapsed = now.getTime() - at.getTime();
  const step = steps.find(({ ms }) => Math.abs(elapsed) >= ms);
  if (!step) return "à l'instant";
  if (step.unit === 'day') return dayWords.format(dayOf(at) - dayOf(now), 'day');
  return elapsedWords.format(-Math.trunc(elapsed / step.ms), step.unit);
}
