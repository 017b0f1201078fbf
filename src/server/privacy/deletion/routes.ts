import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { Deletion, DeletionReceipt, DeletionRequest } from '../../../shared/contract/deletions.ts';
import { OpaqueToken } from '../../../shared/contract/texts.ts';
import { hasSecondFactor } from '../../identity/second-factor/checking.ts';
import { confirmCode } from '../../identity/second-factor/current-code.ts';
import { ownerOf, requireUser } from '../../identity/sessions/authentication.ts';
import { confirmPassword } from '../../identity/users/current-password.ts';
import type { NotificationsDeps } from '../../notifications/deps.ts';
import { Refusal } from '../../platform/http/api-error.ts';
import { findDeletion } from './queries.ts';
import { requestDeletion } from './requesting.ts';

export function deletionRoutes(parts: NotificationsDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/users/me/deletion',
      {
        onRequest: requireUser(parts),
        config: {
          refusals: ['Account_Password_Invalid', 'One_Time_Code_Invalid', 'Too_Many_Requests'],
        },
        schema: {
          summary: 'Supprimer le compte',
          body: DeletionRequest,
          response: { 202: DeletionReceipt },
        },
      },
      async (request, reply) => {
        const asker = { ownerId: ownerOf(request), address: request.ip };
        await confirmPassword(parts, asker, request.body.currentPassword);
        const isOn = await hasSecondFactor(parts, asker.ownerId);
        if (isOn) await confirmCode(parts, asker, request.body.otp);
        const receipt = await requestDeletion(parts, asker.ownerId);
        if (!receipt) throw new Refusal('User_Not_Found');
        return reply.code(202).send({ receipt });
      },
    );

    app.get(
      '/accounts/deletions/:receipt',
      {
        config: { isPublic: true, refusals: ['Not_Found'] },
        schema: {
          summary: "Où en est la suppression d'un compte",
          params: Type.Object({ receipt: OpaqueToken }),
          response: { 200: Deletion },
        },
      },
      async ({ params }) => {
        const deletion = await findDeletion(parts, params.receipt);
        if (!deletion) throw new Refusal('Not_Found');
        return deletion;
      },
    );
  };
}
