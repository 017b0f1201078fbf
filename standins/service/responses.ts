import type { ServerResponse } from 'node:http';

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** A fault on the way out: no answer at all, its first half, or its first half and no end. */
  broken?: 'dropped' | 'truncated' | 'stalled';
}

export function json(status: number, value: unknown, headers: Record<string, string> = {}): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(value),
  };
}

export function empty(status: number): Answer {
  return { status, headers: {}, body: '' };
}

/**
 * A page for people. It loads nothing from elsewhere and may not be framed. `ownForms` keeps its
 * forms, and where they lead, to its own site; `noForms` lets it send none.
 */
export function page(
  status: number,
  html: string,
  options: { script?: boolean; ownForms?: boolean; noForms?: boolean } = {},
): Answer {
  const script = options.script ? "; script-src 'unsafe-inline'; connect-src 'self'" : '';
  const target = options.noForms ? "'none'" : options.ownForms && "'self'";
  const forms = target ? `; form-action ${target}` : '';
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; img-src data:; style-src 'unsafe-inline'${script}${forms}; base-uri 'none'; frame-ancestors 'none'`,
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    },
    body: html,
  };
}

export function redirect(location: string): Answer {
  return { status: 303, headers: { location, 'cache-control': 'no-store' }, body: '' };
}

export function send(response: ServerResponse, answer: Answer): void {
  if (answer.broken === 'dropped') {
    response.socket?.destroy();
    return;
  }
  if (answer.broken) {
    response.writeHead(answer.status, answer.headers);
    response.write(answer.body.slice(0, Math.ceil(answer.body.length / 2)));
    if (answer.broken === 'truncated') response.end();
    return;
  }
  const body = Buffer.from(answer.body);
  const length = answer.status === 204 ? {} : { 'content-length': body.length };
  response.writeHead(answer.status, { ...answer.headers, ...length });
  response.end(body);
}
