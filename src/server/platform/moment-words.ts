import { withFirstOfMonth } from '../../shared/calendar/first-of-month.ts';

/** "21 novembre 2026 à 08:05 UTC": in the zone of the log's times, since an operator has none of their own here. */
export function momentWords(at: Date): string {
  return `${withFirstOfMonth(words.format(at))} UTC`;
}

const words = new Intl.DateTimeFormat('fr-FR', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
});
