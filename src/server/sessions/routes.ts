import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Login, SessionToken } from '../../shared/contract/sessions.ts';
import { attempt } from '../attempts/attempt.ts';
import { Refusal } from '../errors/refusal.ts';
import { requireUser, tokenOf } from '../http/authentication.ts';
import { Nothing } from '../http/documentation.ts';
import type { Parts } from '../parts.ts';
import { emailKey } from '../users/email-key.ts';
import { findCredentials } from '../users/queries.ts';
import { endSession, startSession } from './queries.ts';

export function sessionRoutes(parts: Parts): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/accounts/login',
      {
        config: { isPublic: true, refusals: ['Wrong_Credentials', 'Too_Many_Requests'] },
        schema: { summary: 'Se connecter', body: Login, response: { 200: SessionToken } },
      },
      async (request) => {
        const who = { account: emailKey(request.body.email), address: request.ip };
        const ownerId = await attempt(parts, 'sign-in', who, () =>
          checkCredentials(parts, request.body),
        );
        const device = request.headers['user-agent']?.slice(0, 200) ?? null;
        return { token: await startSession(parts, ownerId, device) };
      },
    );

    app.post(
      '/accounts/logout',
      {
        onRequest: requireUser(parts),
        schema: { summary: 'Se déconnecter', response: { 204: Nothing } },
      },
      async (request, reply) => {
        await endSession(parts, tokenOf(request));
        return reply.code(204).send(null);
      },
    );
  };
}

/** The same answer in the same time, whether the address or the password is wrong. */
async function checkCredentials(parts: Parts, { email, password }: Login): Promise<string> {
  const user = await findCredentials(parts, email);
  const matches = await parts.passwords.verify(user?.passwordHash ?? null, password);
  if (!user || !matches) throw new Refusal('Wrong_Credentials');
  return user.id;
}
