/**
 * A fault on demand. `posted` says whether the method does its work first: a dropped, broken or
 * stalled answer of a message that stands in the channel all the same.
 */
export interface Fault {
  kind: 'drop' | 'stall' | 'status' | 'html' | 'truncated' | 'ratelimited' | 'error' | 'delay';
  /** Default false. */
  posted?: boolean;
  /** How often it strikes; null for ever. Default 1. */
  times?: number | null;
  /** Only this method, team, channel. */
  method?: string;
  team?: string;
  channel?: string;
  /** For `status`: 500 (the default), 502, 503… */
  status?: number;
  /** For `ratelimited`: seconds; null leaves the header out. Default 1. */
  retryAfter?: number | null;
  /** For `error`: Slack's code. Default internal_error. */
  code?: string;
  /** For `error`: what comes with it, such as needed and provided. */
  extra?: Record<string, unknown>;
  /** For `delay`: how long this one answer waits, in ms. */
  ms?: number;
}

export interface FaultPoint {
  method: string;
  team: string | null;
  channel: string | null;
}

/** The first fault that fits, used up once. */
export function takeFault(faults: Fault[], point: FaultPoint): Fault | null {
  const index = faults.findIndex((fault) => fits(fault, point));
  const fault = faults[index];
  if (!fault) return null;
  if (fault.times === null) return fault;
  const left = (fault.times ?? 1) - 1;
  if (left > 0) fault.times = left;
  else faults.splice(index, 1);
  return fault;
}

function fits(fault: Fault, point: FaultPoint): boolean {
  return (
    (fault.method === undefined || fault.method === point.method) &&
    (fault.team === undefined || fault.team === point.team) &&
    (fault.channel === undefined || fault.channel === point.channel)
  );
}
