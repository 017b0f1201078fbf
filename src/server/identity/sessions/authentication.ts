import type {
  FastifyRequest,
  onRequestAsyncHookHandler,
  preHandlerAsyncHookHandler,
} from 'fastify';
import type { User } from '../../../shared/contract/users.ts';
import { ApiError } from '../../platform/http/api-error.ts';
import { sha256Hex } from '../../platform/opaque-tokens.ts';
import type { Platform } from '../../platform/platform.ts';
import { identityErrors } from '../errors.ts';
import { type Actor, findSessionUser } from './queries.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `requireUser`; read it with `userIdOf` or `profileOf`. */
    profile?: User;
  }
}

/** The hook of every route for signed-in users. Answers 401 without a valid token. */
export function requireUser(deps: Pick<Platform, 'database' | 'clock'>): onRequestAsyncHookHandler {
  return async (request) => {
    request.profile = await readUser(deps, request);
  };
}

/**
 * The hook of the whole API that checks the session a second time once the body was read: sending it may
 * take long, and the session may have ended meanwhile. A GET has no body to wait for. What waits once more
 * before it writes does so under `lockActor`.
 */
export function recheckSession(
  deps: Pick<Platform, 'database' | 'clock'>,
): preHandlerAsyncHookHandler {
  return async (request) => {
    if (request.profile && request.method !== 'GET' && request.method !== 'HEAD') {
      request.profile = await readUser(deps, request);
    }
  };
}

async function readUser(
  deps: Pick<Platform, 'database' | 'clock'>,
  request: FastifyRequest,
): Promise<User> {
  const user = await findSessionUser(deps, tokenOf(request));
  if (user === undefined) throw new ApiError(identityErrors.Not_Signed_In);
  if (user === null) throw new ApiError(identityErrors.User_Not_Found);
  return user;
}

/** On a public route: the id of the signed-in user; null without a valid session. */
export async function findOwner(
  deps: Pick<Platform, 'database' | 'clock'>,
  request: FastifyRequest,
): Promise<string | null> {
  const token = bearerOf(request);
  const user = token && (await findSessionUser(deps, token));
  return user ? user.id : null;
}

/** The signed-in user's id: the first argument of every query that reads a user's data. */
export function userIdOf(request: FastifyRequest): string {
  return profileOf(request).id;
}

/** The signed-in user who makes a request, their session, and the address that it comes from. */
export interface Requester extends Actor {
  ip: string;
}

export function requesterOf(request: FastifyRequest): Requester {
  const sessionHash = sha256Hex(tokenOf(request));
  return { userId: userIdOf(request), sessionHash, ip: request.ip };
}

export function profileOf(request: FastifyRequest): User {
  if (!request.profile) throw new ApiError(identityErrors.Not_Signed_In);
  return request.profile;
}

/** The session token of the request. */
export function tokenOf(request: FastifyRequest): string {
  const token = bearerOf(request);
  if (!token) throw new ApiError(identityErrors.Not_Signed_In);
  return token;
}

function bearerOf({ headers }: FastifyRequest): string | null {
  const [, token] = /^Bearer ([A-Za-z0-9_-]{20,200})$/i.exec(headers.authorization ?? '') ?? [];
  return token ?? null;
}
