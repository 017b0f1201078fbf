import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import {
  AccountQuery,
  BankAccount,
  BankItem,
  ConfirmationQuery,
  ItemParameters,
  ItemQuery,
} from '../../shared/contract/banks.ts';
import { Redirection } from '../../shared/contract/messengers.ts';
import { ownerOf, requireUser } from '../identity/sessions/authentication.ts';
import { httpErrors } from '../platform/http/api-error.ts';
import { NoContent } from '../platform/http/documentation.ts';
import { callbackRoute } from './connecting/callback.ts';
import { findItemToValidate, openVisit } from './connecting/sessions.ts';
import { eraseItem } from './connections/erasing.ts';
import { presentAccounts, presentItem } from './connections/presentation.ts';
import { findRefreshedAt, listStoredAccounts, listStoredItems } from './connections/queries.ts';
import type { BankingDeps } from './deps.ts';
import { bankingErrors } from './errors.ts';
import { historyRoutes } from './history/routes.ts';
import { readAsBankUser } from './links/acting.ts';
import { bringUpToDate } from './refreshing/current.ts';
import { webhookRoute } from './refreshing/notices.ts';

export function bankRoutes(deps: BankingDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    await app.register(callbackRoute(deps));
    await app.register(webhookRoute(deps));
    await app.register(signedInRoutes(deps));
  };
}

const bankRefusals = [bankingErrors.Bank_Refused, bankingErrors.Bank_Unavailable] as const;
const pageRefusals = [
  ...bankRefusals,
  httpErrors.Not_Found,
  bankingErrors.Bank_Management_Limit,
] as const;

function signedInRoutes(deps: BankingDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireUser(deps));
    await app.register(listRoutes(deps));
    await app.register(historyRoutes(deps));
    await app.register(pageRoutes(deps));
  };
}

function listRoutes(deps: BankingDeps): FastifyPluginAsyncTypebox {
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
        const owner = ownerOf(request);
        await bringUpToDate(deps, owner, request.query);
        await sayWhen(deps, owner, reply);
        return (await listStoredItems(deps, owner)).map(presentItem);
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
        const owner = ownerOf(request);
        await bringUpToDate(deps, owner, request.query);
        await sayWhen(deps, owner, reply);
        const [accounts, items] = await Promise.all([
          listStoredAccounts(deps, owner),
          listStoredItems(deps, owner),
        ]);
        return presentAccounts(accounts, items, [request.query['types[]'] ?? []].flat());
      },
    );

    app.delete(
      '/bridge/items/:id',
      {
        config: { errors: bankRefusals },
        schema: {
          summary: 'Retirer une banque',
          params: ItemParameters,
          response: { 204: NoContent },
        },
      },
      async (request, reply) => {
        const owner = ownerOf(request);
        const { id } = request.params;
        await readAsBankUser(deps, owner, undefined, (user) => deps.bank.deleteItem(user, id));
        await eraseItem(deps, owner, id);
        return reply.code(204).send(null);
      },
    );
  };
}

/** Tells a store that says "no bank" from one that was never filled. */
async function sayWhen(deps: BankingDeps, ownerId: string, reply: FastifyReply): Promise<void> {
  const at = await findRefreshedAt(deps, ownerId);
  if (at) reply.header('last-modified', at.toUTCString());
}

function pageRoutes(deps: BankingDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    const answers = { 200: Redirection };

    app.get(
      '/bridge/items/connect',
      {
        config: { errors: bankRefusals },
        schema: { summary: 'La page où ajouter une banque', response: answers },
      },
      (request) => openVisit(deps, ownerOf(request), { purpose: 'add' }),
    );

    app.get(
      '/bridge/items/edit/:id',
      {
        config: { errors: pageRefusals },
        schema: {
          summary: 'La page où modifier une banque',
          params: ItemParameters,
          response: answers,
        },
      },
      (request) =>
        openVisit(deps, ownerOf(request), { purpose: 'edit', itemId: request.params.id }),
    );

    app.get(
      '/bridge/items/pro/confirmation/url',
      {
        config: { errors: pageRefusals },
        schema: {
          summary: 'La page de validation professionnelle',
          querystring: ConfirmationQuery,
          response: answers,
        },
      },
      async (request) => {
        const owner = ownerOf(request);
        const itemId = request.query.item ?? (await findItemToValidate(deps, owner));
        return openVisit(deps, owner, { purpose: 'pro', itemId });
      },
    );
  };
}
