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
 * by: the number of a moment's day. A day alone has no hours: "aujourd'hui", "hier".
 */
export function ageWords(at: Date | null, now: Date, dayOf: (moment: Date) => number): string {
  if (!at) return 'jamais';
  const elapsed = now.getTime() - at.getTime();
  const step = steps.find(({ ms }) => Math.abs(elapsed) >= ms);
  if (step?.unit === 'day' || (isDayAlone(at) && (!step || step.ms < dayMs))) {
    const day = isDayAlone(at) ? Math.floor(at.getTime() / dayMs) : dayOf(at);
    const apart = day - dayOf(now);
    return apart === 0 ? "aujourd'hui" : dayWords.format(apart, 'day');
  }
  if (!step) return "à l'instant";
  return elapsedWords.format(-Math.trunc(elapsed / step.ms), step.unit);
}

/**
 * Whether a figure has a day without an hour. Its day is that of UTC: it is kept as the first moment of
 * that day in UTC where it is typed or read from a file, as the last millisecond of that day in Paris
 * where its bank dates by the day.
 */
export function isDayAlone(at: Date): boolean {
  const time = at.getTime();
  return time % dayMs === 0 || (time + 1) % hourMs === 0;
}
