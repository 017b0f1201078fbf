import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { requireUser } from '../identity/sessions/authentication.ts';
import { signedRoute } from '../platform/http/signed-route.ts';
import type { SignedWebhook } from '../providers/banks/port.ts';
import { callbackRoute } from './connecting/callback.ts';
import { hasRedirect } from './connecting/connect-sessions.ts';
import { formRoutes } from './connecting/forms.ts';
import { offerRoutes } from './connecting/offers.ts';
import { returnRoutes } from './connecting/returns.ts';
import { connectingRoutes } from './connecting/routes.ts';
import { connectionRoutes } from './connections/routes.ts';
import type { BankingDeps } from './deps.ts';
import { historyRoutes } from './history/routes.ts';
import { manualRoutes } from './manual/routes.ts';
import { scheduleAfterWebhook } from './refreshing/work.ts';
import { statementRoutes } from './statements/routes.ts';

/** The routes of all sources. A source may declare its own addresses for returns and webhooks. */
export function bankRoutes(deps: BankingDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    for (const [source, bankSource] of deps.bankSources) {
      if (hasRedirect(bankSource)) await app.register(callbackRoute(deps, source, bankSource));
      if (bankSource.connect.kind === 'file') {
        await app.register(statementRoutes(deps, source, bankSource.connect.maxBytes));
      }
      if (bankSource.webhook) await app.register(webhookRoute(deps, source, bankSource.webhook));
    }
    await app.register(async (signedIn) => {
      signedIn.addHook('onRequest', requireUser(deps));
      await signedIn.register(connectionRoutes(deps));
      await signedIn.register(historyRoutes(deps));
      await signedIn.register(connectingRoutes(deps));
      await signedIn.register(offerRoutes(deps));
      await signedIn.register(formRoutes(deps));
      await signedIn.register(returnRoutes(deps));
      for (const [source, { connect }] of deps.bankSources) {
        if (connect.kind === 'manual') await signedIn.register(manualRoutes(deps, source));
      }
    });
  };
}

/**
 * The address at which a source reports that something changed. It is answered at once. A job reads
 * from the source what changed, so an old, repeated or unknown notice does no harm.
 */
function webhookRoute(deps: BankingDeps, source: string, webhook: SignedWebhook) {
  const route = {
    ...webhook,
    summary: 'Les avis signés du service bancaire',
    contentType: 'application/json',
    response: Received,
  };
  return signedRoute(route, async ({ changedUser: providerUserId }) => {
    if (providerUserId !== null) await scheduleAfterWebhook(deps, { source, providerUserId });
    return { received: true as const };
  });
}

const Received = Type.Object({ received: Type.Literal(true) });
