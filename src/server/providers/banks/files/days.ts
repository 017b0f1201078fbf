import { startOfParisDay } from '../../../../shared/calendar/local-date.ts';
import { parisDayOf } from '../../../../shared/calendar/wall-clock.ts';

/**
 * YYYY-MM-DD of a date as banks write it, day before month unless the year comes first: "20/11/2026",
 * "ven. 20 nov. 2026". Null for others.
 */
export function readDay(text: string): string | null {
  const trimmed = text.trim().replace(weekday, '');
  const iso = isoDay.exec(trimmed);
  const french = /^(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{4}|\d{2})(?:\D|$)/.exec(trimmed);
  if (iso) return existing(iso[1], iso[2], iso[3]);
  const named = french ? null : namedDay.exec(trimmed);
  const [, day, written = '', year = ''] = french ?? named ?? [];
  const month = named ? String(monthOf(written)) : written;
  return existing(year.length === 2 ? `20${year}` : year, month, day);
}

const weekday =
  /^(?:lun(?:di)?|mar(?:di)?|mer(?:credi)?|jeu(?:di)?|ven(?:dredi)?|sam(?:edi)?|dim(?:anche)?)\b[.,]* */i;

/** With nothing but an hour behind it. */
const namedDay =
  /^(\d{1,2})(?:er)?[-/. ]+(\p{L}{3,9})\.?[-/ ,]+(\d{4}|\d{2})(?:$|[ ,]+(?:à )?\d{1,2}[:h])/u;

/** Whether a text begins as a day does, also one that does not exist or lacks its year. */
export function beginsLikeADay(text: string): boolean {
  const words = text.match(/\p{L}{4,}/gu) ?? [];
  const rest = text.trim().replace(weekday, '');
  return /^\P{L}*\d/u.test(rest) && words.every((word) => monthOf(word) > 0 || weekday.test(word));
}

/** Behind the day there may be an hour, or the zone that XML Schema lets a date have. */
const isoDay = /^(\d{4})[-/.]?(\d{2})[-/.]?(\d{2})(?:[T\s[]|\d{2}|(?:[Zz]|[+-]\d{2}:?\d{2})?$)/;

/**
 * As `readDay`, of a moment: what is written in UTC as the midnight of Paris is of the day that begins then,
 * "2026-11-19T23:00:00Z" in CAMT and "20261119230000[0:GMT]" in OFX.
 */
export function readDayOfMoment(text: string): string | null {
  const day = readDay(text);
  const hour = midnight.exec(text.trim())?.[1];
  if (day === null || hour === undefined) return day;
  const at = new Date(`${day}T${hour}:00:00Z`);
  const next = parisDayOf(at);
  return startOfParisDay(next).getTime() === at.getTime() ? next : day;
}

const midnight =
  /^[\d-]{8,10}T?(2[23]):?00:?00(?:\.0+)?(?:Z|[+-]00:?00|\[[+-]?0(?:\.0+)?(?::\w+)?\])$/i;

/**
 * The same days for a column of that heading, in Paris: late in the evening, a moment in UTC is of the next day. That
 * it is one in UTC is said by the heading, or by the moment itself.
 */
export function inParis(
  dayOf: (cell: string) => string | null,
  heading: string,
): (cell: string) => string | null {
  // "UTC+1" is another zone.
  const isUtc = /\butc\b(?!\s*[+-])/i.test(heading);
  return (cell) => (isUtc || isInUtc(cell) ? readDayOfUtc(cell) : null) ?? dayOf(cell);
}

function readDayOfUtc(text: string): string | null {
  const [day, hour] = [readDay(text), readHour(text)];
  // The last second of a day stands for the day, in whatever zone.
  if (day === null || hour === null || hour >= '23:59:59') return day;
  if (/[+-]\d\d:?\d\d\s*$/.test(text.slice(11))) return day;
  const at = new Date(`${day}T${hour}Z`);
  return Number.isNaN(at.getTime()) ? day : parisDayOf(at);
}

/** "2026-11-19T23:30:00Z" */
function isInUtc(text: string): boolean {
  return /\d[T\s]\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?\s*(Z|UTC)$/i.test(text.trim());
}

/** HH:MM:SS behind a date, by the clock of 24 hours; null without one. */
export function readHour(text: string): string | null {
  const [, hour = '', minute = '', second = '00'] =
    /\d[T\s]\s*(\d{1,2})[:h](\d{2})(?::(\d{2}))?(?!\s*[ap]\.?m)/i.exec(text) ?? [];
  return hour === '' ? null : `${hour.padStart(2, '0')}:${minute}:${second}`;
}

/**
 * The days that a text names, in figures or with the French name of the month, and the text without them.
 * Null for each that does not exist.
 */
export function takeDays(text: string): { days: (string | null)[]; rest: string } {
  const days: (string | null)[] = [];
  const rest = text.replace(writtenDay, (written, day?: string, name?: string, year?: string) => {
    days.push(readDay(name === undefined ? written : `${day}/${monthOf(name)}/${year}`));
    return ' ';
  });
  return { days, rest };
}

const writtenDay =
  /\b\d{1,2}[/.-]\d{1,2}[/.-](?:\d{4}|\d\d)(?!\d)|\b\d{4}-\d\d-\d\d(?!\d)|\b(\d{1,2})(?:er)?\s+((?:janv|f[ée]v|mars|avr|mai|juin|juil|ao[uû]t|sept|oct|nov|d[ée]c)[a-z\u00e0-\u00ff]*)\.?\s+(\d{4})(?!\d)/giu;

/** 1 to 12, by the beginning of its name in French or English; 0 for other words. */
function monthOf(name: string): number {
  const bare = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return months.findIndex((start) => start.test(bare)) + 1;
}

const months = [
  ...[/^jan/, /^fe[vb]/, /^mar/, /^a[vp]r/, /^ma[iy]/, /^jui?n/],
  ...[/^jui?l/, /^(?:aou|aug)/, /^sep/, /^oct/, /^nov/, /^dec/],
];

function existing(year = '', month = '', day = ''): string | null {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const date = new Date(`${text}T00:00:00Z`);
  return Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== text ? null : text;
}
