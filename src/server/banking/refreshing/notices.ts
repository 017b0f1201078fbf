import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import { bytesOf, readRawBodies } from '../../platform/http/bodies.ts';
import type { BankingDeps } from '../deps.ts';
import { wantReading } from './scheduling.ts';

/** Bridge's own are below one kilobyte. */
const maxBytes = 64 * 1024;

/**
 * Where Bridge tells that something changed: docs.bridgeapi.io/docs/webhooks. Answered at once; what
 * changed is read from Bridge by a job, so an old, repeated or unknown notice does no harm.
 */
export function webhookRoute(deps: BankingDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    readRawBodies(app, maxBytes);
    app.post(
      '/bridge/webhooks',
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
        const notice = deps.bank.readNotice({ headers, body: bytesOf(body) });
        if (!notice) throw new ApiError(httpErrors.Signature_Invalid);
        if (notice.changedUser !== null) await wantReading(deps, notice.changedUser);
        return { received: true as const };
      },
    );
  };
}
