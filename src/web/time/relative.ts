const steps = [
  { unit: 'year', ms: 365 * 86_400_000 },
  { unit: 'month', ms: 30 * 86_400_000 },
  { unit: 'day', ms: 86_400_000 },
  { unit: 'hour', ms: 3_600_000 },
  { unit: 'minute', ms: 60_000 },
] as const;
const elapsedWords = new Intl.RelativeTimeFormat('fr');
const dayWords = new Intl.RelativeTimeFormat('fr', { numeric: 'auto' });

/** "il y a 3 heures", "hier", "à l'instant"; "jamais" for what never was. Days are the reader's own. */
export function relativeDate(date: Date | null, now: Date): string {
  if (!date) return 'jamais';
  const elapsed = now.getTime() - date.getTime();
  const step = steps.find(({ ms }) => Math.abs(elapsed) >= ms);
  if (!step) return "à l'instant";
  if (step.unit === 'day') return dayWords.format(dayOf(date) - dayOf(now), 'day');
  return elapsedWords.format(-Math.trunc(elapsed / step.ms), step.unit);
}

/** Its number on this browser's calendar. */
function dayOf(date: Date): number {
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000;
}
