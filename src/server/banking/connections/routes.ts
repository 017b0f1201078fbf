import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import {
  AccountQuery,
  BankAccount,
  BankItem,
  BankParameters,
  ItemQuery,
  RefreshedItem,
} from '../../../shared/contract/banks.ts';
import { userIdOf } from '../../identity/sessions/authentication.ts';
import { httpErrors } from '../../platform/http/api-error.ts';
import { NoContent } from '../../platform/http/documentation.ts';
import { clientDetailsOf } from '../connecting/client-details.ts';
import type { BankingDeps } from '../deps.ts';
import { bankingErrors, bankRefusals } from '../errors.ts';
import { refreshByButton } from '../refreshing/by-button.ts';
import { refreshForPage } from '../refreshing/for-pages.ts';
import { presentAccounts, presentItem, presentItems } from './presentation.ts';
import {
  findRefreshedAt,
  listAccounts,
  listConnections,
  type StoredAccount,
  type StoredConnection,
} from './queries.ts';
import { removeConnection } from './removal.ts';

/** The stored connections and accounts of all sources. The specification fixed the paths. */
export function connectionRoutes(deps: BankingDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/bridge/items',
      {
        config: { errors: bankRefusals },
        schema: {
          summary: 'Les banques reliées',
          querystring: ItemQuery,
          response: { 200: Type.Array(BankItem) },
        },
      },
      async (request, reply) => {
        const [accounts, connections] = await readForPage(
          deps,
          userIdOf(request),
          request.query,
          reply,
        );
        return presentItems(deps, connections, accounts, deps.clock.now());
      },
    );

    app.get(
      '/bridge/accounts',
      {
        config: { errors: bankRefusals },
        schema: {
          summary: 'Les comptes et leurs soldes',
          querystring: AccountQuery,
          response: { 200: Type.Array(BankAccount) },
        },
      },
      async (request, reply) => {
        const [accounts, connections] = await readForPage(
          deps,
          userIdOf(request),
          request.query,
          reply,
        );
        const types = [request.query['types[]'] ?? []].flat();
        return presentAccounts(deps, accounts, connections, types, deps.clock.now());
      },
    );

    app.post(
      '/banks/connections/:id/refreshes',
      {
        config: {
          errors: [
            ...[...bankRefusals, httpErrors.Not_Found, bankingErrors.Bank_Management_Limit],
            bankingErrors.Bank_Credentials_Refused,
          ],
        },
        schema: {
          summary: 'Demander à la banque des soldes plus récents',
          params: BankParameters,
          response: { 200: RefreshedItem },
        },
      },
      async (request) => {
        const [owner, clientDetails] = [userIdOf(request), clientDetailsOf(request)];
        const { id } = request.params;
        const refreshed = await refreshByButton(deps, owner, id, clientDetails);
        return {
          ...presentItem(deps, refreshed.connection, deps.clock.now()),
          has_newer_balances: refreshed.hasNewerBalances,
        };
      },
    );

    app.delete(
      '/bridge/items/:id',
      {
        config: { errors: bankRefusals },
        schema: {
          summary: 'Retirer une banque',
          params: BankParameters,
          response: { 204: NoContent },
        },
      },
      async (request, reply) => {
        await removeConnection(deps, userIdOf(request), request.params.id);
        return reply.code(204).send(null);
      },
    );
  };
}

/** `last-modified` is when the store was read, so that the page tells "no bank" from "never read". */
async function readForPage(
  deps: BankingDeps,
  userId: string,
  query: Static<typeof ItemQuery>,
  reply: FastifyReply,
): Promise<[StoredAccount[], StoredConnection[]]> {
  await refreshForPage(deps, userId, query);
  const at = await findRefreshedAt(deps, userId);
  if (at) reply.header('last-modified', at.toUTCString());
  return await Promise.all([listAccounts(deps, userId), listConnections(deps, userId)]);
}
