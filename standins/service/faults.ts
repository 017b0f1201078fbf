import { setTimeout as wait } from 'node:timers/promises';
import type { RequestRecord } from './request.ts';
import { type Answer, json } from './responses.ts';

/** Something that goes wrong on purpose with the answer to one request or to several. */
export interface Fault {
  /**
   * `drop` hangs up, `stall` stops halfway without ending, `truncated` ends halfway, `html` answers
   * 200 with a page, `status` answers with `status`, `ratelimited` answers 429, `error` answers with
   * an error code of the service, `delay` answers rightly after `ms`.
   */
  kind: 'drop' | 'stall' | 'truncated' | 'html' | 'status' | 'ratelimited' | 'error' | 'delay';
  /**
   * Whether the work of the request is done before it goes wrong: a message is then posted although
   * its answer is lost. Default false.
   */
  posted?: boolean;
  /** How often it strikes; null for ever. The default is the service's. */
  times?: number | null;
  /** For `status`: 500 (the default), 502, 503… with this body and these headers. */
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
  /** For `ratelimited`: seconds; null leaves the header out. Default 1. */
  retryAfter?: number | null;
  /** For `error`: the service's code, and what comes with it. */
  code?: string;
  extra?: Record<string, unknown>;
  /** For `delay`. */
  ms?: number;
}

export interface Faults<Kind extends Fault> {
  list: Kind[];
  add(fault: Kind): void;
  clear(): void;
  /** The first fault that fits, used up once. */
  take(fits: (fault: Kind) => boolean): Kind | null;
}

/** `defaultTimes` is how often a fault strikes that does not say so. */
export function createFaults<Kind extends Fault>(defaultTimes: number | null): Faults<Kind> {
  const list: Kind[] = [];
  return {
    list,
    add: (fault) => void list.push({ times: defaultTimes, ...fault }),
    clear() {
      list.length = 0;
    },
    take(fits) {
      const index = list.findIndex(fits);
      const fault = list[index];
      if (!fault || fault.times === null) return fault ?? null;
      const left = (fault.times ?? 1) - 1;
      if (left > 0) fault.times = left;
      else list.splice(index, 1);
      return fault;
    },
  };
}

/**
 * How tests make the answers of a stand-in go wrong, and see what it was asked. `breakStalled` ends the
 * answers that a fault stopped halfway.
 */
export function faultControl<Kind extends Fault>(
  faults: Faults<Kind>,
  requests: RequestRecord[],
  breakStalled: () => void,
) {
  return {
    addFault: (fault: Kind) => faults.add(fault),
    clearFaults() {
      faults.clear();
      breakStalled();
    },
    /** The latest thousand calls of the API. */
    requests: () => requests,
    clearRequests() {
      requests.length = 0;
    },
  };
}

/** How a service words what goes wrong. */
export interface FaultShapes {
  error(code: string | undefined, extra: Record<string, unknown>): Answer;
  tooMany(retryAfterSeconds: number | null): Answer;
  /** The body of a 5xx that says nothing else. */
  failure(status: number): Answer;
}

/** A refusal that says after how many seconds to come back; null: it does not say. */
export function withRetryAfter(answer: Answer, seconds: number | null): Answer {
  if (seconds === null) return answer;
  return { ...answer, headers: { ...answer.headers, 'retry-after': `${seconds}` } };
}

/** The answer under `fault`; `work` does what the request asks for. */
export function playFault(
  fault: Fault,
  work: () => Answer,
  shapes: FaultShapes,
): Answer | Promise<Answer> {
  if (fault.kind === 'delay' && !fault.posted) return wait(fault.ms ?? 0).then(work);
  const answer = fault.posted ? work() : json(200, { ok: true });
  switch (fault.kind) {
    case 'delay':
      return wait(fault.ms ?? 0, answer);
    case 'drop':
      return { ...answer, broken: 'dropped' };
    case 'stall':
      return { ...answer, broken: 'stalled' };
    case 'truncated':
      return { ...answer, broken: 'truncated' };
    case 'html':
      return {
        status: 200,
        headers: { 'content-type': 'text/html; charset=utf-8' },
        body: '<!doctype html><title>Maintenance</title><p>Maintenance</p>',
      };
    case 'ratelimited':
      return shapes.tooMany(fault.retryAfter === undefined ? 1 : fault.retryAfter);
    case 'error':
      return shapes.error(fault.code, fault.extra ?? {});
    case 'status':
      return failureOf(fault, shapes);
  }
}

function failureOf(fault: Fault, shapes: FaultShapes): Answer {
  const usual = shapes.failure(fault.status ?? 500);
  const { body, headers } = fault;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { ...usual, headers: { ...usual.headers, ...headers }, body: text ?? usual.body };
}
