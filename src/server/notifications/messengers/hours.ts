import type { MessengerChange } from '../../../shared/contract/messengers.ts';
import { ApiError } from '../../platform/http/api-error.ts';
import { notificationErrors } from '../errors.ts';
import { isKnownZone, parseOffset } from '../schedule/next-sending.ts';

interface HourColumns {
  hours: number;
  minutes: number;
  zone: string | null;
  offset_minutes: number | null;
}

/** A given hour as it is stored: a zone decides alone, an offset without one is kept for ever. */
export function hourColumns(hour: NonNullable<MessengerChange['hour']>): HourColumns {
  const { hours, minutes, zone, timeZone } = hour;
  if (zone) {
    if (!isKnownZone(zone)) throw refused('/hour/zone', 'must be a known IANA time zone');
    return { hours, minutes, zone, offset_minutes: null };
  }
  if (!timeZone) throw refused('/hour/timeZone', 'must be given when there is no zone');
  const offset = parseOffset(timeZone);
  if (offset === null) throw refused('/hour/timeZone', 'must be from -1200 to +1400');
  return { hours, minutes, zone: null, offset_minutes: offset };
}

function refused(path: string, message: string): ApiError {
  return new ApiError(notificationErrors.Invalid_Messenger, { details: [{ path, message }] });
}
