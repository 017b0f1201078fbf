import type { FastifyRequest, RouteShorthandOptions } from 'fastify';
import { userIdOf } from '../../identity/sessions/authentication.ts';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import type { NotificationsDeps } from '../deps.ts';
import { findDestinationOf } from '../destinations/queries.ts';

/** Bytes. The usual request is below: validating it costs less than the query. */
const largeFrom = 16 * 1024;

/**
 * Of routes about one messenger that take a body: unless the messenger of the address is the user's, a
 * body that is not valid is answered 404 as well, and a large one is not validated at all.
 */
export function ofOwnMessenger(deps: Pick<NotificationsDeps, 'database'>) {
  const requireOwn = async (request: FastifyRequest) => {
    const { id } = Object(request.params);
    const isOwn = await findDestinationOf(deps.database.sql, userIdOf(request), String(id));
    if (!isOwn) throw new ApiError(httpErrors.Not_Found);
  };
  return {
    attachValidation: true,
    async preValidation(request: FastifyRequest) {
      // Without a length the body comes in pieces, of whatever size together.
      const length = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY);
      if (length >= largeFrom) await requireOwn(request);
    },
    async preHandler(request: FastifyRequest) {
      if (!request.validationError) return;
      await requireOwn(request);
      throw request.validationError;
    },
  } satisfies RouteShorthandOptions;
}
