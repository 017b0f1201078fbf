import type { FastifyInstance } from 'fastify';

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
