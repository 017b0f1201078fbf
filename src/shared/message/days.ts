import { ageWords, isDayAlone } from '../calendar/ages.ts';
import { dayMs } from '../calendar/durations.ts';
import type { LocalZone } from '../calendar/local-date.ts';
import { dayNumber, wallClock } from '../calendar/wall-clock.ts';

/** "samedi 21 novembre 2026", on the calendar of that zone. */
export function longDate(at: Date, localZone: LocalZone): string {
  const there = wallClock(at, localZone);
  return `${weekdays[there.getUTCDay()]} ${dayOf(there)} ${there.getUTCFullYear()}`;
}

/**
 * "aujourd'hui à 07:12", "hier à 22:40", "le 3 mars à 07:12", on the wall clock of that zone; "hier" and
 * "le 3 mars" for a day alone.
 */
export function dayAndHour(at: Date, now: Date, localZone: LocalZone): string {
  const there = isDayAlone(at) ? at : wallClock(at, localZone);
  const hour = isDayAlone(at) ? '' : ` à ${hourOf(there)}`;
  const apart = dayNumber(now, localZone) - Math.floor(there.getTime() / dayMs);
  if (apart === 0) return `aujourd'hui${hour}`;
  if (apart === 1) return `hier${hour}`;
  return `le ${dayWithYear(there, wallClock(now, localZone))}${hour}`;
}

/**
 * The age of a figure in a message, which may be read hours later: "07:12" and "hier à 22:40" by the
 * clock of that zone, then in days as every page says it; "hier" for a day alone. "date inconnue"
 * without a moment.
 */
export function ageInMessage(at: Date | null, now: Date, localZone: LocalZone): string {
  if (!at) return 'date inconnue';
  const dayIn = (moment: Date) => dayNumber(moment, localZone);
  if (isDayAlone(at)) return ageWords(at, now, dayIn);
  const apart = dayIn(now) - dayIn(at);
  if (apart === 0) return hourAndMinute(at, localZone);
  if (apart === 1) return `hier à ${hourAndMinute(at, localZone)}`;
  return ageWords(at, now, dayIn);
}

/** "depuis hier", "depuis vendredi" within a week, "depuis le 3 mars" before. `day` is YYYY-MM-DD. */
export function sinceDay(day: string, now: Date, localZone: LocalZone): string {
  const then = new Date(`${day}T00:00:00Z`);
  const apart = dayNumber(now, localZone) - Math.floor(then.getTime() / dayMs);
  if (apart === 1) return 'depuis hier';
  if (apart > 1 && apart < 7) return `depuis ${weekdays[then.getUTCDay()]}`;
  if (apart < 1) return 'depuis le dernier envoi';
  return `depuis le ${dayWithYear(then, wallClock(now, localZone))}`;
}

/** "1er mars", on the calendar of that zone. */
export function dayAndMonth(at: Date, localZone: LocalZone): string {
  return dayOf(wallClock(at, localZone));
}

/** "07:12", on the wall clock of that zone. */
export function hourAndMinute(at: Date, localZone: LocalZone): string {
  return hourOf(wallClock(at, localZone));
}

const weekdays = ['dimanche', 'lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi'];

const months = [
  ...['janvier', 'février', 'mars', 'avril', 'mai', 'juin', 'juillet', 'août', 'septembre'],
  ...['octobre', 'novembre', 'décembre'],
];

function dayOf(there: Date): string {
  const day = there.getUTCDate();
  return `${day === 1 ? '1er' : day} ${months[there.getUTCMonth()]}`;
}

function dayWithYear(there: Date, today: Date): string {
  const sameYear = there.getUTCFullYear() === today.getUTCFullYear();
  return sameYear ? dayOf(there) : `${dayOf(there)} ${there.getUTCFullYear()}`;
}

function hourOf(there: Date): string {
  return `${twoDigits(there.getUTCHours())}:${twoDigits(there.getUTCMinutes())}`;
}

function twoDigits(count: number): string {
  return String(count).padStart(2, '0');
}
