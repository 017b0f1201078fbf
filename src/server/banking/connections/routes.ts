import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import type { Transaction } from 'kysely';
import { type Static, Type } from 'typebox';
import {
  AccountQuery,
  BankAccount,
  BankItem,
  BankParameters,
  ItemQuery,
} from '../../../shared/contract/banks.ts';
import { ownerOf } from '../../identity/sessions/authentication.ts';
import { lockUser } from '../../identity/users/queries.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import { NoContent } from '../../platform/http/documentation.ts';
import type { BankSource } from '../../providers/banks/port.ts';
import { lastingAccesses } from '../../providers/banks/registry.ts';
import { clientDetailsOf } from '../connecting/client-details.ts';
import type { BankingDeps } from '../deps.ts';
import { bankingErrors, bankRefusals } from '../errors.ts';
import { refreshByButton } from '../refreshing/by-button.ts';
import { findConnection, refreshForPage } from '../refreshing/for-pages.ts';
import { changeSecretIn, dropLink, readLinkIn } from '../source-links/queries.ts';
import { hasUnreadableCredentials, isForgotten, withLink } from '../source-links/with-link.ts';
import { presentAccounts, presentItem, presentItems } from './presentation.ts';
import {
  eraseConnection,
  findRefreshedAt,
  listAccounts,
  listConnections,
  listSourceIds,
  type StoredAccount,
  type StoredConnection,
} from './queries.ts';

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
          ownerOf(request),
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
          ownerOf(request),
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
          errors: [...bankRefusals, httpErrors.Not_Found, bankingErrors.Bank_Management_Limit],
        },
        schema: {
          summary: 'Demander à la banque des soldes plus récents',
          params: BankParameters,
          response: { 200: BankItem },
        },
      },
      async (request) => {
        const [owner, clientDetails] = [ownerOf(request), clientDetailsOf(request)];
        const row = await refreshByButton(deps, owner, request.params.id, clientDetails);
        return presentItem(deps, row, deps.clock.now());
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
        await removeConnection(deps, ownerOf(request), request.params.id);
        return reply.code(204).send(null);
      },
    );
  };
}

/** `last-modified` is when the store was read, so that the page tells "no bank" from "never read". */
async function readForPage(
  deps: BankingDeps,
  ownerId: string,
  query: Static<typeof ItemQuery>,
  reply: FastifyReply,
): Promise<[StoredAccount[], StoredConnection[]]> {
  await refreshForPage(deps, ownerId, query);
  const at = await findRefreshedAt(deps, ownerId);
  if (at) reply.header('last-modified', at.toUTCString());
  return await Promise.all([listAccounts(deps, ownerId), listConnections(deps, ownerId)]);
}

/** Removes it at its source first, then here. One that does not exist counts as removed. */
async function removeConnection(deps: BankingDeps, ownerId: string, id: number): Promise<void> {
  const connection = await findConnection(deps, ownerId, (one) => one.id === id);
  if (!connection) return;
  const { source: kind, source_id: sourceId } = connection;
  const change = await removeAtSource(deps, ownerId, connection);
  await eraseConnection(deps, connection, async (transaction) => {
    // Two removals at once come one after the other: the last one ends what no bank needs any more.
    await lockUser(transaction, ownerId);
    const linked = await listSourceIds(transaction, { userId: ownerId, source: kind });
    const others = linked.filter((one) => one !== sourceId);
    const source = deps.bankSources.get(kind);
    if (!source) return await endUnconfiguredLink(transaction, ownerId, kind, others);
    if (source.credentials !== 'person') return;
    // Credentials that cannot be opened stay sealed as long as another bank is linked by them.
    if (change === 'unopened' && others.length > 0) return;
    await changeSecretIn(transaction, deps, ownerId, kind, (known) =>
      typeof change === 'function' ? change(known, others) : null,
    );
  });
}

async function removeAtSource(
  deps: BankingDeps,
  ownerId: string,
  { source: kind, source_id: sourceId }: StoredConnection,
): Promise<RemovalChange | 'unopened'> {
  try {
    return await withLink<RemovalChange>(deps, ownerId, kind, null, (source, link) =>
      source.removeConnection(link, sourceId),
    );
  } catch (error) {
    // A user whom the source does not know has no connection there either.
    if (isForgotten(error)) return null;
    if (!hasUnreadableCredentials(error)) throw error;
    // The source cannot be told.
    return 'unopened';
  }
}

/**
 * Of a source that is not configured any more, the person's own credentials go with the last of their
 * banks. Throws where something else would be left that only the source can end or take apart: the user
 * that it keeps, one access among several, or one that goes on without its credentials.
 */
async function endUnconfiguredLink(
  transaction: Transaction<Schema>,
  ownerId: string,
  kind: string,
  others: string[],
): Promise<void> {
  const link = await readLinkIn(transaction, ownerId, kind);
  if (!link) return;
  const goesOn = link.provider_user_id !== null || lastingAccesses.has(kind);
  if (goesOn || others.length > 0) {
    const message =
      "Le service qui relie cette banque n'est plus configuré ici\u202f: elle ne peut pas être supprimée pour le moment. Prévenez l'administrateur.";
    throw new ApiError(bankingErrors.Bank_Unavailable, { message });
  }
  await dropLink(transaction, ownerId, kind);
}

type RemovalChange = Awaited<ReturnType<BankSource['removeConnection']>>;
