import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { EmailChange, PasswordChange } from '../../../shared/contract/accounts.ts';
import { Noted, Nothing } from '../../platform/http/documentation.ts';
import type { IdentityDeps } from '../deps.ts';
import { ownerOf, profileOf, requireUser, tokenOf } from '../sessions/authentication.ts';
import { attempt } from '../throttling/attempt.ts';
import { confirmPassword } from '../users/current-password.ts';
import { sendConfirmationAgain } from './confirmation.ts';
import { askForEmail } from './email-change.ts';
import { changePassword } from './passwords.ts';

export function ownAccountRoutes(parts: IdentityDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireUser(parts));

    app.post(
      '/users/me/email/confirmation',
      {
        config: { refusals: ['Too_Many_Requests'] },
        schema: {
          summary: 'Recevoir de nouveau le lien de confirmation',
          response: { 202: Noted },
        },
      },
      async (request, reply) => {
        const account = ownerOf(request);
        await attempt(parts, 'email-confirmation', { account, address: request.ip }, () =>
          sendConfirmationAgain(parts, account),
        );
        return reply.code(202).send(null);
      },
    );

    app.put(
      '/users/me/email',
      {
        config: {
          refusals: ['Account_Password_Invalid', 'Email_Already_Exists', 'Too_Many_Requests'],
        },
        schema: {
          summary: "Changer d'adresse e-mail",
          body: EmailChange,
          response: { 202: Noted },
        },
      },
      async (request, reply) => {
        const who = { account: ownerOf(request), address: request.ip };
        const asker = { ownerId: who.account, address: who.address };
        const { email, currentPassword } = request.body;
        const confirmedHash = await confirmPassword(parts, asker, currentPassword);
        await attempt(parts, 'email-confirmation', who, () =>
          askForEmail(parts, profileOf(request), { email, confirmedHash }),
        );
        return reply.code(202).send(null);
      },
    );

    app.put(
      '/users/me/password',
      {
        config: { refusals: ['Account_Password_Invalid', 'Too_Many_Requests'] },
        schema: {
          summary: 'Changer de mot de passe',
          body: PasswordChange,
          response: { 204: Nothing },
        },
      },
      async (request, reply) => {
        const asker = { ownerId: ownerOf(request), address: request.ip };
        const { currentPassword, password } = request.body;
        const confirmedHash = await confirmPassword(parts, asker, currentPassword);
        const token = tokenOf(request);
        await changePassword(parts, asker.ownerId, { password, token, confirmedHash });
        return reply.code(204).send(null);
      },
    );
  };
}
