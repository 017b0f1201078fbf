import { twoDigits } from '../time/calendar.ts';

const number = new Intl.NumberFormat('fr', { maximumFractionDigits: 1 });

/** "1 240", of whatever is counted. */
export const countWords = number.format;

/** "1 envoi", "1 240 envois". */
export function pluralize(count: number, name: string): string {
  return `${countWords(count)} ${name}${count > 1 ? 's' : ''}`;
}

/** "0,4 s", "2 min 05 s", "1 h 05". */
export function durationWords(seconds: number): string {
  if (seconds < 59.95) return `${number.format(seconds)}\u202fs`;
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes}\u202fmin\u202f${twoDigits(whole % 60)}\u202fs`;
  return `${Math.floor(minutes / 60)}\u202fh\u202f${twoDigits(minutes % 60)}`;
}
