import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { Messenger, MessengerChange, NewMessenger } from '../../../shared/contract/messengers.ts';
import { ownerOf, requireUser } from '../../identity/sessions/authentication.ts';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import { NoContent } from '../../platform/http/documentation.ts';
import type { NotificationsDeps } from '../deps.ts';
import { claimDestination } from '../destinations/claim.ts';
import { errorsOfChats, notificationErrors } from '../errors.ts';
import { changeMessenger, createMessenger, resumeMessenger } from './changes.ts';
import { presentMessenger } from './presentation.ts';
import { deleteMessenger } from './queries.ts';

const Parameters = Type.Object({ id: Type.String() });

export function messengerRoutes(deps: NotificationsDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireUser(deps));

    await app.register(creationRoute(deps));
    await app.register(changeRoutes(deps));
    await app.register(deletionRoute(deps));
  };
}

function creationRoute(deps: NotificationsDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/messengers',
      {
        config: {
          errors: errorsOfChats(deps, 'notConnected', 'linkInvalid', 'refused', 'unavailable'),
        },
        schema: {
          summary: 'Ajouter une notification',
          body: NewMessenger,
          response: { 200: Messenger, 201: Messenger },
        },
      },
      async (request, reply) => {
        const [ownerId, handle] = [ownerOf(request), request.body.slackBotToken ?? null];
        const claim = await claimDestination(deps, ownerId, handle);
        const { row, isNew } = await createMessenger(deps, ownerId, claim);
        return reply.code(isNew ? 201 : 200).send(presentMessenger(deps, row));
      },
    );
  };
}

function changeRoutes(deps: NotificationsDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.patch(
      '/messengers/:id',
      {
        config: {
          invalidBody: notificationErrors.Invalid_Messenger,
          errors: [
            notificationErrors.Invalid_Messenger,
            httpErrors.Not_Found,
            notificationErrors.Chat_Not_Configured,
            ...errorsOfChats(deps, 'notConnected', 'refused', 'unavailable'),
          ],
        },
        schema: {
          summary: 'Modifier une notification',
          params: Parameters,
          body: MessengerChange,
          response: { 200: Messenger },
        },
      },
      async (request) => {
        const { id } = request.params;
        const row = await changeMessenger(deps, ownerOf(request), id, request.body);
        return presentMessenger(deps, row);
      },
    );

    app.post(
      '/messengers/:id/resume',
      {
        config: {
          errors: [
            httpErrors.Not_Found,
            notificationErrors.Chat_Not_Configured,
            ...errorsOfChats(deps, 'notConnected'),
          ],
        },
        schema: {
          summary: "Reprendre les envois d'une notification en pause",
          params: Parameters,
          response: { 200: Messenger },
        },
      },
      async (request) => {
        const row = await resumeMessenger(deps, ownerOf(request), request.params.id);
        return presentMessenger(deps, row);
      },
    );
  };
}

function deletionRoute(deps: NotificationsDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.delete(
      '/messengers/:id',
      {
        config: { errors: [httpErrors.Not_Found] },
        schema: {
          summary: 'Supprimer une notification',
          params: Parameters,
          response: { 204: NoContent },
        },
      },
      async (request, reply) => {
        const isDeleted = await deleteMessenger(deps, ownerOf(request), request.params.id);
        if (!isDeleted) throw new ApiError(httpErrors.Not_Found);
        return reply.code(204).send(null);
      },
    );
  };
}
