import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { addDays } from '../../../shared/calendar/local-date.ts';
import { parisDayOf } from '../../../shared/calendar/wall-clock.ts';
import {
  AccountHistory,
  BankParameters,
  DailyBalance,
  HistoryQuery,
} from '../../../shared/contract/banks.ts';
import { ownerOf } from '../../identity/sessions/authentication.ts';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import type { Platform } from '../../platform/platform.ts';
import { listAccounts } from '../connections/queries.ts';
import type { BankingDeps } from '../deps.ts';
import { listBalances, presentBalance } from './queries.ts';

/** The stored balances of accounts by day, from which the page draws its small lines. */
export function historyRoutes(deps: BankingDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/bridge/accounts/:id/balances',
      {
        config: { errors: [httpErrors.Not_Found] },
        schema: {
          summary: "Les soldes d'un compte, jour par jour",
          params: BankParameters,
          querystring: HistoryQuery,
          response: { 200: Type.Array(DailyBalance) },
        },
      },
      async (request) => {
        const owner = ownerOf(request);
        const { id } = request.params;
        const accounts = await listAccounts(deps, owner);
        if (!accounts.some((account) => account.id === id))
          throw new ApiError(httpErrors.Not_Found);
        const since = firstDay(deps, request.query.days ?? 90);
        return (await listBalances(deps, owner, since, id)).map(presentBalance);
      },
    );

    app.get(
      '/bridge/balances',
      {
        schema: {
          summary: 'Les soldes de tous les comptes, jour par jour',
          querystring: HistoryQuery,
          response: { 200: Type.Array(AccountHistory) },
        },
      },
      async (request) => {
        const since = firstDay(deps, request.query.days ?? 30);
        const rows = await listBalances(deps, ownerOf(request), since);
        return [...Map.groupBy(rows, ({ account_id }) => account_id)].map(([id, days]) => ({
          account: { id },
          balances: days.map(presentBalance),
        }));
      },
    );
  };
}

/** Of so many days, of which today is the last. */
function firstDay({ clock }: Pick<Platform, 'clock'>, days: number): string {
  return addDays(parisDayOf(clock.now()), 1 - days);
}
