import type { preValidationAsyncHookHandler } from 'fastify';
import { ownerOf } from '../../identity/sessions/authentication.ts';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import type { NotificationsDeps } from '../deps.ts';
import { findDestinationOf } from '../destinations/queries.ts';

/** Bytes. The usual request is below: validating it costs less than the query. */
const largeFrom = 16 * 1024;

/**
 * For routes about one messenger that take a body: before a large one is validated, answers 404 unless
 * the messenger of the address is the user's.
 */
export function requireOwnMessenger(
  deps: Pick<NotificationsDeps, 'database'>,
): preValidationAsyncHookHandler {
  return async (request) => {
    // Without a length the body comes in pieces, of whatever size together.
    const length = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY);
    if (length < largeFrom) return;
    const { id } = Object(request.params);
    const isOwn = await findDestinationOf(deps.database.sql, ownerOf(request), String(id));
    if (!isOwn) throw new ApiError(httpErrors.Not_Found);
  };
}
