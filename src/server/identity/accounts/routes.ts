import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
  EmailConfirmation,
  ForgottenPassword,
  PasswordReset,
} from '../../../shared/contract/accounts.ts';
import { httpErrors } from '../../platform/http/api-error.ts';
import { Accepted, NoContent } from '../../platform/http/documentation.ts';
import type { IdentityDeps } from '../deps.ts';
import { identityErrors } from '../errors.ts';
import { attempt } from '../throttling/attempt.ts';
import { emailKey } from '../users/email-key.ts';
import { confirmEmail } from './confirmation.ts';
import { noteForgottenPassword } from './forgotten.ts';
import { resetPassword } from './passwords.ts';

/** What works without a session: each proves itself by a link that was mailed. */
export function accountRoutes(deps: IdentityDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/accounts/password/forgotten',
      {
        config: { isPublic: true, errors: [httpErrors.Too_Many_Requests] },
        schema: {
          summary: 'Recevoir un lien pour choisir un nouveau mot de passe',
          body: ForgottenPassword,
          response: { 202: Accepted },
        },
      },
      async ({ body: { email }, ip: address }, reply) => {
        const who = { account: emailKey(email), address };
        await attempt(deps, 'password-forgotten', who, () => noteForgottenPassword(deps, email));
        return reply.code(202).send(null);
      },
    );

    app.post(
      '/accounts/password/reset',
      {
        config: {
          isPublic: true,
          errors: [
            identityErrors.Link_Invalid,
            identityErrors.Account_Password_Invalid,
            httpErrors.Too_Many_Requests,
          ],
        },
        schema: {
          summary: 'Choisir un nouveau mot de passe avec le lien reçu',
          body: PasswordReset,
          response: { 204: NoContent },
        },
      },
      async ({ body, ip: address }, reply) => {
        await attempt(deps, 'password-reset', { address }, () => resetPassword(deps, body));
        return reply.code(204).send(null);
      },
    );

    app.post(
      '/accounts/email/confirmation',
      {
        config: {
          isPublic: true,
          errors: [identityErrors.Link_Invalid, identityErrors.Email_Already_Exists],
        },
        schema: {
          summary: 'Confirmer une adresse e-mail avec le lien reçu',
          body: EmailConfirmation,
          response: { 204: NoContent },
        },
      },
      async ({ body }, reply) => {
        await confirmEmail(deps, body.token);
        return reply.code(204).send(null);
      },
    );
  };
}
