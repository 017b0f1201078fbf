import type { FastifyInstance } from 'fastify';
import { Refusal } from '../errors/refusal.ts';

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
      else parse(request, text, done);
    },
  );
  app.addHook('preValidation', async (request) => {
    if (request.body === undefined && request.routeOptions.schema?.body) request.body = {};
    if (holdsNull([request.body, request.params, request.query])) {
      throw new Refusal('Invalid_Request', {
        details: [{ path: '/', message: 'must not contain U+0000' }],
      });
    }
  });
}

/** Without recursion: a mebibyte of brackets is nested deeper than the stack. */
function holdsNull(start: unknown): boolean {
  const left = [start];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string' && value.includes('\u0000')) return true;
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, inner] of Object.entries(value)) left.push(name, inner);
  }
  return false;
}
