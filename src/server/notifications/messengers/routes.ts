import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { Messenger, MessengerChange, NewMessenger } from '../../../shared/contract/messengers.ts';
import { ownerOf, requireUser } from '../../identity/sessions/authentication.ts';
import { Refusal } from '../../platform/http/api-error.ts';
import { Nothing } from '../../platform/http/documentation.ts';
import type { NotificationsDeps } from '../deps.ts';
import { changeMessenger, resumeMessenger } from './changes.ts';
import { createMessenger } from './creation.ts';
import { presentMessenger } from './presentation.ts';
import { deleteMessenger } from './queries.ts';

const Parameters = Type.Object({ id: Type.String() });

export function messengerRoutes(parts: NotificationsDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireUser(parts));

    await app.register(creationRoute(parts));
    await app.register(changeRoutes(parts));
    await app.register(deletionRoute(parts));
  };
}

function creationRoute(parts: NotificationsDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/messengers',
      {
        config: {
          refusals: [
            'Slack_Not_Connected',
            'Slack_Handle_Invalid',
            'Slack_Refused',
            'Slack_Unavailable',
          ],
        },
        schema: {
          summary: 'Ajouter une notification',
          body: NewMessenger,
          response: { 200: Messenger, 201: Messenger },
        },
      },
      async (request, reply) => {
        const handle = request.body.slackBotToken ?? null;
        const { row, isNew } = await createMessenger(parts, ownerOf(request), handle);
        return reply.code(isNew ? 201 : 200).send(presentMessenger(row, parts.clock.now()));
      },
    );
  };
}

function changeRoutes(parts: NotificationsDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.patch(
      '/messengers/:id',
      {
        config: {
          invalidBody: 'Invalid_Messenger',
          refusals: [
            'Invalid_Messenger',
            'Not_Found',
            'Slack_Not_Connected',
            'Slack_Refused',
            'Slack_Unavailable',
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
        const row = await changeMessenger(parts, ownerOf(request), id, request.body);
        return presentMessenger(row, parts.clock.now());
      },
    );

    app.post(
      '/messengers/:id/resume',
      {
        config: { refusals: ['Not_Found', 'Slack_Not_Connected'] },
        schema: {
          summary: "Reprendre les envois d'une notification en pause",
          params: Parameters,
          response: { 200: Messenger },
        },
      },
      async (request) => {
        const row = await resumeMessenger(parts, ownerOf(request), request.params.id);
        return presentMessenger(row, parts.clock.now());
      },
    );
  };
}

function deletionRoute(parts: NotificationsDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.delete(
      '/messengers/:id',
      {
        config: { refusals: ['Not_Found'] },
        schema: {
          summary: 'Supprimer une notification',
          params: Parameters,
          response: { 204: Nothing },
        },
      },
      async (request, reply) => {
        const isDeleted = await deleteMessenger(parts, ownerOf(request), request.params.id);
        if (!isDeleted) throw new Refusal('Not_Found');
        return reply.code(204).send(null);
      },
    );
  };
}
