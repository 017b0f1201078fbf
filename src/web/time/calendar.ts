import { isDayAlone } from '../../shared/calendar/ages.ts';
import { dayMs } from '../../shared/calendar/durations.ts';
import { withFirstOfMonth } from '../../shared/calendar/first-of-month.ts';
import type { LocalZone } from '../../shared/calendar/local-date.ts';

/** Whose wall clock: that of an IANA zone, or of a fixed offset ±HHMM when `zone` is null. */
export interface HourZone {
  zone: string | null;
  timeZone: string;
}

/** "demain à 09:00", "mardi 1er décembre à 09:00", on the wall clock of that zone. */
export function dayAndTime(date: Date, now: Date, hourZone: HourZone): string {
  const apart = dayNumber(date, hourZone) - dayNumber(now, hourZone);
  const near = { '-1': 'hier', 0: "aujourd'hui", 1: 'demain' }[String(apart)];
  return `${near ?? longDay(date, hourZone, now)} à ${format(date, timeFormat, hourZone)}`;
}

/** "mardi 1er décembre"; in UTC for a day written YYYY-MM-DD. With its year where it is far from `now`. */
export function longDay(day: Date | string, hourZone = utc, now?: Date): string {
  const isFar = now && Math.abs(new Date(day).getTime() - now.getTime()) > 330 * dayMs;
  return isFar
    ? format(day, { dateStyle: 'full' }, hourZone)
    : format(day, { weekday: 'long', day: 'numeric', month: 'long' }, hourZone);
}

/** "mardi 1er décembre 2026 à 09:00", on this browser's clock; "mardi 1er décembre 2026" for a day alone. */
export function longDateTime(date: Date): string {
  return isDayAlone(date)
    ? format(date, { dateStyle: 'full' }, utc)
    : format(date, { dateStyle: 'full', timeStyle: 'short' });
}

/** "09:00". */
export function clockWords({ hours, minutes }: { hours: number; minutes: number }): string {
  return `${twoDigits(hours)}:${twoDigits(minutes)}`;
}

/** "heure de Paris", "heure d'Abidjan", "heure des Açores", "UTC+05:30". */
export function zoneWords({ zone, timeZone }: HourZone): string {
  if (zone === null) return `UTC${timeZone.slice(0, 3)}:${timeZone.slice(3)}`;
  if (formalZone(zone) === 'UTC') return 'heure universelle (UTC)';
  const city = frenchCity(zone) ?? zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ');
  if (/^d|^UTC/.test(city)) return `heure ${city}`;
  return /^[AEIOUÉÎ]/.test(city) ? `heure d'${city}` : `heure de ${city}`;
}

/**
 * Fetches the French names of cities before one of these zones is written. Without them a city goes by the
 * name that its zone has.
 */
export async function loadCities(zones: readonly (string | null)[]): Promise<void> {
  if (cities || zones.every((zone) => zone === null || plain.has(zone))) return;
  cities = await import('./cities.ts').then(
    (file) => file.cities,
    () => null,
  );
}

/** Those that most people have need none. */
const plain = new Set(['Europe/Paris', 'UTC']);
let cities: Cities | null = null;
type Cities = typeof import('./cities.ts').cities;

function frenchCity(zone: string): string | undefined {
  return cityIn(zone) ?? cityIn(formalZone(zone) ?? zone);
}

function cityIn(zone: string): string | undefined {
  const [region = '', ...rest] = zone.split('/');
  return cities?.[region]?.[rest.join('/')];
}

/**
 * The zone under the name that CLDR keeps, where the one given is another: Asia/Katmandu. Null for one
 * that this browser does not know.
 */
export function formalZone(zone: string): string | null {
  try {
    return formatter('fr', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/** The offset of a date on this browser's clock, as ±HHMM. */
export function offsetOf(date: Date): string {
  const east = -date.getTimezoneOffset();
  const minutes = Math.abs(east);
  return `${east < 0 ? '-' : '+'}${twoDigits(Math.trunc(minutes / 60))}${twoDigits(minutes % 60)}`;
}

/** ±HHMM in minutes east of UTC. */
function minutesOf(offset: string): number {
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(3));
  return offset.startsWith('-') ? -minutes : minutes;
}

export function localZoneOf({ zone, timeZone }: HourZone): LocalZone {
  return { zone, offsetMinutes: minutesOf(timeZone) };
}

export function browserZone(): string {
  return new Intl.DateTimeFormat('fr').resolvedOptions().timeZone;
}

export function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}

export const utc: HourZone = { zone: 'UTC', timeZone: '+0000' };
export const timeFormat = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

/** YYYY-MM-DD on the calendar of that zone. */
export function dayAt(date: Date, hourZone: HourZone): string {
  return format(date, { dateStyle: 'short' }, hourZone, 'sv');
}

/** Days since the epoch on the calendar of that zone. */
function dayNumber(date: Date, hourZone: HourZone): number {
  return Date.parse(dayAt(date, hourZone)) / dayMs;
}

/** In French, whose first of the month is "1er", and on this browser's clock unless told otherwise. */
export function format(
  date: Date | string,
  options: Intl.DateTimeFormatOptions,
  hourZone?: HourZone,
  locale = 'fr',
): string {
  const [shown, timeZone] = hourZone ? onClockOf(hourZone, new Date(date)) : [new Date(date)];
  return withFirstOfMonth(formatter(locale, { ...options, timeZone }).format(shown));
}

/** What to format in which zone, to read the clock of that zone. */
function onClockOf({ zone, timeZone }: HourZone, date: Date): [Date, string] {
  // Its offset says nearly the same as a zone that is not known.
  if (zone !== null && formalZone(zone)) return [date, zone];
  return [new Date(date.getTime() + minutesOf(timeZone) * 60_000), 'UTC'];
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Making one takes a hundred times as long as using it. */
function formatter(
  locale: string,
  options: Intl.DateTimeFormatOptions & { timeZone?: string | undefined },
): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, options]);
  const known = formatters.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formatters.set(key, known);
  return known;
}
