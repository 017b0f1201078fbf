import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requireUser } from '../identity/sessions/authentication.ts';
import { callbackRoute } from './connecting/callback.ts';
import { connectingRoutes } from './connecting/routes.ts';
import { hasRedirect } from './connecting/sessions.ts';
import { connectionRoutes } from './connections/routes.ts';
import type { BankingDeps } from './deps.ts';
import { historyRoutes } from './history/routes.ts';
import { noticeRoute } from './refreshing/notices.ts';

/** The same for every source, but where one declares an address of its own to be called back at. */
export function bankRoutes(deps: BankingDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    for (const [kind, source] of deps.banks) {
      if (hasRedirect(source)) await app.register(callbackRoute(deps, kind, source));
      if (source.notices) await app.register(noticeRoute(deps, kind, source.notices));
    }
    await app.register(async (signedIn) => {
      signedIn.addHook('onRequest', requireUser(deps));
      await signedIn.register(connectionRoutes(deps));
      await signedIn.register(historyRoutes(deps));
      await signedIn.register(connectingRoutes(deps));
    });
  };
}
