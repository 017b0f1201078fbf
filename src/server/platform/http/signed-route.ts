import type { FastifyPluginAsync, FastifySchema } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { ApiError, httpErrors } from './api-error.ts';
import { bytesOf, readRawBodies } from './bodies.ts';

/** A request as it came: a signature is over the bytes. */
export interface SignedCall {
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

interface SignedRoute<Event, Answer> {
  /** Under `/api`. */
  path: string;
  summary: string;
  contentType: string;
  /** Longer calls are refused unread. */
  maxBytes: number;
  response: Answer;
  /** Null when the call is not signed, or not now. */
  read(call: SignedCall): Event | null;
}

/** A public address for the calls of a service, which are signed: `take` answers what they tell. */
export function signedRoute<Event, Answer extends TSchema>(
  { path, summary, contentType, maxBytes, response, read }: SignedRoute<Event, Answer>,
  take: (event: Event) => Promise<Static<Answer>>,
): FastifyPluginAsync {
  const schema: FastifySchema = { summary, response: { 200: response } };
  return async (app) => {
    readRawBodies(app, maxBytes);
    app.post(
      path,
      {
        config: {
          isPublic: true,
          rawBody: contentType,
          errors: [httpErrors.Signature_Invalid, httpErrors.Payload_Too_Large],
        },
        schema,
      },
      async ({ headers, body }) => {
        const event = read({ headers, body: bytesOf(body) });
        if (!event) throw new ApiError(httpErrors.Signature_Invalid);
        return await take(event);
      },
    );
  };
}
