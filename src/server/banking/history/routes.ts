import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
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
import { userIdOf } from '../../identity/sessions/authentication.ts';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import { jsonList } from '../../platform/http/json-list.ts';
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
        const owner = userIdOf(request);
        const { id } = request.params;
        const accounts = await listAccounts(deps, owner);
        if (!accounts.some((account) => account.id === id))
          throw new ApiError(httpErrors.Not_Found);
        const since = firstDay(deps, request.query.days ?? 90);
        return (await listBalances(deps, owner, since, [id])).map(presentBalance);
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
      async (request, reply) => {
        const pages = historyPages(deps, userIdOf(request), request.query.days ?? 30);
        reply.header('content-type', 'application/json; charset=utf-8');
        // The stream is the JSON that the schema describes; Fastify sends it unchanged.
        const text: unknown = Readable.from(jsonList(pages));
        return text as AccountHistory[];
      },
    );
  };
}

const rowsOfPage = 2_000;

/** Some accounts at a time, because the histories of all that one person may have hold up everyone else. */
export async function* historyPages(
  deps: Pick<Platform, 'database' | 'clock'>,
  userId: string,
  days: number,
): AsyncGenerator<AccountHistory[]> {
  const since = firstDay(deps, days);
  const ids = (await listAccounts(deps, userId)).map(({ id }) => id);
  const size = Math.ceil(rowsOfPage / days);
  for (let start = 0; start < ids.length; start += size) {
    const page = ids.slice(start, start + size);
    const rows = await listBalances(deps, userId, since, page);
    yield [...Map.groupBy(rows, ({ account_id }) => account_id)].map(([id, known]) => ({
      account: { id },
      balances: known.map(presentBalance),
    }));
    await nextTurn();
  }
}

/** Of so many days, of which today is the last. */
function firstDay({ clock }: Pick<Platform, 'clock'>, days: number): string {
  return addDays(parisDayOf(clock.now()), 1 - days);
}
