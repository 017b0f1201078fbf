import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
  EmailConfirmation,
  ForgottenPassword,
  PasswordReset,
} from '../../../shared/contract/accounts.ts';
import { Noted, Nothing } from '../../platform/http/documentation.ts';
import type { IdentityDeps } from '../deps.ts';
import { attempt } from '../throttling/attempt.ts';
import { emailKey } from '../users/email-key.ts';
import { confirmEmail } from './confirmation.ts';
import { noteForgottenPassword } from './forgotten.ts';
import { resetPassword } from './passwords.ts';

/** What works without a session: each proves itself by a link that was mailed. */
export function accountRoutes(parts: IdentityDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/accounts/password/forgotten',
      {
        config: { isPublic: true, refusals: ['Too_Many_Requests'] },
        schema: {
          summary: 'Recevoir un lien pour choisir un nouveau mot de passe',
          body: ForgottenPassword,
          response: { 202: Noted },
        },
      },
      async ({ body: { email }, ip: address }, reply) => {
        const who = { account: emailKey(email), address };
        await attempt(parts, 'password-forgotten', who, () => noteForgottenPassword(parts, email));
        return reply.code(202).send(null);
      },
    );

    app.post(
      '/accounts/password/reset',
      {
        config: {
          isPublic: true,
          refusals: ['Link_Invalid', 'Account_Password_Invalid', 'Too_Many_Requests'],
        },
        schema: {
          summary: 'Choisir un nouveau mot de passe avec le lien reçu',
          body: PasswordReset,
          response: { 204: Nothing },
        },
      },
      async ({ body, ip: address }, reply) => {
        await attempt(parts, 'password-reset', { address }, () => resetPassword(parts, body));
        return reply.code(204).send(null);
      },
    );

    app.post(
      '/accounts/email/confirmation',
      {
        config: { isPublic: true, refusals: ['Link_Invalid', 'Email_Already_Exists'] },
        schema: {
          summary: 'Confirmer une adresse e-mail avec le lien reçu',
          body: EmailConfirmation,
          response: { 204: Nothing },
        },
      },
      async ({ body }, reply) => {
        await confirmEmail(parts, body.token);
        return reply.code(204).send(null);
      },
    );
  };
}
