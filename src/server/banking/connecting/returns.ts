import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger } from 'fastify';
import type { ReturnOutcome } from '../../../shared/banks/returns.ts';
import { BankReturn, ReturnEnd, SourceParameters } from '../../../shared/contract/banks.ts';
import { identityErrors } from '../../identity/errors.ts';
import { type Requester, requesterOf } from '../../identity/sessions/authentication.ts';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import type { ClientDetails } from '../../providers/banks/connect.ts';
import { BankSourceError } from '../../providers/banks/failures.ts';
import { checkConnectionLimit } from '../connections/limits.ts';
import { listConnections } from '../connections/queries.ts';
import type { BankingDeps } from '../deps.ts';
import { bankingErrors } from '../errors.ts';
import { withNewLink } from '../source-links/with-link.ts';
import { clientDetailsOf } from './client-details.ts';
import {
  endConnectSession,
  findConnectSession,
  hasRedirect,
  type RedirectSource,
} from './connect-sessions.ts';
import { refreshAfterLinking } from './first-refresh.ts';
import { keepAccess } from './keeping-accesses.ts';

/**
 * The last step at a source that sends something back to exchange. It is done by the session of the
 * person who began: an address of such a page that was given to somebody else, or a return that was
 * opened in another browser, links no bank to either account (RFC 9700 §4.7).
 */
export function returnRoutes(deps: BankingDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/banks/sources/:source/returns',
      {
        config: {
          errors: [
            httpErrors.Not_Found,
            bankingErrors.Bank_Return_Unknown,
            bankingErrors.Too_Many_Banks,
          ],
        },
        schema: {
          summary: "Terminer ce qui a été autorisé sur la page d'un service",
          params: SourceParameters,
          body: BankReturn,
          response: { 200: ReturnEnd },
        },
      },
      (request) => {
        const { params, body, log } = request;
        const requester = {
          ...requesterOf(request),
          ...{ clientDetails: clientDetailsOf(request), log },
        };
        return finishConnectSession(deps, requester, params.source, body.query);
      },
    );
  };
}

interface Returning extends Requester {
  clientDetails: ClientDetails;
  log: FastifyBaseLogger;
}

/**
 * Throws Bank_Return_Unknown for a connect session that somebody else began, or that has ended, and
 * Too_Many_Banks: others may have been linked since the session was opened.
 */
async function finishConnectSession(
  deps: BankingDeps,
  requester: Returning,
  source: string,
  query: Record<string, string>,
): Promise<ReturnEnd> {
  const bankSource = deps.bankSources.get(source);
  if (!bankSource || !hasRedirect(bankSource)) throw new ApiError(httpErrors.Not_Found);
  const { nonce, outcome } = bankSource.connect.callback.read(query);
  const session = await findConnectSession(deps, source, nonce);
  const isTheirs = outcome === 'done' && session?.user_id === requester.userId;
  if (!isTheirs || !(await endConnectSession(deps, requester.userId, nonce))) {
    throw new ApiError(bankingErrors.Bank_Return_Unknown);
  }
  const { purpose, connection_id: connectionId } = session;
  const exchanging = exchange(deps, requester, [source, bankSource], connectionId, query);
  const exchanged = await exchanging.catch((error: unknown): ReturnOutcome => {
    if (isTold(error)) throw error;
    requester.log.error({ err: error }, 'what came back from the bank could not be exchanged');
    return 'failed';
  });
  return { purpose, outcome: exchanged };
}

function isTold(error: unknown): boolean {
  const told = [bankingErrors.Too_Many_Banks.code, identityErrors.Not_Signed_In.code];
  return error instanceof ApiError && told.includes(error.code);
}

/** Exchanges the return for a secret, stores it, and reads with it. */
async function exchange(
  deps: BankingDeps,
  requester: Returning,
  [source, bankSource]: [string, RedirectSource],
  connectionId: number | null,
  query: Record<string, string>,
): Promise<ReturnOutcome> {
  const { userId, clientDetails, log } = requester;
  const { complete } = bankSource.connect;
  if (!complete) return 'done';
  const connections = connectionId === null ? [] : await listConnections(deps, userId);
  const repaired = connections.find(({ id }) => id === connectionId)?.source_id ?? null;
  // Before the code is redeemed, so that nothing is opened; and once more under the lock, in `keepAccess`.
  if (repaired === null) await checkConnectionLimit(deps, userId);
  try {
    const {
      changeSecret: change,
      afterwards,
      undo,
    } = await withNewLink(deps, userId, [source, bankSource], (link) =>
      complete(link, query, clientDetails, repaired),
    );
    await keepAccess(deps, requester, source, change).catch(async (error: unknown) => {
      await undo?.().catch((failure: unknown) => {
        log.error(
          { err: failure },
          'an access that was not kept was not ended at the bank service',
        );
      });
      throw error;
    });
    await afterwards?.().catch((error: unknown) => {
      log.warn({ err: error }, 'what a renewed consent replaced was not closed');
    });
  } catch (error) {
    if (error instanceof BankSourceError && error.kind === 'no-accounts') return 'no-accounts';
    throw error;
  }
  await refreshAfterLinking(deps, userId, source, clientDetails);
  return 'done';
}
