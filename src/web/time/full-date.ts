import { withFirst } from './first-of-month.ts';

const day = new Intl.DateTimeFormat('fr', { day: 'numeric', month: 'long', year: 'numeric' });
const time = new Intl.DateTimeFormat('fr', {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** "1er décembre 2026 à 09:00", on this machine's clock. */
export function fullDate(date: Date): string {
  return `${withFirst(day.format(date))} à ${time.format(date)}`;
}
