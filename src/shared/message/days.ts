import type { LocalZone } from '../calendar/local-date.ts';

/** "samedi 21 novembre 2026", on the calendar of that zone. */
export function longDate(at: Date, localZone: LocalZone): string {
  const there = wallClock(at, localZone);
  return `${weekdays[there.getUTCDay()]} ${dayOf(there)} ${there.getUTCFullYear()}`;
}

/** "aujourd'hui à 07:12", "hier à 22:40", "le 3 mars à 07:12", on the wall clock of that zone. */
export function dayAndHour(at: Date, now: Date, localZone: LocalZone): string {
  const there = wallClock(at, localZone);
  const today = wallClock(now, localZone);
  const hour = hourOf(there);
  const apart = dayNumber(today) - dayNumber(there);
  if (apart === 0) return `aujourd'hui à ${hour}`;
  if (apart === 1) return `hier à ${hour}`;
  return `le ${dayWithYear(there, today)} à ${hour}`;
}

/** "depuis hier", "depuis vendredi" within a week, "depuis le 3 mars" before. `day` is YYYY-MM-DD. */
export function sinceDay(day: string, now: Date, localZone: LocalZone): string {
  const then = new Date(`${day}T00:00:00Z`);
  const today = wallClock(now, localZone);
  const apart = dayNumber(today) - dayNumber(then);
  if (apart === 1) return 'depuis hier';
  if (apart > 1 && apart < 7) return `depuis ${weekdays[then.getUTCDay()]}`;
  return apart < 1 ? 'depuis le dernier envoi' : `depuis le ${dayWithYear(then, today)}`;
}

/** "1er mars", on the calendar of that zone. */
export function dayAndMonth(at: Date, localZone: LocalZone): string {
  return dayOf(wallClock(at, localZone));
}

/** "07:12", on the wall clock of that zone. */
export function hourAndMinute(at: Date, localZone: LocalZone): string {
  return hourOf(wallClock(at, localZone));
}

/** "il y a 3 jours": whole days of 24 hours. */
export function daysAgo(at: Date, now: Date): string {
  return relative.format(-Math.floor((now.getTime() - at.getTime()) / DAY_MS), 'day');
}

const DAY_MS = 86_400_000;

const relative = new Intl.RelativeTimeFormat('fr', { numeric: 'always' });

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

function dayNumber(wall: Date): number {
  return Math.floor(wall.getTime() / DAY_MS);
}

function hourOf(there: Date): string {
  return `${twoDigits(there.getUTCHours())}:${twoDigits(there.getUTCMinutes())}`;
}

function twoDigits(count: number): string {
  return String(count).padStart(2, '0');
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** A cache: the messages of one minute name the same few moments. */
const shownMinutes = new Map<string, Date>();

/** A date whose UTC fields are the wall clock of the zone, to the minute. */
function wallClock(at: Date, { zone, offsetMinutes }: LocalZone): Date {
  if (zone === null) return new Date(at.getTime() + (offsetMinutes ?? 0) * 60_000);
  const key = `${zone} ${Math.floor(at.getTime() / 60_000)}`;
  const known = shownMinutes.get(key);
  if (known) return known;
  if (shownMinutes.size >= 1000) shownMinutes.clear();
  const shown = readClock(at, zone);
  shownMinutes.set(key, shown);
  return shown;
}

function readClock(at: Date, zone: string): Date {
  let clock = clocks.get(zone);
  if (!clock) {
    clock = new Intl.DateTimeFormat('en-US', {
      ...{ timeZone: zone, calendar: 'gregory', hourCycle: 'h23' },
      ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' },
    });
    if (clocks.size >= 600) clocks.clear();
    clocks.set(zone, clock);
  }
  const part = new Map(clock.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const of = (type: Intl.DateTimeFormatPartTypes) => part.get(type) ?? 0;
  return new Date(Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute')));
}
