import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ChatKindParameter, LinkRequest, LinkTrial } from '../../../shared/contract/chats.ts';
import { Messenger } from '../../../shared/contract/messengers.ts';
import {
  type Requester,
  requesterOf,
  requireUser,
} from '../../identity/sessions/authentication.ts';
import { throttled } from '../../identity/throttling/throttling.ts';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import type {
  ChatKind,
  ChatProvider,
  FormLinking,
  LinkedTeam,
} from '../../providers/chats/port.ts';
import { faultsOfValues } from '../../providers/form-values.ts';
import type { NotificationsDeps } from '../deps.ts';
import { connectLink, reconnectMessenger } from '../destinations/connecting.ts';
import { chatErrorOf, errorsOfChats, messageFor, notificationErrors } from '../errors.ts';
import { createMessenger } from '../messengers/adding.ts';
import { presentMessenger } from '../messengers/presentation.ts';
import { type MessengerRow, requireMessenger } from '../messengers/queries.ts';

/** The forms by which people link a chat. */
export function formLinkingRoutes(deps: NotificationsDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireUser(deps));

    app.post(
      '/messengers/chats/:kind/link',
      {
        config: {
          errors: [
            httpErrors.Not_Found,
            httpErrors.Too_Many_Requests,
            notificationErrors.Invalid_Messenger,
            notificationErrors.Too_Many_Messengers,
            notificationErrors.Too_Many_Destinations,
            ...errorsOfChats(deps, 'linkInvalid', 'refused', 'unavailable'),
          ],
        },
        schema: {
          summary:
            "Relier une messagerie par ce que l'on y a copié, y envoyer un essai, et y ajouter une notification",
          params: Type.Object({ kind: ChatKindParameter }),
          body: LinkRequest,
          response: { 200: Messenger, 201: Messenger, 202: LinkTrial },
        },
      },
      async (request, reply) => {
        const { kind } = request.params;
        const linked = await linkChatByForm(deps, requesterOf(request), kind, request.body);
        if (!linked) return reply.code(202).send({ trial: 'accepted' });
        return reply.code(linked.isNew ? 201 : 200).send(presentMessenger(deps, linked.row));
      },
    );
  };
}

/**
 * Links a chat by the values of its form, after a trial message where the link leads to one channel.
 * Null when the chat only accepted that message: the person looks for it and says so with `seen`.
 * Throws `Not_Found` for a chat that has no such form or a messenger that is none of this chat,
 * `Invalid_Messenger` for values that do not look right, `Too_Many_Requests`, and the chat's errors.
 */
async function linkChatByForm(
  deps: NotificationsDeps,
  requester: Requester,
  kind: ChatKind,
  request: LinkRequest,
): Promise<{ row: MessengerRow; isNew: boolean } | null> {
  const chat = deps.chats.get(kind);
  const linking = formOf(chat, request.linking);
  if (!chat || !linking) throw new ApiError(httpErrors.Not_Found);
  const details = faultsOfValues(linking.fields, request.values);
  if (details.length > 0) throw new ApiError(notificationErrors.Invalid_Messenger, { details });
  const link = await throttled(deps, 'chat-link', requester, async () => {
    // As an answer of the API, so that a wrong address counts.
    const found = await linking.link(request.values).catch((error: unknown) => {
      throw chatErrorOf(deps, error) ?? error;
    });
    const mustSee = linking.unseen !== null;
    if (mustSee && request.seen === true) return found;
    const certainty = await tryOut(deps, chat, found);
    return mustSee && certainty === 'accepted' ? null : found;
  });
  if (!link) return null;
  const { messengerId } = request;
  if (messengerId === undefined) {
    const connected = await connectLink(deps, requester, kind, link);
    return await createMessenger(deps, requester, connected, { isByForm: true });
  }
  await reconnectMessenger(deps, requester, { chat: kind, messengerId }, link);
  return { row: await requireMessenger(deps, requester.userId, messengerId), isNew: false };
}

/** The form that is asked for; the first there is when none is named. */
function formOf(chat: ChatProvider | undefined, index?: number): FormLinking | undefined {
  return chat?.linkings.find(
    (linking, at): linking is FormLinking =>
      linking.way === 'address' && (index === undefined || index === at),
  );
}

/**
 * Posts one message where the link leads. A link to many channels was tried by asking for its team.
 * What answers nothing, what answers anything and what may not be called get one sentence: the chat's
 * `linkInvalid`.
 */
async function tryOut(
  { randomness }: Pick<NotificationsDeps, 'randomness'>,
  chat: ChatProvider,
  { secret, channel }: LinkedTeam,
): Promise<'shown' | 'accepted'> {
  if (!channel) return 'shown';
  const result = await chat.post(secret, {
    channelId: channel.id,
    text: 'Les messages de Tirelire arriveront ici.',
    clientMessageId: randomness.uuid(),
  });
  switch (result.end) {
    case 'posted':
      return result.certainty;
    case 'permanent':
      throw new ApiError(chat.errors.linkInvalid, messageFor(chat, result.code));
    case 'transient': {
      const { code, limitScope, retryAfterSeconds } = result;
      if (!limitScope) throw new ApiError(chat.errors.linkInvalid, messageFor(chat, code));
      throw new ApiError(chat.errors.unavailable, { retryAfter: retryAfterSeconds ?? undefined });
    }
    default:
      throw new ApiError(chat.errors.linkInvalid);
  }
}
