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
import { Nothing } from '../platform/http/documentation.ts';
import { readAsBankUser } from './bank-user.ts';
import { callbackRoute } from './callback.ts';
import { findItemToValidate, openVisit } from './connect-sessions.ts';
import { bringUpToDate } from './current.ts';
import type { BankingDeps } from './deps.ts';
import { eraseItem } from './erasing.ts';
import { historyRoutes } from './history.ts';
import { presentAccounts, presentItem } from './presentation.ts';
import { findRefreshedAt, listStoredAccounts, listStoredItems } from './stored.ts';
import { webhookRoute } from './webhook.ts';

export function bankRoutes(parts: BankingDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    await app.register(callbackRoute(parts));
    await app.register(webhookRoute(parts));
    await app.register(signedInRoutes(parts));
  };
}

const bankRefusals = ['Bank_Refused', 'Bank_Unavailable'] as const;
const pageRefusals = [...bankRefusals, 'Not_Found', 'Bank_Management_Limit'] as const;

function signedInRoutes(parts: BankingDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireUser(parts));
    await app.register(listRoutes(parts));
    await app.register(historyRoutes(parts));
    await app.register(pageRoutes(parts));
  };
}

function listRoutes(parts: BankingDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/bridge/items',
      {
        config: { refusals: bankRefusals },
        schema: {
          summary: 'Les banques reliées',
          querystring: ItemQuery,
          response: { 200: Type.Array(BankItem) },
        },
      },
      async (request, reply) => {
        const owner = ownerOf(request);
        await bringUpToDate(parts, owner, request.query);
        await sayWhen(parts, owner, reply);
        return (await listStoredItems(parts, owner)).map(presentItem);
      },
    );

    app.get(
      '/bridge/accounts',
      {
        config: { refusals: bankRefusals },
        schema: {
          summary: 'Les comptes et leurs soldes',
          querystring: AccountQuery,
          response: { 200: Type.Array(BankAccount) },
        },
      },
      async (request, reply) => {
        const owner = ownerOf(request);
        await bringUpToDate(parts, owner, request.query);
        await sayWhen(parts, owner, reply);
        const [accounts, items] = await Promise.all([
          listStoredAccounts(parts, owner),
          listStoredItems(parts, owner),
        ]);
        return presentAccounts(accounts, items, [request.query['types[]'] ?? []].flat());
      },
    );

    app.delete(
      '/bridge/items/:id',
      {
        config: { refusals: bankRefusals },
        schema: {
          summary: 'Retirer une banque',
          params: ItemParameters,
          response: { 204: Nothing },
        },
      },
      async (request, reply) => {
        const owner = ownerOf(request);
        const { id } = request.params;
        await readAsBankUser(parts, owner, undefined, (user) => parts.bank.deleteItem(user, id));
        await eraseItem(parts, owner, id);
        return reply.code(204).send(null);
      },
    );
  };
}

/** Tells a store that says "no bank" from one that was never filled. */
async function sayWhen(parts: BankingDeps, ownerId: string, reply: FastifyReply): Promise<void> {
  const at = await findRefreshedAt(parts, ownerId);
  if (at) reply.header('last-modified', at.toUTCString());
}

function pageRoutes(parts: BankingDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    const answers = { 200: Redirection };

    app.get(
      '/bridge/items/connect',
      {
        config: { refusals: bankRefusals },
        schema: { summary: 'La page où ajouter une banque', response: answers },
      },
      (request) => openVisit(parts, ownerOf(request), { purpose: 'add' }),
    );

    app.get(
      '/bridge/items/edit/:id',
      {
        config: { refusals: pageRefusals },
        schema: {
          summary: 'La page où modifier une banque',
          params: ItemParameters,
          response: answers,
        },
      },
      (request) =>
        openVisit(parts, ownerOf(request), { purpose: 'edit', itemId: request.params.id }),
    );

    app.get(
      '/bridge/items/pro/confirmation/url',
      {
        config: { refusals: pageRefusals },
        schema: {
          summary: 'La page de validation professionnelle',
          querystring: ConfirmationQuery,
          response: answers,
        },
      },
      async (request) => {
        const owner = ownerOf(request);
        const itemId = request.query.item ?? (await findItemToValidate(parts, owner));
        return openVisit(parts, owner, { purpose: 'pro', itemId });
      },
    );
  };
}
