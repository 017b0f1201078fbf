import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { DeliveryPage, DeliveryQuery } from '../../../shared/contract/deliveries.ts';
import { TestMessage, TestOutcome } from '../../../shared/contract/messengers.ts';
import { ownerOf, requireUser } from '../../identity/sessions/authentication.ts';
import { attempt } from '../../identity/throttling/attempt.ts';
import { Refusal } from '../../platform/http/api-error.ts';
import type { NotificationsDeps } from '../deps.ts';
import { findMessenger } from '../messengers/queries.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { listDeliveries, presentDelivery } from './queries.ts';
import { sendTest } from './testing.ts';

const OfMessenger = Type.Object({ id: Type.String() });

export function deliveryRoutes(parts: NotificationsDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireUser(parts));

    app.post(
      '/messengers/slack/:id',
      {
        config: {
          invalidBody: 'Invalid_Messenger',
          refusals: [
            ...(['Not_Found', 'Invalid_Messenger', 'Too_Many_Requests'] as const),
            ...(['Delivery_Failed', 'Delivery_Unanswered'] as const),
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
        const [ownerId, draft] = [ownerOf(request), request.body ?? {}];
        await attempt(parts, 'test-message', { account: ownerId, address: request.ip }, () =>
          sendTest(parts, ownerId, request.params.id, draft, patienceMs),
        );
        return { outcome: 'delivered' as const };
      },
    );

    app.get(
      '/messengers/:id/deliveries',
      {
        config: { refusals: ['Not_Found'] },
        schema: {
          summary: "Les derniers envois d'une notification",
          params: OfMessenger,
          querystring: DeliveryQuery,
          response: { 200: DeliveryPage },
        },
      },
      (request) => pageOf(parts, ownerOf(request), request.params.id, request.query),
    );
  };
}

/** One row more than asked for tells whether another page follows. */
async function pageOf(
  parts: NotificationsDeps,
  ownerId: string,
  messengerId: string,
  { before, limit = 20 }: Static<typeof DeliveryQuery>,
): Promise<DeliveryPage> {
  if (!(await findMessenger(parts, ownerId, messengerId))) throw new Refusal('Not_Found');
  const rows = await listDeliveries(parts.database, ownerId, messengerId, {
    before: before ? readCursor(before) : null,
    count: limit + 1,
  });
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { deliveries: page.map(presentDelivery), next: last ? writeCursor(last) : null };
}

/** How long a person waits for the end of a test. */
const patienceMs = 10_000;
