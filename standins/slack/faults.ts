import type * as service from '../service/faults.ts';
import { json } from '../service/responses.ts';

/** Strikes once unless it says how often, and only this method, team, channel where one is named. */
export interface Fault extends service.Fault {
  method?: string;
  team?: string;
  channel?: string;
}

export interface FaultPoint {
  method: string;
  team: string | null;
  channel: string | null;
}

export function fits(fault: Fault, point: FaultPoint): boolean {
  return (
    (fault.method === undefined || fault.method === point.method) &&
    (fault.team === undefined || fault.team === point.team) &&
    (fault.channel === undefined || fault.channel === point.channel)
  );
}

export const faultShapes: service.FaultShapes = {
  error: (code = 'internal_error', extra) => json(200, { ok: false, error: code, ...extra }),
  tooMany: (seconds) =>
    json(
      429,
      { ok: false, error: 'ratelimited' },
      seconds === null ? {} : { 'retry-after': String(seconds) },
    ),
  failure: (status) => ({
    status,
    headers: { 'content-type': 'text/plain' },
    body: 'server error',
  }),
};
