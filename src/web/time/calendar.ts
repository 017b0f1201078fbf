import { withFirst } from './first-of-month.ts';

const DAY_MS = 86_400_000;

/** Where a wall clock hangs: an IANA zone, or a fixed offset ±HHMM when `zone` is null. */
export interface Place {
  zone: string | null;
  timeZone: string;
}

/** "demain à 09:00", "mardi 1er décembre à 09:00", on the wall clock of that place. */
export function dayAndTime(date: Date, now: Date, place: Place): string {
  const there = wallClock(date, place);
  return `${dayWords(there, wallClock(now, place))} à ${timeFormat.format(there)}`;
}

/** "lundi 23" and "novembre", on the wall clock of that place. */
export function dayAndMonth(date: Date, place: Place): { day: string; month: string } {
  const [weekday = '', number = '', month = ''] = longDay(wallClock(date, place)).split(' ');
  return { day: `${weekday} ${number}`, month };
}

/** "mardi 1er décembre", by the UTC fields of a date. */
export function longDay(date: Date): string {
  return withFirst(dayFormat.format(date));
}

/** "heure de Paris", "heure d'Abidjan", "UTC+05:30". */
export function placeWords({ zone, timeZone }: Place): string {
  if (zone === null) return `UTC${timeZone.slice(0, 3)}:${timeZone.slice(3)}`;
  const city = frenchCities.get(zone) ?? zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ');
  return /^[AEIOUÉ]/.test(city) ? `heure d'${city}` : `heure de ${city}`;
}

/** The offset of a date on this machine's clock, as ±HHMM. */
export function offsetOf(date: Date): string {
  const east = -date.getTimezoneOffset();
  const minutes = Math.abs(east);
  const pad = (part: number) => String(part).padStart(2, '0');
  return `${east < 0 ? '-' : '+'}${pad(Math.trunc(minutes / 60))}${pad(minutes % 60)}`;
}

/** ±HHMM in minutes east of UTC. */
export function minutesOf(offset: string): number {
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(3));
  return offset.startsWith('-') ? -minutes : minutes;
}

export function browserZone(): string {
  return new Intl.DateTimeFormat('fr').resolvedOptions().timeZone;
}

const timeFormat = new Intl.DateTimeFormat('fr', {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
});
const dayFormat = new Intl.DateTimeFormat('fr', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  timeZone: 'UTC',
});

const frenchCities = new Map([
  ['Pacific/Noumea', 'Nouméa'],
  ['Indian/Reunion', 'La Réunion'],
  ['Europe/London', 'Londres'],
  ['Europe/Brussels', 'Bruxelles'],
  ['Europe/Zurich', 'Zurich'],
  ['America/Montreal', 'Montréal'],
  ['UTC', 'Greenwich'],
]);

/** The date whose UTC fields are what the clocks of that place show. */
function wallClock(date: Date, { zone, timeZone }: Place): Date {
  if (zone !== null) {
    try {
      return zoned(date, zone);
    } catch {
      // A zone this browser has not heard of: the offset says nearly the same.
    }
  }
  return new Date(date.getTime() + minutesOf(timeZone) * 60_000);
}

function zoned(date: Date, zone: string): Date {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    calendar: 'iso8601',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    hourCycle: 'h23',
  });
  const part = Object.fromEntries(
    format.formatToParts(date).map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return new Date(Date.UTC(year, month - 1, day, hour, minute, second));
}

function dayWords(day: Date, today: Date): string {
  const apart = Math.floor(day.getTime() / DAY_MS) - Math.floor(today.getTime() / DAY_MS);
  const near = { '-1': 'hier', 0: "aujourd'hui", 1: 'demain' }[String(apart)];
  return near ?? longDay(day);
}
