import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Me } from '../../shared/contract/users.ts';
import { profileOf, requireUser } from '../identity/sessions/authentication.ts';
import { readAccountState } from '../identity/users/account-state.ts';
import { presentMessenger } from '../notifications/messengers/presentation.ts';
import { listMessengers } from '../notifications/messengers/queries.ts';
import type { Services } from './services.ts';

/** The specification's one call for a person and their notifications. */
export function profileRoute(services: Services): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/users/me',
      {
        onRequest: requireUser(services),
        schema: { summary: 'Le profil et ses notifications', response: { 200: Me } },
      },
      async (request) => {
        const user = profileOf(request);
        const now = services.clock.now();
        const [rows, state] = await Promise.all([
          listMessengers(services, user.id),
          readAccountState(services, user.id),
        ]);
        return { ...user, ...state, messengers: rows.map((row) => presentMessenger(row, now)) };
      },
    );
  };
}
