import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { Messenger, MessengerChange, NewMessenger } from '../../../shared/contract/messengers.ts';
import { ownerOf, requireUser } from '../../identity/sessions/authentication.ts';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import { NoContent } from '../../platform/http/documentation.ts';
import type { NotificationsDeps } from '../deps.ts';
import { claimWorkspace } from '../destinations/claim.ts';
import { notificationErrors } from '../errors.ts';
import { changeMessenger, resumeMessenger } from './changes.ts';
import { presentMessenger } from './presentation.ts';
import {
  deleteMessenger,
  findMessenger,
  insertFirstMessenger,
  insertMessenger,
  type MessengerRow,
} from './queries.ts';

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
          errors: [
            notificationErrors.Slack_Not_Connected,
            notificationErrors.Slack_Handle_Invalid,
            notificationErrors.Slack_Refused,
            notificationErrors.Slack_Unavailable,
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
        const { row, isNew } = await createMessenger(deps, ownerOf(request), handle);
        return reply.code(isNew ? 201 : 200).send(presentMessenger(row, deps.clock.now()));
      },
    );
  };
}

/**
 * Adds a messenger in the workspace that the handle stands for. A workspace that was authorised just
 * now gets one only if it has none: a repeated request, or a renewed authorisation, adds nothing.
 */
async function createMessenger(
  deps: NotificationsDeps,
  ownerId: string,
  slackBotToken: string | null,
): Promise<{ row: MessengerRow; isNew: boolean }> {
  const { workspace, isArrival } = await claimWorkspace(deps, ownerId, slackBotToken);
  const { id, isNew } = isArrival
    ? await insertFirstMessenger(deps, ownerId, workspace.id)
    : { id: await insertMessenger(deps, deps.database.sql, ownerId, workspace.id), isNew: true };
  const row = await findMessenger(deps, ownerId, id);
  if (!row) throw new ApiError(httpErrors.Not_Found);
  return { row, isNew };
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
            notificationErrors.Slack_Not_Connected,
            notificationErrors.Slack_Refused,
            notificationErrors.Slack_Unavailable,
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
        return presentMessenger(row, deps.clock.now());
      },
    );

    app.post(
      '/messengers/:id/resume',
      {
        config: { errors: [httpErrors.Not_Found, notificationErrors.Slack_Not_Connected] },
        schema: {
          summary: "Reprendre les envois d'une notification en pause",
          params: Parameters,
          response: { 200: Messenger },
        },
      },
      async (request) => {
        const row = await resumeMessenger(deps, ownerOf(request), request.params.id);
        return presentMessenger(row, deps.clock.now());
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
