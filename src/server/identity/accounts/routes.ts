import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
  EmailChange,
  EmailChangeAnswer,
  EmailConfirmation,
  ForgottenPassword,
  PasswordChange,
  PasswordReset,
} from '../../../shared/contract/accounts.ts';
import { httpErrors } from '../../platform/http/api-error.ts';
import { Accepted, NoContent } from '../../platform/http/documentation.ts';
import { emailKey } from '../../platform/mail/email-key.ts';
import type { IdentityDeps } from '../deps.ts';
import { identityErrors, passwordRefusals } from '../errors.ts';
import {
  findOwner,
  profileOf,
  requesterOf,
  requireUser,
  tokenOf,
} from '../sessions/authentication.ts';
import { throttled } from '../throttling/throttling.ts';
import { confirmPassword } from '../users/current-password.ts';
import { mailboxKey } from '../users/queries.ts';
import {
  cancelEmailChange,
  confirmEmail,
  requestEmailChange,
  sendConfirmationAgain,
} from './email.ts';
import { changePassword, requestResetLink, resetPassword } from './passwords.ts';

/** Routes without a session: one to request a one-time link, two to use one. */
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
      async ({ body: { email }, ip }, reply) => {
        const key = { mailbox: mailboxKey(email), ip };
        await throttled(deps, 'password-forgotten', key, () => requestResetLink(deps, email));
        return reply.code(202).send(null);
      },
    );

    app.post(
      '/accounts/password/reset',
      {
        config: {
          isPublic: true,
          errors: [identityErrors.Link_Invalid, ...passwordRefusals],
        },
        schema: {
          summary: 'Choisir un nouveau mot de passe avec le lien reçu',
          body: PasswordReset,
          response: { 204: NoContent },
        },
      },
      async ({ body, ip }, reply) => {
        await throttled(deps, 'password-reset', { ip }, () => resetPassword(deps, body));
        return reply.code(204).send(null);
      },
    );

    app.post(
      '/accounts/email/confirmation',
      {
        config: {
          isPublic: true,
          errors: [
            identityErrors.Link_Invalid,
            identityErrors.Account_Proof_Required,
            identityErrors.Email_Already_Exists,
            ...passwordRefusals,
          ],
        },
        schema: {
          summary: 'Confirmer une adresse email avec le lien reçu',
          body: EmailConfirmation,
          response: { 204: NoContent },
        },
      },
      async (request, reply) => {
        const signedIn = await findOwner(deps, request);
        await confirmEmail(deps, request.body, { signedIn, ip: request.ip });
        return reply.code(204).send(null);
      },
    );
  };
}

export function ownAccountRoutes(deps: IdentityDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireUser(deps));

    app.post(
      '/users/me/email/confirmation',
      {
        config: { errors: [httpErrors.Too_Many_Requests] },
        schema: {
          summary: 'Recevoir de nouveau le lien de confirmation',
          response: { 202: Accepted },
        },
      },
      async (request, reply) => {
        const requester = requesterOf(request);
        await throttled(deps, 'email-confirmation', requester, () =>
          sendConfirmationAgain(deps, requester),
        );
        return reply.code(202).send(null);
      },
    );

    app.put(
      '/users/me/email',
      {
        config: {
          errors: [...passwordRefusals, identityErrors.Email_Already_Exists],
        },
        schema: {
          summary: "Changer d'adresse email",
          body: EmailChange,
          response: { 202: EmailChangeAnswer },
        },
      },
      async (request, reply) => {
        const requester = requesterOf(request);
        const { email, currentPassword } = request.body;
        const confirmedHash = await confirmPassword(deps, requester, currentPassword);
        const user = profileOf(request);
        const mailed = emailKey(email) !== emailKey(user.email);
        if (mailed)
          await throttled(deps, 'email-confirmation', requester, () =>
            requestEmailChange(deps, user, { email, confirmedHash, ip: requester.ip }),
          );
        else await cancelEmailChange(deps, user, confirmedHash);
        return reply.code(202).send({ mailed });
      },
    );

    app.put(
      '/users/me/password',
      {
        config: { errors: passwordRefusals },
        schema: {
          summary: 'Changer de mot de passe',
          body: PasswordChange,
          response: { 204: NoContent },
        },
      },
      async (request, reply) => {
        const requester = requesterOf(request);
        const { currentPassword, password } = request.body;
        const confirmedHash = await confirmPassword(deps, requester, currentPassword);
        const token = tokenOf(request);
        await changePassword(deps, requester, { password, token, confirmedHash });
        return reply.code(204).send(null);
      },
    );
  };
}
