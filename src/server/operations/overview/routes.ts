import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Operations } from '../../../shared/contract/operations.ts';
import { ownerOf, requireUser } from '../../identity/sessions/authentication.ts';
import { readAccountState } from '../../identity/users/account-state.ts';
import type { NotificationsDeps } from '../../notifications/deps.ts';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import { readOperations } from './report.ts';

export function operationRoutes(deps: NotificationsDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireUser(deps));
    // For everybody else there is no such page.
    app.addHook('preHandler', async (request) => {
      const { operator } = await readAccountState(deps, ownerOf(request));
      if (!operator) throw new ApiError(httpErrors.Not_Found);
    });

    app.get(
      '/operations',
      {
        config: { errors: [httpErrors.Not_Found] },
        schema: {
          summary: "L'état de l'installation, pour ses exploitants",
          response: { 200: Operations },
        },
      },
      () => readOperations(deps),
    );
  };
}
