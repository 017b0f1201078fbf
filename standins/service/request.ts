import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** A request, read whole. */
export interface Request {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  text: string;
  /** Epoch ms with fractions: when its head had arrived. */
  receivedAt: number;
}

const maxBytes = 2 * 1024 * 1024;

/** With a callback, not a promise: benchmarks send thousands of requests a second. */
export function readRequest(message: IncomingMessage, done: (request: Request) => void): void {
  const receivedAt = performance.timeOrigin + performance.now();
  const chunks: Buffer[] = [];
  let size = 0;
  message.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxBytes) message.socket.destroy();
    else chunks.push(chunk);
  });
  message.on('end', () => {
    const address = message.url ?? '/';
    const mark = address.indexOf('?');
    done({
      method: message.method ?? 'GET',
      path: mark < 0 ? address : address.slice(0, mark),
      query: new URLSearchParams(mark < 0 ? '' : address.slice(mark + 1)),
      headers: message.headers,
      text: Buffer.concat(chunks).toString('utf8'),
      receivedAt,
    });
  });
}

export function header(request: Request, name: string): string {
  const value = request.headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? '';
}

/** The token that a call carries as a bearer (RFC 6750 §2.1); empty for any other call. */
export function bearerOf(request: Request): string {
  return /^Bearer (\S+)$/.exec(header(request, 'authorization'))?.[1] ?? '';
}

/** Without its parameters, such as the charset. */
export function mediaType(request: Request): string {
  return header(request, 'content-type').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** The body as a JSON object, or what is wrong with it. An empty body is an empty object. */
export function readJson(
  request: Request,
): { value: Record<string, unknown> } | { fault: 'invalid_json' | 'json_not_object' } {
  if (request.text === '') return { value: {} };
  try {
    const value: unknown = JSON.parse(request.text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? { value: { ...value } } : { fault: 'json_not_object' };
  } catch {
    return { fault: 'invalid_json' };
  }
}

/** The fields of a form or of a query; of a name given twice, the last. */
export function fieldsOf(form: URLSearchParams): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [name, value] of form) fields[name] = value;
  return fields;
}

/**
 * Browsers say where a form was sent from. Other programs say nothing, and hold no session that a
 * foreign page could use.
 */
export function isFromOwnPage(request: Request): boolean {
  return ['', 'same-origin', 'none'].includes(header(request, 'sec-fetch-site'));
}

/** What tests read of the requests that a service took. */
export interface RequestRecord {
  method: string;
  path: string;
  /** Without its question mark. */
  query: string;
  headers: IncomingHttpHeaders;
  text: string;
}

const maxRecords = 1_000;

/** Keeps the latest thousand. */
export function recordRequest(records: RequestRecord[], request: Request): void {
  const { method, path, query, headers, text } = request;
  records.push({ method, path, query: String(query), headers, text });
  if (records.length > maxRecords) records.shift();
}
