import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { dayMs } from '../../../shared/calendar/durations.ts';
import { Operations } from '../../../shared/contract/operations.ts';
import { requireUser, userIdOf } from '../../identity/sessions/authentication.ts';
import { readAccountState } from '../../identity/users/account-state.ts';
import type { NotificationsDeps } from '../../notifications/deps.ts';
import { ownCodes, reasonOf } from '../../notifications/reasons.ts';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import { canMail } from '../../platform/mail/mailer.ts';
import type { AppConfiguration } from '../../providers/configuration.ts';
import { countFailures, countOutcomes, countOverdue, measureLag } from './deliveries.ts';
import {
  listFailedReadings,
  listFailingBanks,
  listPausedDestinations,
  listUnsentMails,
} from './problems.ts';

export function operatorPageRoutes(
  deps: NotificationsDeps & { configuration: AppConfiguration },
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireUser(deps));
    // For all other users the page does not exist.
    app.addHook('preHandler', async (request) => {
      const { operator } = await readAccountState(deps, userIdOf(request));
      if (!operator) throw new ApiError(httpErrors.Not_Found);
    });

    app.get(
      '/operations',
      {
        config: { errors: [httpErrors.Not_Found] },
        schema: {
          summary: "L'état de l'installation, pour ses administrateurs",
          response: { 200: Operations },
        },
      },
      () => readOperations(deps),
    );
  };
}

/** The state of the installation, of all users together; it contains no data of a single user. */
async function readOperations(
  deps: Pick<NotificationsDeps, 'database' | 'clock' | 'chats'> & {
    configuration: AppConfiguration;
  },
): Promise<Operations> {
  const { database, clock, chats, configuration } = deps;
  const now = clock.now();
  const since = new Date(now.getTime() - dayMs);
  const { daily, test, alert } = await countOutcomes(database, since);
  const failures = await countFailures(database, since);
  return {
    date: now.toISOString(),
    since: since.toISOString(),
    deliveries: daily,
    tests: test,
    alerts: alert,
    lag: await measureLag(database, since),
    overdue: await countOverdue(database, now),
    failures: failures.map(({ chat, code, deliveries }) => ({
      ...{ chat: chats.get(chat)?.name ?? chat, code, deliveries },
      sentence:
        code === ownCodes.tokenUnreadable ? withoutKey : reasonOf(chats.get(chat), code).sentence,
    })),
    banks: await listFailingBanks(database),
    readings: await listFailedReadings(deps, since),
    workspaces: await listPausedDestinations(deps),
    mails: await listUnsentMails(database, now),
    canMail: canMail(configuration),
  };
}

const withoutKey =
  "Aucune clé d'APP_SECRET n'ouvre l'accès à la messagerie\u202f: lancez npm run doctor.";
