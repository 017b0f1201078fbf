import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

export interface Request {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  text: string;
}

export async function readRequest(message: IncomingMessage): Promise<Request> {
  const url = new URL(message.url ?? '/', 'http://bank.invalid');
  const chunks: Buffer[] = [];
  if (message.method !== 'GET') {
    for await (const chunk of message) chunks.push(chunk as Buffer);
  }
  return {
    method: message.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    headers: message.headers,
    text: Buffer.concat(chunks).toString('utf8'),
  };
}

/** The body as a JSON object: null when it is not one, `{}` when there is none. */
export function jsonOf(request: Request): Record<string, unknown> | null {
  if (request.text === '') return {};
  try {
    const value: unknown = JSON.parse(request.text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

export function header(request: Request, name: string): string {
  const value = request.headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? '';
}
