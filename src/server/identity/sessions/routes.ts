import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { Login, OpenSession, SessionToken } from '../../../shared/contract/sessions.ts';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import { NoContent } from '../../platform/http/documentation.ts';
import type { IdentityDeps } from '../deps.ts';
import { identityErrors } from '../errors.ts';
import { ownerOf, requireUser, tokenOf } from './authentication.ts';
import { endNamedSession, endSession, listSessions } from './queries.ts';
import { signIn } from './sign-in.ts';

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
        return { token: await signIn(deps, body, { address: ip, device }) };
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
      (request) => listSessions(deps, ownerOf(request), tokenOf(request)),
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
        const ended = await endNamedSession(deps, ownerOf(request), request.params.id);
        if (!ended) throw new ApiError(httpErrors.Not_Found);
        return reply.code(204).send(null);
      },
    );
  };
}
