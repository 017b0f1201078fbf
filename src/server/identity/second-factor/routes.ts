import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
  RecoveryCodes,
  SecondFactorConfirmation,
  SecondFactorProof,
  SecondFactorSecret,
  SecondFactorStart,
} from '../../../shared/contract/accounts.ts';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import { NoContent } from '../../platform/http/documentation.ts';
import type { IdentityDeps } from '../deps.ts';
import { identityErrors, passwordRefusals } from '../errors.ts';
import { profileOf, type Requester, requesterOf, requireUser } from '../sessions/authentication.ts';
import { confirmPassword } from '../users/current-password.ts';
import { confirmCode, hasSecondFactor } from './codes.ts';
import {
  beginEnrolment,
  confirmEnrolment,
  removeSecondFactor,
  renewRecoveryCodes,
} from './enrolment.ts';

export function secondFactorRoutes(deps: IdentityDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireUser(deps));

    app.post(
      '/users/me/second-factor',
      {
        config: {
          errors: [...passwordRefusals, identityErrors.Second_Factor_Already_On],
        },
        schema: {
          summary: 'Préparer la validation en deux étapes',
          body: SecondFactorStart,
          response: { 200: SecondFactorSecret },
        },
      },
      async (request) => {
        const requester = requesterOf(request);
        await confirmPassword(deps, requester, request.body.currentPassword);
        return beginEnrolment(deps, profileOf(request));
      },
    );

    app.post(
      '/users/me/second-factor/confirmation',
      {
        config: {
          errors: [
            identityErrors.One_Time_Code_Invalid,
            identityErrors.Second_Factor_Off,
            identityErrors.Second_Factor_Begun_Anew,
            identityErrors.Second_Factor_Already_On,
            httpErrors.Too_Many_Requests,
          ],
        },
        schema: {
          summary: 'Activer la validation en deux étapes',
          body: SecondFactorConfirmation,
          response: { 200: RecoveryCodes },
        },
      },
      async (request) => {
        const requester = requesterOf(request);
        return { recoveryCodes: await confirmEnrolment(deps, requester, request.body) };
      },
    );

    app.post(
      '/users/me/second-factor/recovery-codes',
      {
        config: { errors: proofRefusals },
        schema: {
          summary: 'Recevoir de nouveaux codes de secours',
          body: SecondFactorProof,
          response: { 200: RecoveryCodes },
        },
      },
      async (request) => {
        const requester = requesterOf(request);
        const confirmedHash = await confirmBoth(deps, requester, request.body);
        const codes = await renewRecoveryCodes(deps, requester.userId, confirmedHash);
        return { recoveryCodes: codes };
      },
    );

    app.post(
      '/users/me/second-factor/removal',
      {
        config: { errors: proofRefusals },
        schema: {
          summary: 'Désactiver la validation en deux étapes',
          body: SecondFactorProof,
          response: { 204: NoContent },
        },
      },
      async (request, reply) => {
        const requester = requesterOf(request);
        const confirmedHash = await confirmBoth(deps, requester, request.body);
        await removeSecondFactor(deps, requester.userId, confirmedHash);
        return reply.code(204).send(null);
      },
    );
  };
}

const proofRefusals = [
  ...passwordRefusals,
  identityErrors.One_Time_Code_Invalid,
  identityErrors.Second_Factor_Off,
];

/** The password and a code of the second factor that is on. Returns the hash that was confirmed. */
async function confirmBoth(
  deps: IdentityDeps,
  requester: Requester,
  { currentPassword, otp }: SecondFactorProof,
): Promise<string> {
  const confirmedHash = await confirmPassword(deps, requester, currentPassword);
  if (!(await hasSecondFactor(deps.database.sql, requester.userId)))
    throw new ApiError(identityErrors.Second_Factor_Off);
  await confirmCode(deps, requester, otp);
  return confirmedHash;
}
