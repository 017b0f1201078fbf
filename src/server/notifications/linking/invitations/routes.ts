import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ChatKindParameter } from '../../../../shared/contract/chats.ts';
import {
  Invitation,
  InvitationConfirmation,
  InvitationState,
} from '../../../../shared/contract/invitations.ts';
import { Messenger } from '../../../../shared/contract/messengers.ts';
import { requesterOf, requireUser, userIdOf } from '../../../identity/sessions/authentication.ts';
import { httpErrors } from '../../../platform/http/api-error.ts';
import type { NotificationsDeps } from '../../deps.ts';
import { errorsOfChats, notificationErrors } from '../../errors.ts';
import { presentMessenger } from '../../messengers/presentation.ts';
import { confirmInvitation, invite, readInvitation } from './inviting.ts';

const { Not_Found, Too_Many_Requests } = httpErrors;
const { Chat_Not_Configured, Too_Many_Messengers, Too_Many_Destinations } = notificationErrors;

const code = Type.String({ pattern: '^[A-Za-z0-9_-]{22}$' });
const OfCode = Type.Object({ kind: ChatKindParameter, code });

/** A chat where the person invites our bot, from the link to the answer that it was meant. */
export function invitationRoutes(deps: NotificationsDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireUser(deps));

    app.post(
      '/messengers/chats/:kind/invitations',
      {
        config: {
          errors: [Not_Found, Too_Many_Requests, ...errorsOfChats(deps, 'refused', 'unavailable')],
        },
        schema: {
          summary: 'Un lien qui invite le bot dans une conversation, valable dix minutes',
          params: Type.Object({ kind: ChatKindParameter }),
          response: { 201: Invitation },
        },
      },
      async (request, reply) => {
        const invitation = await invite(deps, requesterOf(request), request.params.kind);
        return reply.code(201).send(invitation);
      },
    );

    app.get(
      '/messengers/chats/:kind/invitations/:code',
      {
        schema: {
          summary: 'Ce que ce lien est devenu',
          params: OfCode,
          response: { 200: InvitationState },
        },
      },
      async (request) => {
        const { kind: chat, code } = request.params;
        return await readInvitation(deps, userIdOf(request), { chat, code });
      },
    );

    app.post(
      '/messengers/chats/:kind/invitations/:code/confirmation',
      {
        config: {
          errors: [
            ...[Not_Found, Chat_Not_Configured, Too_Many_Messengers, Too_Many_Destinations],
            ...errorsOfChats(deps, 'notConnected', 'linkInvalid'),
          ],
        },
        schema: {
          summary: 'Confirmer que la conversation où le lien a été ouvert est la bonne',
          params: OfCode,
          body: InvitationConfirmation,
          response: { 200: Messenger, 201: Messenger },
        },
      },
      async (request, reply) => {
        const { kind: chat, code } = request.params;
        const [actor, invited] = [requesterOf(request), { chat, code }];
        const { row, isNew } = await confirmInvitation(deps, actor, invited, request.body);
        return reply.code(isNew ? 201 : 200).send(presentMessenger(deps, row));
      },
    );
  };
}
