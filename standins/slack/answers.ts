import type { ServerResponse } from 'node:http';

export function sendJson(response: ServerResponse, status: number, value: unknown): ServerResponse {
  const body = Buffer.from(JSON.stringify(value));
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
  });
  return response.end(body);
}

/** A page for people. It loads nothing from anywhere and may not be framed. */
export function sendPage(response: ServerResponse, status: number, html: string): ServerResponse {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'",
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  });
  return response.end(html);
}

export function redirect(response: ServerResponse, location: string): ServerResponse {
  return response.writeHead(303, { location, 'cache-control': 'no-store' }).end();
}
