import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { BankParameters, ConfirmationQuery } from '../../../shared/contract/banks.ts';
import { Redirection } from '../../../shared/contract/messengers.ts';
import { requesterOf } from '../../identity/sessions/authentication.ts';
import { httpErrors } from '../../platform/http/api-error.ts';
import type { BankingDeps } from '../deps.ts';
import { bankingErrors, bankRefusals } from '../errors.ts';
import { openAddPage, openEditPage } from './connect-sessions.ts';

const pageRefusals = [
  ...bankRefusals,
  httpErrors.Not_Found,
  bankingErrors.Bank_Management_Limit,
  bankingErrors.Bank_Credentials_Refused,
] as const;

/** The pages of sources, under paths that the specification fixed. */
export function connectingRoutes(deps: BankingDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    const answers = { 200: Redirection };

    app.get(
      '/bridge/items/connect',
      {
        config: {
          errors: [...bankRefusals, httpErrors.Not_Found, bankingErrors.Too_Many_Banks],
        },
        schema: { summary: 'La page où relier une banque', response: answers },
      },
      (request) => openAddPage(deps, requesterOf(request)),
    );

    app.get(
      '/bridge/items/edit/:id',
      {
        config: { errors: pageRefusals },
        schema: {
          summary: 'La page où modifier une banque',
          params: BankParameters,
          response: answers,
        },
      },
      (request) => openEditPage(deps, requesterOf(request), 'edit', request.params.id),
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
      (request) => openEditPage(deps, requesterOf(request), 'pro', request.query.item ?? null),
    );
  };
}
