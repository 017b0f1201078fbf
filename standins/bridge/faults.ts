import type { ServerResponse } from 'node:http';
import type { Request } from './request.ts';

/** Something that goes wrong on purpose, for requests whose "METHOD /path" contains `match`. */
export interface Fault {
  match?: string;
  /**
   * `drop` hangs up before answering, `stall` never answers, `html` says 200 with a page,
   * `truncated` cuts the body in the middle, `status` answers with `status`, `body`, `headers`,
   * `latency` answers rightly after `ms`.
   */
  kind: 'status' | 'drop' | 'stall' | 'html' | 'truncated' | 'latency';
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
  ms?: number;
  /** How often it happens; for ever when left out. */
  times?: number;
}

export function takeFault(faults: Fault[], request: Request): Fault | null {
  const name = `${request.method} ${request.path}`;
  const index = faults.findIndex(({ match }) => match === undefined || name.includes(match));
  const fault = faults[index];
  if (!fault) return null;
  if (fault.times !== undefined) {
    fault.times -= 1;
    if (fault.times <= 0) faults.splice(index, 1);
  }
  return fault;
}

/** Answers wrongly; every kind but `latency`. */
export function playFault(fault: Fault, response: ServerResponse): void {
  if (fault.kind === 'drop') response.socket?.destroy();
  if (fault.kind === 'html') {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Maintenance</html>');
  }
  if (fault.kind === 'truncated') {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"resources":[{"id":1');
  }
  if (fault.kind === 'status') {
    const body = fault.body === undefined ? { errors: [{ code: 'fault' }] } : fault.body;
    response.writeHead(fault.status ?? 500, {
      'content-type': 'application/json',
      ...fault.headers,
    });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  }
}
