import type { FastifyInstance } from 'fastify';
import { ApiError, httpErrors } from './api-error.ts';

/**
 * JSON only. An absent body is an empty object, so that a payload whose every part is optional may
 * be left out; U+0000, which no text column holds, is refused wherever it stands.
 */
export function readBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<string>(
    'application/json',
    { parseAs: 'string' },
    (request, text, done) => {
      if (text.trim() === '') done(null, undefined);
      else if (holdsNull(text)) done(nullRefusal());
      else parse(request, text, done);
    },
  );
  app.addHook('preValidation', async (request) => {
    if (request.body === undefined && request.routeOptions.schema?.body) request.body = {};
    if (request.url.includes('%00')) throw nullRefusal();
  });
}

/**
 * Of JSON as it was sent, in names and in texts: a million small values are slow to visit one by
 * one. Raw, the character is no JSON; behind an escaped backslash, `u0000` is five letters.
 */
function holdsNull(json: string): boolean {
  return json.includes(escapedNull) && json.replaceAll('\\\\', '').includes(escapedNull);
}

const escapedNull = '\\u0000';

function nullRefusal(): ApiError {
  return new ApiError(httpErrors.Invalid_Request, {
    details: [{ path: '/', message: 'must not contain U+0000' }],
  });
}

/**
 * Bodies as they came, whatever they are said to be: a signature is over the bytes. Read them with
 * `bytesOf`; one that is longer than `maxBytes` ends in 413.
 */
export function readRawBodies(app: FastifyInstance, maxBytes: number): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>(
    '*',
    { parseAs: 'buffer', bodyLimit: maxBytes },
    (_request, body, done) => done(null, body),
  );
}

export function bytesOf(body: unknown): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}
