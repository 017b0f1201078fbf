import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import {
  BankItem,
  ConfirmationQuery,
  ConnectionForm,
  ItemParameters,
  OfferedSource,
  SourceParameters,
} from '../../../shared/contract/banks.ts';
import { Redirection } from '../../../shared/contract/messengers.ts';
import { ownerOf } from '../../identity/sessions/authentication.ts';
import { httpErrors } from '../../platform/http/api-error.ts';
import { presentItem } from '../connections/presentation.ts';
import type { BankingDeps } from '../deps.ts';
import { bankingErrors, bankRefusals } from '../errors.ts';
import { linkByForm, offerOf } from './forms.ts';
import { openAddPage, openEditPage } from './sessions.ts';

const pageRefusals = [
  ...bankRefusals,
  httpErrors.Not_Found,
  bankingErrors.Bank_Management_Limit,
] as const;

/** The pages of sources, whose paths are frozen, and the forms of those that have no page. */
export function connectingRoutes(deps: BankingDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    const answers = { 200: Redirection };

    app.get(
      '/bridge/items/connect',
      {
        config: { errors: [...bankRefusals, httpErrors.Not_Found] },
        schema: { summary: 'La page où ajouter une banque', response: answers },
      },
      (request) => openAddPage(deps, ownerOf(request)),
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
      (request) => openEditPage(deps, ownerOf(request), 'edit', request.params.id),
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
      (request) => openEditPage(deps, ownerOf(request), 'pro', request.query.item ?? null),
    );

    app.get(
      '/banks/sources',
      {
        schema: {
          summary: 'Les services par lesquels une banque peut être reliée',
          response: { 200: Type.Array(OfferedSource) },
        },
      },
      async () => [...deps.banks].map(([kind, source]) => offerOf(kind, source)),
    );

    app.post(
      '/banks/sources/:source/connections',
      {
        config: {
          errors: [...bankRefusals, httpErrors.Not_Found, bankingErrors.Bank_Credentials_Refused],
        },
        schema: {
          summary: 'Relier une banque avec des identifiants',
          params: SourceParameters,
          body: ConnectionForm,
          response: { 201: Type.Array(BankItem) },
        },
      },
      async (request, reply) => {
        const { params, body } = request;
        const connections = await linkByForm(deps, ownerOf(request), params.source, body.values);
        return reply.code(201).send(connections.map(presentItem));
      },
    );
  };
}
