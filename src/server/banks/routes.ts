import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import {
  AccountQuery,
  BankAccount,
  BankItem,
  ConfirmationQuery,
  ItemParameters,
} from '../../shared/contract/banks.ts';
import { Redirection } from '../../shared/contract/messengers.ts';
import { ownerOf, requireUser } from '../http/authentication.ts';
import { Nothing } from '../http/documentation.ts';
import type { Parts } from '../parts.ts';
import { readAsBankUser } from './bank-user.ts';
import { callbackRoute } from './callback.ts';
import { presentAccounts, presentItem } from './presentation.ts';
import { findItemToValidate, openVisit } from './visits.ts';

export function bankRoutes(parts: Parts): FastifyPluginAsyncTypebox {
  return async (app) => {
    await app.register(callbackRoute(parts));
    await app.register(signedInRoutes(parts));
  };
}

const bankRefusals = ['Bank_Refused', 'Bank_Unavailable'] as const;
const pageRefusals = [...bankRefusals, 'Not_Found', 'Bank_Management_Limit'] as const;

function signedInRoutes(parts: Parts): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireUser(parts));
    await app.register(listRoutes(parts));
    await app.register(pageRoutes(parts));
  };
}

function listRoutes(parts: Parts): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/bridge/items',
      {
        config: { refusals: bankRefusals },
        schema: { summary: 'Les banques reliées', response: { 200: Type.Array(BankItem) } },
      },
      (request) =>
        readAsBankUser(parts, ownerOf(request), [], async (user) =>
          (await parts.bank.listItems(user)).map(presentItem),
        ),
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
      (request) =>
        readAsBankUser(parts, ownerOf(request), [], async (user) => {
          const reads = [parts.bank.listAccounts(user), parts.bank.listItems(user)] as const;
          const [accounts, items] = await Promise.all(reads);
          return presentAccounts(accounts, items, [request.query['types[]'] ?? []].flat());
        }),
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
        const { id } = request.params;
        await readAsBankUser(parts, ownerOf(request), undefined, (user) =>
          parts.bank.deleteItem(user, id),
        );
        return reply.code(204).send(null);
      },
    );
  };
}

function pageRoutes(parts: Parts): FastifyPluginAsyncTypebox {
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
