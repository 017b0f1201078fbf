import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { Alert, AlertList, AlertRule } from '../../../shared/contract/alerts.ts';
import { requesterOf, requireUser, userIdOf } from '../../identity/sessions/authentication.ts';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import { NoContent } from '../../platform/http/documentation.ts';
import type { NotificationsDeps } from '../deps.ts';
import { notificationErrors } from '../errors.ts';
import { ofOwnMessenger } from '../messengers/ownership.ts';
import { addAlert, changeAlert, deleteAlert, readAlerts } from './changes.ts';

const ofMessenger = Type.Object({ id: Type.String() });
const ofAlert = Type.Object({ id: Type.String(), alert: Type.String() });

const { Not_Found } = httpErrors;
const { Invalid_Alert, Alert_Exists, Too_Many_Alerts } = notificationErrors;

/** What a notification tells of between two daily messages. */
export function alertRoutes(deps: NotificationsDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireUser(deps));

    app.get(
      '/messengers/:id/alerts',
      {
        config: { errors: [Not_Found] },
        schema: {
          summary: "Les alertes d'une notification, et ce qu'elles peuvent surveiller",
          params: ofMessenger,
          response: { 200: AlertList },
        },
      },
      async (request) => {
        const list = await readAlerts(deps, userIdOf(request), request.params.id);
        if (!list) throw new ApiError(Not_Found);
        return list;
      },
    );

    app.post(
      '/messengers/:id/alerts',
      {
        ...ofOwnMessenger(deps),
        config: {
          invalidBody: Invalid_Alert,
          errors: [Not_Found, Invalid_Alert, Alert_Exists, Too_Many_Alerts],
        },
        schema: {
          summary: 'Ajouter une alerte',
          params: ofMessenger,
          body: AlertRule,
          response: { 201: Alert },
        },
      },
      async (request, reply) => {
        const alert = await addAlert(deps, requesterOf(request), request.params.id, request.body);
        return reply.code(201).send(alert);
      },
    );

    app.patch(
      '/messengers/:id/alerts/:alert',
      {
        ...ofOwnMessenger(deps),
        config: { invalidBody: Invalid_Alert, errors: [Not_Found, Invalid_Alert, Alert_Exists] },
        schema: {
          summary: 'Modifier une alerte',
          params: ofAlert,
          body: AlertRule,
          response: { 200: Alert },
        },
      },
      (request) => {
        const { id, alert } = request.params;
        return changeAlert(deps, requesterOf(request), id, alert, request.body);
      },
    );

    app.delete(
      '/messengers/:id/alerts/:alert',
      {
        config: { errors: [Not_Found] },
        schema: { summary: 'Supprimer une alerte', params: ofAlert, response: { 204: NoContent } },
      },
      async (request, reply) => {
        const { id, alert } = request.params;
        const isDeleted = await deleteAlert(deps, requesterOf(request), id, alert);
        if (!isDeleted) throw new ApiError(Not_Found);
        return reply.code(204).send(null);
      },
    );
  };
}
