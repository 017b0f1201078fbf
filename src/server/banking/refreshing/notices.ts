import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import { bytesOf, readRawBodies } from '../../platform/http/bodies.ts';
import type { SignedNotices } from '../../providers/banks/port.ts';
import type { BankingDeps } from '../deps.ts';
import { scheduleChanged } from './scheduling.ts';

/**
 * Where a source tells that something changed. Answered at once; what changed is read from the source
 * by a job, so an old, repeated or unknown notice does no harm.
 */
export function noticeRoute(
  deps: BankingDeps,
  source: string,
  { path, maxBytes, read }: SignedNotices,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    readRawBodies(app, maxBytes);
    app.post(
      path,
      {
        config: {
          isPublic: true,
          errors: [httpErrors.Signature_Invalid, httpErrors.Payload_Too_Large],
        },
        schema: {
          summary: 'Les avis signés du service bancaire',
          response: { 200: Type.Object({ received: Type.Literal(true) }) },
        },
      },
      async ({ headers, body }) => {
        const notice = read({ headers, body: bytesOf(body) });
        if (!notice) throw new ApiError(httpErrors.Signature_Invalid);
        const { changedUser: providerUserId } = notice;
        if (providerUserId !== null) await scheduleChanged(deps, { source, providerUserId });
        return { received: true as const };
      },
    );
  };
}
