import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { Deletion, DeletionReceipt, DeletionRequest } from '../../../shared/contract/deletions.ts';
import { OpaqueToken } from '../../../shared/contract/texts.ts';
import { identityErrors, passwordRefusals } from '../../identity/errors.ts';
import { confirmCode, hasSecondFactor } from '../../identity/second-factor/codes.ts';
import { requesterOf, requireUser } from '../../identity/sessions/authentication.ts';
import { confirmPassword } from '../../identity/users/current-password.ts';
import type { NotificationsDeps } from '../../notifications/deps.ts';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import { findDeletion } from './queries.ts';
import { requestDeletion } from './requesting.ts';

export function deletionRoutes(deps: NotificationsDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/users/me/deletion',
      {
        onRequest: requireUser(deps),
        config: {
          errors: [...passwordRefusals, identityErrors.One_Time_Code_Invalid],
        },
        schema: {
          summary: 'Supprimer le compte',
          body: DeletionRequest,
          response: { 202: DeletionReceipt },
        },
      },
      async (request, reply) => {
        const requester = requesterOf(request);
        const { currentPassword } = request.body;
        const confirmedHash = await confirmPassword(deps, requester, currentPassword);
        const isOn = await hasSecondFactor(deps.database.sql, requester.userId);
        if (isOn) await confirmCode(deps, requester, request.body.otp);
        const receipt = await requestDeletion(deps, requester.userId, confirmedHash);
        if (!receipt) throw new ApiError(identityErrors.User_Not_Found);
        return reply.code(202).send({ receipt });
      },
    );

    app.get(
      '/accounts/deletions/:receipt',
      {
        config: { isPublic: true, errors: [httpErrors.Not_Found] },
        schema: {
          summary: "Où en est la suppression d'un compte",
          params: Type.Object({ receipt: OpaqueToken }),
          response: { 200: Deletion },
        },
      },
      async ({ params }) => {
        const deletion = await findDeletion(deps, params.receipt);
        if (!deletion) throw new ApiError(httpErrors.Not_Found);
        return deletion;
      },
    );
  };
}
