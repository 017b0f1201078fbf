import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
  RecoveryCodes,
  SecondFactorConfirmation,
  SecondFactorRemoval,
  SecondFactorSecret,
  SecondFactorStart,
} from '../../../shared/contract/accounts.ts';
import { Refusal } from '../../platform/http/api-error.ts';
import { Nothing } from '../../platform/http/documentation.ts';
import type { IdentityDeps } from '../deps.ts';
import { ownerOf, profileOf, requireUser } from '../sessions/authentication.ts';
import { confirmPassword } from '../users/current-password.ts';
import { hasSecondFactor } from './checking.ts';
import { confirmCode } from './current-code.ts';
import { beginEnrolment, confirmEnrolment } from './enrolment.ts';
import { removeSecondFactor } from './removal.ts';

export function secondFactorRoutes(parts: IdentityDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireUser(parts));

    app.post(
      '/users/me/second-factor',
      {
        config: {
          refusals: ['Account_Password_Invalid', 'Second_Factor_Already_On', 'Too_Many_Requests'],
        },
        schema: {
          summary: 'Préparer la validation en deux étapes',
          body: SecondFactorStart,
          response: { 200: SecondFactorSecret },
        },
      },
      async (request) => {
        const asker = { ownerId: ownerOf(request), address: request.ip };
        await confirmPassword(parts, asker, request.body.currentPassword);
        return beginEnrolment(parts, profileOf(request));
      },
    );

    app.post(
      '/users/me/second-factor/confirmation',
      {
        config: {
          refusals: [
            'One_Time_Code_Invalid',
            'Second_Factor_Off',
            'Second_Factor_Already_On',
            'Too_Many_Requests',
          ],
        },
        schema: {
          summary: 'Activer la validation en deux étapes',
          body: SecondFactorConfirmation,
          response: { 200: RecoveryCodes },
        },
      },
      async (request) => {
        const asker = { ownerId: ownerOf(request), address: request.ip };
        return { recoveryCodes: await confirmEnrolment(parts, asker, request.body.otp) };
      },
    );

    app.post(
      '/users/me/second-factor/removal',
      {
        config: {
          refusals: [
            'Account_Password_Invalid',
            'One_Time_Code_Invalid',
            'Second_Factor_Off',
            'Too_Many_Requests',
          ],
        },
        schema: {
          summary: 'Désactiver la validation en deux étapes',
          body: SecondFactorRemoval,
          response: { 204: Nothing },
        },
      },
      async (request, reply) => {
        const asker = { ownerId: ownerOf(request), address: request.ip };
        await confirmPassword(parts, asker, request.body.currentPassword);
        if (!(await hasSecondFactor(parts, asker.ownerId))) throw new Refusal('Second_Factor_Off');
        await confirmCode(parts, asker, request.body.otp);
        await removeSecondFactor(parts, asker.ownerId);
        return reply.code(204).send(null);
      },
    );
  };
}
