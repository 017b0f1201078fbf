import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
  FigureParameters,
  ManualAccount,
  ManualAccountChange,
  ManualAccountParameters,
  NewManualAccount,
} from '../../../shared/contract/manual-accounts.ts';
import { requesterOf } from '../../identity/sessions/authentication.ts';
import { httpErrors } from '../../platform/http/api-error.ts';
import { NoContent } from '../../platform/http/documentation.ts';
import type { BankingDeps } from '../deps.ts';
import { bankingErrors } from '../errors.ts';
import {
  correctManualAccount,
  createManualAccount,
  removeManualAccount,
  revertFigure,
} from './changes.ts';

/** Accounts whose figures are typed. */
export function manualRoutes(deps: BankingDeps, source: string): FastifyPluginAsyncTypebox {
  const path = `/banks/sources/${source}/accounts`;
  return async (app) => {
    app.post(
      path,
      {
        config: {
          errors: [
            bankingErrors.Figure_Refused,
            bankingErrors.Manual_Account_Exists,
            bankingErrors.Too_Many_Banks,
            bankingErrors.Too_Many_Accounts,
          ],
        },
        schema: {
          summary: 'Ajouter un compte dont le solde est saisi',
          body: NewManualAccount,
          response: { 201: ManualAccount },
        },
      },
      async (request, reply) =>
        reply
          .code(201)
          .send(await createManualAccount(deps, requesterOf(request), source, request.body)),
    );

    app.patch(
      `${path}/:id`,
      {
        config: { errors: [httpErrors.Not_Found, bankingErrors.Figure_Refused] },
        schema: {
          summary: "Changer le nom ou le solde d'un compte saisi",
          params: ManualAccountParameters,
          body: ManualAccountChange,
          response: { 200: ManualAccount },
        },
      },
      (request) =>
        correctManualAccount(deps, requesterOf(request), source, request.params.id, request.body),
    );

    app.delete(
      `${path}/:id/figures/:day`,
      {
        config: { errors: [httpErrors.Not_Found, bankingErrors.Figure_Refused] },
        schema: {
          summary: "Retirer le solde saisi d'un jour",
          params: FigureParameters,
          response: { 200: ManualAccount },
        },
      },
      (request) => revertFigure(deps, requesterOf(request), source, request.params),
    );

    app.delete(
      `${path}/:id`,
      {
        config: { errors: [httpErrors.Not_Found] },
        schema: {
          summary: 'Supprimer un compte saisi',
          params: ManualAccountParameters,
          response: { 204: NoContent },
        },
      },
      async (request, reply) => {
        await removeManualAccount(deps, requesterOf(request), source, request.params.id);
        return reply.code(204).send(null);
      },
    );
  };
}
