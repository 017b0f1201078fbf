import { Temporal } from 'temporal-polyfill';

/** The zone of a wall clock: an IANA name, or minutes east of UTC while `zone` is null. */
export interface LocalZone {
  zone: string | null;
  offsetMinutes: number | null;
}

/** The calendar day (YYYY-MM-DD) at `at` in a zone: an IANA name, or a fixed offset as ±HH:MM. */
export function localDateIn(zone: string, at: Date): string {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime())
    .toZonedDateTimeISO(zone)
    .toPlainDate()
    .toString();
}
