import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import {
  Messenger,
  MessengerChange,
  MessengerCopy,
  NewMessenger,
} from '../../../shared/contract/messengers.ts';
import { requesterOf, requireUser, userIdOf } from '../../identity/sessions/authentication.ts';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import { NoContent } from '../../platform/http/documentation.ts';
import type { NotificationsDeps } from '../deps.ts';
import { resolveDestination } from '../destinations/connecting.ts';
import { errorsOfChats, notificationErrors } from '../errors.ts';
import { createMessenger } from './adding.ts';
import { changeMessenger, resumeMessenger } from './changes.ts';
import { copyMessenger } from './copying.ts';
import { ofOwnMessenger } from './ownership.ts';
import { presentMessenger } from './presentation.ts';
import { deleteMessenger } from './queries.ts';

const params = Type.Object({ id: Type.String() });

const { Not_Found } = httpErrors;
const { Invalid_Messenger, Chat_Not_Configured, Too_Many_Messengers, Too_Many_Destinations } =
  notificationErrors;

export function messengerRoutes(deps: NotificationsDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireUser(deps));

    app.post(
      '/messengers',
      {
        config: {
          errors: [
            Too_Many_Messengers,
            Too_Many_Destinations,
            ...errorsOfChats(deps, 'notConnected', 'linkInvalid', 'refused', 'unavailable'),
          ],
        },
        schema: {
          summary: 'Ajouter une notification',
          body: NewMessenger,
          response: { 200: Messenger, 201: Messenger },
        },
      },
      async (request, reply) => {
        const [actor, handle] = [requesterOf(request), request.body.slackBotToken ?? null];
        const connected = await resolveDestination(deps, actor, handle);
        const { row, isNew } = await createMessenger(deps, actor, connected);
        return reply.code(isNew ? 201 : 200).send(presentMessenger(deps, row));
      },
    );

    const ofChange = errorsOfChats(deps, 'notConnected', 'refused', 'unavailable');
    app.patch(
      '/messengers/:id',
      {
        ...ofOwnMessenger(deps),
        config: {
          invalidBody: Invalid_Messenger,
          errors: [Invalid_Messenger, Not_Found, Chat_Not_Configured, ...ofChange],
        },
        schema: {
          summary: 'Modifier une notification',
          params,
          body: MessengerChange,
          response: { 200: Messenger },
        },
      },
      async (request) => {
        const { id } = request.params;
        const row = await changeMessenger(deps, requesterOf(request), id, request.body);
        return presentMessenger(deps, row);
      },
    );

    const ofResume = errorsOfChats(deps, 'notConnected');
    app.post(
      '/messengers/:id/resume',
      {
        config: { errors: [Not_Found, Chat_Not_Configured, ...ofResume] },
        schema: {
          summary: "Reprendre les envois d'une notification en pause",
          params,
          response: { 200: Messenger },
        },
      },
      async (request) => {
        const row = await resumeMessenger(deps, requesterOf(request), request.params.id);
        return presentMessenger(deps, row);
      },
    );

    app.post(
      '/messengers/:id/copies',
      {
        ...ofOwnMessenger(deps),
        config: {
          errors: [
            ...[Not_Found, notificationErrors.Too_Many_Messengers],
            ...errorsOfChats(deps, 'notConnected', 'linkInvalid', 'refused', 'unavailable'),
          ],
        },
        schema: {
          summary: 'Copier une notification dans une autre destination',
          params,
          body: MessengerCopy,
          response: { 201: Messenger },
        },
      },
      async (request, reply) => {
        const [actor, { slackBotToken }] = [requesterOf(request), request.body];
        const row = await copyMessenger(deps, actor, request.params.id, slackBotToken);
        return reply.code(201).send(presentMessenger(deps, row));
      },
    );

    app.delete(
      '/messengers/:id',
      {
        config: { errors: [Not_Found] },
        schema: { summary: 'Supprimer une notification', params, response: { 204: NoContent } },
      },
      async (request, reply) => {
        const isDeleted = await deleteMessenger(deps, userIdOf(request), request.params.id);
        if (!isDeleted) throw new ApiError(Not_Found);
        return reply.code(204).send(null);
      },
    );
  };
}
