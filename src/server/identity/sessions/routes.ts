import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { Login, OpenSession, SessionToken } from '../../../shared/contract/sessions.ts';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import { NoContent } from '../../platform/http/documentation.ts';
import { emailKey } from '../../platform/mail/email-key.ts';
import type { IdentityDeps } from '../deps.ts';
import { identityErrors, wrongCode } from '../errors.ts';
import { consumeCode, hasSecondFactor } from '../second-factor/codes.ts';
import { throttled } from '../throttling/throttling.ts';
import { type Credentials, findCredentials } from '../users/queries.ts';
import { requireUser, tokenOf, userIdOf } from './authentication.ts';
import { endSession, endSessionById, listSessions, startSession } from './queries.ts';

export function sessionRoutes(deps: IdentityDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/accounts/login',
      {
        config: {
          isPublic: true,
          errors: [
            identityErrors.Wrong_Credentials,
            identityErrors.Second_Factor_Required,
            identityErrors.Second_Factor_Invalid,
            httpErrors.Too_Many_Requests,
          ],
        },
        schema: { summary: 'Se connecter', body: Login, response: { 200: SessionToken } },
      },
      async ({ body, ip, headers }) => {
        const device = headers['user-agent']?.slice(0, 200) ?? null;
        return { token: await signIn(deps, body, { ip, device }) };
      },
    );

    await app.register(ownSessionRoutes(deps));
  };
}

function ownSessionRoutes(deps: IdentityDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireUser(deps));

    app.post(
      '/accounts/logout',
      { schema: { summary: 'Se déconnecter', response: { 204: NoContent } } },
      async (request, reply) => {
        await endSession(deps, tokenOf(request));
        return reply.code(204).send(null);
      },
    );

    app.get(
      '/users/me/sessions',
      {
        schema: {
          summary: "Les sessions ouvertes, la plus récente d'abord",
          response: { 200: Type.Array(OpenSession) },
        },
      },
      (request) => listSessions(deps, userIdOf(request), tokenOf(request)),
    );

    app.delete(
      '/users/me/sessions/:id',
      {
        config: { errors: [httpErrors.Not_Found] },
        schema: {
          summary: 'Fermer une session',
          params: Type.Object({ id: Type.String() }),
          response: { 204: NoContent },
        },
      },
      async (request, reply) => {
        const ended = await endSessionById(deps, userIdOf(request), request.params.id);
        if (!ended) throw new ApiError(httpErrors.Not_Found);
        return reply.code(204).send(null);
      },
    );
  };
}

interface Client {
  /** Where the request came from. */
  ip: string;
  /** The browser's `User-Agent`. */
  device: string | null;
}

/**
 * The token of a new session. Throws Wrong_Credentials, Second_Factor_Required,
 * Second_Factor_Invalid, and Too_Many_Requests after too many guesses.
 */
async function signIn(deps: IdentityDeps, login: Login, client: Client): Promise<string> {
  const key = { mailbox: emailKey(login.email), ip: client.ip };
  return await throttled(deps, 'sign-in', key, async () => {
    const user = await checkPassword(deps, login);
    await checkSecondFactor(deps, user.id, login.otp, client);
    const token = await startSession(deps, user, client.device);
    // The password was replaced since it was checked.
    if (!token) throw new ApiError(identityErrors.Wrong_Credentials);
    return token;
  });
}

/** Takes the same time and answers the same, whether the address or the password is wrong. */
async function checkPassword(deps: IdentityDeps, { email, password }: Login): Promise<Credentials> {
  const user = await findCredentials(deps, email);
  const matches = await deps.passwords.verify(user?.passwordHash ?? null, password);
  if (!user || !matches) throw new ApiError(identityErrors.Wrong_Credentials);
  return user;
}

async function checkSecondFactor(
  deps: IdentityDeps,
  userId: string,
  otp: string | undefined,
  { ip }: Client,
): Promise<void> {
  if (!(await hasSecondFactor(deps.database.sql, userId))) return;
  if (otp === undefined) throw new ApiError(identityErrors.Second_Factor_Required);
  await throttled(deps, 'second-factor', { userId, ip }, async () => {
    if (!(await consumeCode(deps, userId, otp))) {
      throw wrongCode(identityErrors.Second_Factor_Invalid);
    }
  });
}
