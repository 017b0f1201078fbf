import * as service from '../service/faults.ts';
import type { Request } from '../service/request.ts';
import { tooMany } from './limits.ts';
import { refusal } from './responses.ts';

/** A fault of the requests whose "METHOD /path" contains `match`, for ever unless it says how often. */
export interface Fault extends service.Fault {
  match?: string;
}

export function fits({ match }: Fault, { method, path }: Request): boolean {
  return match === undefined || `${method} ${path}`.includes(match);
}

export const faultShapes: service.FaultShapes = {
  error: (code = 'internal_error', extra) => {
    const { status, ...more } = extra;
    return refusal(typeof status === 'number' ? status : 400, code, '', more);
  },
  tooMany: (seconds) => service.withRetryAfter(tooMany, seconds),
  failure: (status) => refusal(status, 'fault', 'Internal error.'),
};
