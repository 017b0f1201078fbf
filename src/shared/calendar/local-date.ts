import { Temporal } from 'temporal-polyfill';

/** The calendar day (YYYY-MM-DD) at `at` in a zone: an IANA name, or a fixed offset as ±HH:MM. */
export function localDateIn(zone: string, at: Date): string {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime())
    .toZonedDateTimeISO(zone)
    .toPlainDate()
    .toString();
}
