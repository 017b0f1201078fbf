import type { IncomingResponse } from '../../platform/http-client/http-client.ts';

/** What all sources read the answers of their services with. */

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function readInteger(value: unknown): number | null {
  const number = readNumber(value);
  return number !== null && Number.isSafeInteger(number) ? number : null;
}

export function readNumber(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string' || value.trim() === '') return null;
  return readNumber(Number(value));
}

/** Services leave a field without a value out, or write null. */
export function isLeftOut(value: unknown): boolean {
  return value === undefined || value === null;
}

export function readText(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

/** The address of a web page, where a browser may be sent. */
export function readPageAddress(value: unknown): string | null {
  const address = readText(value);
  const isPage = address && URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
  return isPage ? address : null;
}

/** ISO 8601. A moment written without a zone is UTC: some of Bridge's own examples lack the Z. */
export function readMoment(value: unknown): Date | null {
  const parts = typeof value === 'string' ? momentPattern.exec(value.trim()) : null;
  if (!parts) return null;
  const [, day, time = '00:00', zone = 'Z'] = parts;
  const moment = new Date(`${day}T${time}${zone.replace(/^(...)(\d\d)$/, '$1:$2').toUpperCase()}`);
  return Number.isNaN(moment.getTime()) ? null : moment;
}

const momentPattern =
  /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?([Zz]|[+-]\d\d:?\d\d)?)?$/;

/** RFC 9110 §10.2.3: seconds, of which some services send fractions, or a date. */
export function readRetryAfter(
  { 'retry-after': header }: IncomingResponse['headers'],
  now: Date,
): number | undefined {
  if (typeof header !== 'string') return undefined;
  if (/^\d{1,9}(\.\d+)?$/.test(header)) return Math.ceil(Number(header));
  // Without the name of a day or month, a number that is none would pass for a year.
  const at = /[a-z]{3}/i.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now.getTime()) / 1000));
}
