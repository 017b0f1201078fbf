import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import {
  AccountHistory,
  AccountParameters,
  DailyBalance,
  HistoryQuery,
} from '../../../shared/contract/banks.ts';
import { fromMinor } from '../../../shared/money/minor-units.ts';
import { ownerOf } from '../../identity/sessions/authentication.ts';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import type { Platform } from '../../platform/platform.ts';
import { listAccounts } from '../connections/queries.ts';
import type { BankingDeps } from '../deps.ts';
import { bankDayOf } from './days.ts';
import { listBalances } from './queries.ts';

/** What each account held day by day: the lines of the page, from the store alone. */
export function historyRoutes(deps: BankingDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/bridge/accounts/:id/balances',
      {
        config: { errors: [httpErrors.Not_Found] },
        schema: {
          summary: "Les soldes d'un compte, jour par jour",
          params: AccountParameters,
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

/** Noon keeps the calendar's count of days over a change of clocks. */
function firstDay({ clock }: Pick<Platform, 'clock'>, days: number): string {
  const first = new Date(`${bankDayOf(clock.now())}T12:00:00Z`);
  first.setUTCDate(first.getUTCDate() - (days - 1));
  return first.toISOString().slice(0, 10);
}

function presentBalance(row: Awaited<ReturnType<typeof listBalances>>[number]): DailyBalance {
  return {
    day: row.day,
    balance: fromMinor(row.balance_minor, row.currency),
    currency_code: row.currency,
    as_of: row.as_of.toISOString(),
  };
}
