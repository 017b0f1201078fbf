import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { Login, OpenSession, SessionToken } from '../../../shared/contract/sessions.ts';
import { Refusal } from '../../platform/http/api-error.ts';
import { Nothing } from '../../platform/http/documentation.ts';
import type { IdentityDeps } from '../deps.ts';
import { ownerOf, requireUser, tokenOf } from './authentication.ts';
import { endNamedSession, endSession, listSessions } from './queries.ts';
import { signIn } from './sign-in.ts';

export function sessionRoutes(parts: IdentityDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/accounts/login',
      {
        config: {
          isPublic: true,
          refusals: [
            'Wrong_Credentials',
            'Second_Factor_Required',
            'Second_Factor_Invalid',
            'Too_Many_Requests',
          ],
        },
        schema: { summary: 'Se connecter', body: Login, response: { 200: SessionToken } },
      },
      async ({ body, ip, headers }) => {
        const device = headers['user-agent']?.slice(0, 200) ?? null;
        return { token: await signIn(parts, body, { address: ip, device }) };
      },
    );

    await app.register(ownSessionRoutes(parts));
  };
}

function ownSessionRoutes(parts: IdentityDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireUser(parts));

    app.post(
      '/accounts/logout',
      { schema: { summary: 'Se déconnecter', response: { 204: Nothing } } },
      async (request, reply) => {
        await endSession(parts, tokenOf(request));
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
      (request) => listSessions(parts, ownerOf(request), tokenOf(request)),
    );

    app.delete(
      '/users/me/sessions/:id',
      {
        config: { refusals: ['Not_Found'] },
        schema: {
          summary: 'Fermer une session',
          params: Type.Object({ id: Type.String() }),
          response: { 204: Nothing },
        },
      },
      async (request, reply) => {
        const ended = await endNamedSession(parts, ownerOf(request), request.params.id);
        if (!ended) throw new Refusal('Not_Found');
        return reply.code(204).send(null);
      },
    );
  };
}
