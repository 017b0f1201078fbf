import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ChatKindParameter } from '../../../../shared/contract/chats.ts';
import { MailboxAnswer, MailboxRequest } from '../../../../shared/contract/mailboxes.ts';
import { Messenger } from '../../../../shared/contract/messengers.ts';
import { OpaqueToken } from '../../../../shared/contract/texts.ts';
import { identityErrors } from '../../../identity/errors.ts';
import { requesterOf, requireUser } from '../../../identity/sessions/authentication.ts';
import { httpErrors } from '../../../platform/http/api-error.ts';
import { readRawBodies } from '../../../platform/http/bodies.ts';
import { Accepted, NoContent } from '../../../platform/http/documentation.ts';
import type { MailboxLinking } from '../../../providers/chats/port.ts';
import type { NotificationsDeps } from '../../deps.ts';
import { notificationErrors } from '../../errors.ts';
import { presentMessenger } from '../../messengers/presentation.ts';
import { confirmMailbox, refuseMailbox, resumeMailbox } from './answering.ts';
import { addMailbox } from './asking.ts';

const {
  Too_Many_Messengers,
  Too_Many_Destinations,
  Email_Not_Confirmed,
  Mailbox_Unsubscribed,
  Mailbox_Asked_Enough,
  Mailbox_Not_Linked,
} = notificationErrors;
const { Not_Found, Too_Many_Requests } = httpErrors;

/** An address is asked for by a user, and answered by its owner, who need not be one. */
export function mailboxRoutes(deps: NotificationsDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/messengers/chats/:kind/mailboxes',
      {
        onRequest: requireUser(deps),
        config: {
          errors: [
            ...[Not_Found, Too_Many_Requests, Too_Many_Messengers, Too_Many_Destinations],
            ...[Email_Not_Confirmed, Mailbox_Unsubscribed, Mailbox_Asked_Enough],
          ],
        },
        schema: {
          summary:
            'Recevoir les messages à son adresse, ou demander à une autre adresse si elle les veut',
          params: Type.Object({ kind: ChatKindParameter }),
          body: MailboxRequest,
          response: { 200: Messenger, 201: Messenger, 202: Accepted },
        },
      },
      async (request, reply) => {
        const { kind } = request.params;
        const added = await addMailbox(deps, requesterOf(request), kind, request.body);
        if (!added) return reply.code(202).send(null);
        return reply.code(added.isNew ? 201 : 200).send(presentMessenger(deps, added.row));
      },
    );

    app.post(
      '/messengers/mailboxes/confirmation',
      {
        config: { isPublic: true, errors: [identityErrors.Link_Invalid, Mailbox_Not_Linked] },
        schema: {
          summary: 'Accepter les messages à son adresse, avec le lien reçu',
          body: MailboxAnswer,
          response: { 204: NoContent },
        },
      },
      async ({ body }, reply) => {
        await confirmMailbox(deps, body.token);
        return reply.code(204).send(null);
      },
    );

    app.post(
      '/messengers/mailboxes/refusal',
      {
        config: { isPublic: true, errors: [identityErrors.Link_Invalid] },
        schema: {
          summary: 'Ne pas recevoir les messages, ou ne plus les recevoir, avec le lien reçu',
          body: MailboxAnswer,
          response: { 204: NoContent },
        },
      },
      async ({ body }, reply) => {
        await refuseMailbox(deps, body.token);
        return reply.code(204).send(null);
      },
    );

    app.post(
      '/messengers/mailboxes/resumption',
      {
        config: { isPublic: true, errors: [identityErrors.Link_Invalid] },
        schema: {
          summary: 'Recevoir de nouveau les messages après un désabonnement, avec le lien reçu',
          body: MailboxAnswer,
          response: { 204: NoContent },
        },
      },
      async ({ body }, reply) => {
        await resumeMailbox(deps, body.token);
        return reply.code(204).send(null);
      },
    );
  };
}

/** RFC 8058 §3.2: the body is `List-Unsubscribe=One-Click`, as a form. */
const maxFormBytes = 1024;

/** What the header of every mail names: mail programs post there; one that only looks changes nothing. */
export function oneClickRoutes(
  deps: NotificationsDeps,
  { unsubscription }: MailboxLinking,
): FastifyPluginAsyncTypebox {
  const path = `${unsubscription.path}/:token`;
  const params = Type.Object({ token: OpaqueToken });
  return async (app) => {
    readRawBodies(app, maxFormBytes);
    app.post(
      path,
      {
        config: {
          isPublic: true,
          rawBody: 'application/x-www-form-urlencoded',
          errors: [identityErrors.Link_Invalid],
        },
        schema: { summary: unsubscription.summary, params, response: { 200: Type.Object({}) } },
      },
      async ({ params: { token } }) => {
        await refuseMailbox(deps, token);
        return {};
      },
    );

    app.get(
      path,
      {
        config: { isPublic: true },
        schema: {
          summary: 'La page où se désabonner',
          params,
          response: { 303: NoContent },
        },
      },
      async ({ params: { token } }, reply) =>
        reply.redirect(`${deps.configuration.publicUrl}/desabonnement#jeton=${token}`, 303),
    );
  };
}
