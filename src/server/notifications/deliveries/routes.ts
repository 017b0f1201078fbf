import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { DeliveryPage, DeliveryQuery } from '../../../shared/contract/deliveries.ts';
import { TestMessage, TestOutcome } from '../../../shared/contract/messengers.ts';
import { requesterOf, requireUser, userIdOf } from '../../identity/sessions/authentication.ts';
import { throttled } from '../../identity/throttling/throttling.ts';
import { httpErrors } from '../../platform/http/api-error.ts';
import { presentDelivery } from '../delivery-presentation.ts';
import type { NotificationsDeps } from '../deps.ts';
import { errorsOfChats, notificationErrors } from '../errors.ts';
import { ofOwnMessenger } from '../messengers/ownership.ts';
import { requireMessenger } from '../messengers/queries.ts';
import { listDeliveries, readCursor, writeCursor } from './queries.ts';
import { sendTest } from './test-messages.ts';

const OfMessenger = Type.Object({ id: Type.String() });

export function deliveryRoutes(deps: NotificationsDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireUser(deps));

    app.post(
      '/messengers/slack/:id',
      {
        ...ofOwnMessenger(deps),
        config: {
          invalidBody: notificationErrors.Invalid_Messenger,
          errors: [
            httpErrors.Not_Found,
            notificationErrors.Invalid_Messenger,
            httpErrors.Too_Many_Requests,
            notificationErrors.Delivery_Failed,
            notificationErrors.Delivery_Unanswered,
            ...errorsOfChats(deps, 'notConnected', 'refused', 'unavailable'),
          ],
        },
        schema: {
          summary: "Envoyer un message d'essai",
          params: OfMessenger,
          body: Type.Union([TestMessage, Type.Null()]),
          response: { 200: TestOutcome },
        },
      },
      async (request) => {
        const [requester, draft] = [requesterOf(request), request.body ?? {}];
        await throttled(deps, 'test-message', requester, () =>
          sendTest(deps, requester, request.params.id, draft, patienceMs),
        );
        return { outcome: 'delivered' as const };
      },
    );

    app.get(
      '/messengers/:id/deliveries',
      {
        config: { errors: [httpErrors.Not_Found] },
        schema: {
          summary: "Les derniers envois d'une notification",
          params: OfMessenger,
          querystring: DeliveryQuery,
          response: { 200: DeliveryPage },
        },
      },
      (request) => pageOf(deps, userIdOf(request), request.params.id, request.query),
    );
  };
}

/** One row more than asked for tells whether another page follows. */
async function pageOf(
  deps: NotificationsDeps,
  userId: string,
  messengerId: string,
  { before, limit = 20 }: Static<typeof DeliveryQuery>,
): Promise<DeliveryPage> {
  const messenger = await requireMessenger(deps, userId, messengerId);
  const rows = await listDeliveries(deps.database, userId, messengerId, {
    before: before ? readCursor(before) : null,
    count: limit + 1,
  });
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  const chat = deps.chats.get(messenger.chat);
  return {
    deliveries: page.map((row) => presentDelivery(chat, row)),
    next: last ? writeCursor(last) : null,
  };
}

/** How long a person waits for the end of a test. */
const patienceMs = 10_000;
