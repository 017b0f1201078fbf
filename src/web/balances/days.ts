import { longDay } from '../time/calendar.ts';
import { withFirst } from '../time/first-of-month.ts';

/** "jeudi 1er octobre" for a day written YYYY-MM-DD. */
export function dayWords(day: string): string {
  return longDay(new Date(day));
}

/** "1er oct." */
export function shortDay(day: string): string {
  return withFirst(shortFormat.format(new Date(day)));
}

/** "le 1er octobre à 07:12", on this browser's clock. */
export function givenWords(moment: string): string {
  return `le ${withFirst(momentFormat.format(new Date(moment)))}`;
}

const shortFormat = new Intl.DateTimeFormat('fr', {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});
const momentFormat = new Intl.DateTimeFormat('fr', {
  day: 'numeric',
  month: 'long',
  hour: '2-digit',
  minute: '2-digit',
});
