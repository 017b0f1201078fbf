import type { FastifyInstance } from 'fastify';
import { ApiError, httpErrors } from './api-error.ts';

/**
 * Accepts JSON only. A missing body is an empty object, so that a payload whose properties are all
 * optional can be omitted. U+0000, which a text column cannot hold, is rejected everywhere; half of a
 * surrogate pair, which no column can hold, becomes U+FFFD.
 */
export function readBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<string>(
    'application/json',
    { parseAs: 'string' },
    (request, text, done) => {
      if (text.trim() === '') done(null, undefined);
      else if (containsNull(text)) done(nullRejection());
      else parse(request, wellFormed(text), done);
    },
  );
  app.addHook('onRoute', (route) => {
    if (route.config?.isPublic) route.bodyLimit ??= publicBodyBytes;
  });
  app.addHook('preValidation', async (request) => {
    if (request.body === undefined && request.routeOptions.schema?.body) request.body = {};
    if (request.url.includes('%00')) throw nullRejection();
  });
}

/** Anyone may send these, so less of them waits in memory until they are whole. */
const publicBodyBytes = 64 * 1024;

/**
 * Searches the text of the JSON, because a walk over a million small values is slow. A raw U+0000 is
 * not valid JSON; after an escaped backslash, `u0000` is five ordinary characters.
 */
export function containsNull(json: string): boolean {
  return /(?<!\\)(?:\\\\)*\\u0000/.test(json);
}

/**
 * Only an escape can write half of a pair, because the text was decoded from UTF-8. A text column would
 * replace it by U+FFFD itself, JSON for the database or the queue is refused.
 */
export function wellFormed(json: string): string {
  if (!/\\u[dD][89a-fA-F]/.test(json)) return json;
  return json.replaceAll(escapes, (found) => (surrogate.test(found) ? '\\ufffd' : found));
}

/** A surrogate pair, a surrogate alone, or the beginning of any other escape. */
const escapes = /\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u[dD][89a-fA-F]..|\\./g;
const surrogate = /^\\u[dD].{3}$/;

function nullRejection(): ApiError {
  return new ApiError(httpErrors.Invalid_Request, {
    details: [{ path: '/', message: 'Le caractère U+0000 est refusé.' }],
  });
}

/**
 * Passes bodies on as bytes, whatever their content type, because a signature covers the bytes. Read
 * them with `bytesOf`; a body longer than `maxBytes` ends in 413.
 */
export function readRawBodies(app: FastifyInstance, maxBytes: number): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
  app.addHook('onRoute', (route) => {
    route.bodyLimit = maxBytes;
  });
}

export function bytesOf(body: unknown): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}
