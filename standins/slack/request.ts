import type { IncomingMessage } from 'node:http';

/** One request, read whole. Arguments come from the query, a form or a JSON object, the last winning. */
export interface Call {
  verb: string;
  path: string;
  query: URLSearchParams;
  args: Record<string, unknown>;
  /** From the Authorization header or a body field; a token in the address counts for nothing. */
  token: string | null;
  /** What stood after `Basic` in the Authorization header. */
  basic: string | null;
  bodyError: 'invalid_json' | 'json_not_object' | null;
  /** Epoch ms with fractions: when the request's head had arrived. */
  receivedAt: number;
}

const bodyLimit = 2 * 1024 * 1024;

export function readCall(request: IncomingMessage, done: (call: Call) => void): void {
  const receivedAt = performance.timeOrigin + performance.now();
  const chunks: Buffer[] = [];
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > bodyLimit) request.socket.destroy();
    else chunks.push(chunk);
  });
  request.on('end', () => done(understand(request, Buffer.concat(chunks).toString(), receivedAt)));
}

function understand(request: IncomingMessage, body: string, receivedAt: number): Call {
  const address = request.url ?? '/';
  const mark = address.indexOf('?');
  const path = mark < 0 ? address : address.slice(0, mark);
  const query = new URLSearchParams(mark < 0 ? '' : address.slice(mark + 1));
  const { args, error } = readBody(request.headers['content-type'] ?? '', body);
  const authorization = request.headers.authorization ?? '';
  const bearer = authorization.startsWith('Bearer ') ? authorization.slice(7) : null;
  const basic = authorization.startsWith('Basic ') ? authorization.slice(6) : null;
  const token = bearer ?? (typeof args.token === 'string' ? args.token : null);
  return {
    verb: request.method ?? 'GET',
    path,
    query,
    args: query.size > 0 ? { ...fieldsOf(query), ...args } : args,
    token,
    basic,
    bodyError: error,
    receivedAt,
  };
}

function readBody(
  type: string,
  body: string,
): { args: Record<string, unknown>; error: Call['bodyError'] } {
  if (body === '') return { args: {}, error: null };
  if (!type.startsWith('application/json')) {
    return { args: fieldsOf(new URLSearchParams(body)), error: null };
  }
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return { args: {}, error: 'json_not_object' };
    }
    return { args: { ...value }, error: null };
  } catch {
    return { args: {}, error: 'invalid_json' };
  }
}

function fieldsOf(form: URLSearchParams): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [name, value] of form) fields[name] = value;
  return fields;
}

/** An argument as text; a JSON number counts, anything else is empty. */
export function text(args: Record<string, unknown>, name: string): string {
  const value = args[name];
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

export function flag(args: Record<string, unknown>, name: string): boolean {
  const value = args[name];
  return value === true || value === 'true' || value === '1';
}
