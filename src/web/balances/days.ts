/** "jeudi 1er octobre" for a day written YYYY-MM-DD. */
export function dayWords(day: string): string {
  return dayFormat.format(new Date(day)).replace(/(?<!\d)1(?= )/, '1er');
}

/** "1er oct." */
export function shortDay(day: string): string {
  return shortFormat.format(new Date(day)).replace(/^1(?= )/, '1er');
}

/** "le 1er octobre à 07:12", on this browser's clock. */
export function givenWords(moment: string): string {
  const words = momentFormat.format(new Date(moment)).replace(/^1(?= )/, '1er');
  return `le ${words}`;
}

const dayFormat = new Intl.DateTimeFormat('fr', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  timeZone: 'UTC',
});
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
