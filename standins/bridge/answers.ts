import type { ServerResponse } from 'node:http';

export function sendJson(
  response: ServerResponse,
  status: number,
  value?: unknown,
  headers: Record<string, string> = {},
): ServerResponse {
  const body = value === undefined ? null : Buffer.from(JSON.stringify(value));
  response.writeHead(status, {
    ...(body ? { 'content-type': 'application/json', 'content-length': body.length } : {}),
    'cache-control': 'no-cache, no-store',
    ...headers,
  });
  return response.end(body);
}

/** A refusal in the shape of all official v3 examples. */
export function sendError(
  response: ServerResponse,
  status: number,
  code: string,
  message: string,
  property?: string,
): ServerResponse {
  return sendJson(response, status, {
    errors: [{ code, message, ...(property ? { property } : {}) }],
  });
}

/** A page for people. It loads nothing from anywhere, runs nothing and may not be framed. */
export function sendPage(response: ServerResponse, status: number, html: string): ServerResponse {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
    'cache-control': 'no-store',
    'referrer-policy': 'same-origin',
  });
  return response.end(html);
}

export function redirect(response: ServerResponse, location: string): ServerResponse {
  return response.writeHead(303, { location, 'cache-control': 'no-store' }).end();
}
