import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ChatOffer, LinkRequest } from '../../../shared/contract/chats.ts';
import {
  Channel,
  ChannelQuery,
  Messenger,
  Redirection,
} from '../../../shared/contract/messengers.ts';
import { ownerOf, requireUser } from '../../identity/sessions/authentication.ts';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import { bytesOf, readRawBodies } from '../../platform/http/bodies.ts';
import type { ChatKind, ChatProvider, ListedChannels } from '../../providers/chats/port.ts';
import type { NotificationsDeps } from '../deps.ts';
import { errorsOfChats, notificationErrors } from '../errors.ts';
import { createMessenger } from '../messengers/changes.ts';
import { presentMessenger } from '../messengers/presentation.ts';
import { createState } from './authorization.ts';
import { type Consenting, callbackRoute, callbackUrl } from './callback.ts';
import { type ChannelCache, createChannelCache, listChannels } from './channels.ts';
import { linkByAddress, offersOf } from './linking.ts';
import { disconnectTeam } from './removal.ts';

/** What each chat declares, and the calls that are the same for all. */
export function destinationRoutes(deps: NotificationsDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    const cache = createChannelCache(deps.clock);
    for (const [kind, chat] of deps.chats) {
      for (const linking of chat.linkings) {
        if (linking.way !== 'consent') continue;
        await app.register(callbackRoute(deps, { kind, chat, linking }));
        await app.register(connectRoute(deps, { kind, chat, linking }));
      }
      if (chat.notices) await app.register(noticeRoute(deps, kind, chat.notices));
      if (chat.channels === 'listed') await app.register(channelRoute(deps, cache, kind, chat));
    }
    await app.register(linkingRoutes(deps));
  };
}

function connectRoute(
  deps: NotificationsDeps,
  { kind, linking }: Consenting,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      linking.connect.path,
      {
        onRequest: requireUser(deps),
        schema: { summary: linking.connect.summary, response: { 200: Redirection } },
      },
      async (request) => {
        const state = await createState(deps, ownerOf(request), kind);
        const redirectUri = callbackUrl(deps, linking);
        return { redirect_url: linking.authorizeUrl({ redirectUri, state }) };
      },
    );
  };
}

/** Notices are a few kilobytes. */
const maxNoticeBytes = 256 * 1024;

/** A chat sends the challenge of its set-up back to be read; nothing else is answered. */
const Taken = Type.Object({ challenge: Type.Optional(Type.String()) });

/** A chat repeats a notice that is not answered in a few seconds: doing it twice changes nothing. */
function noticeRoute(
  deps: NotificationsDeps,
  kind: ChatKind,
  notices: NonNullable<ChatProvider['notices']>,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    readRawBodies(app, maxNoticeBytes);
    app.post(
      notices.path,
      {
        config: {
          isPublic: true,
          errors: [httpErrors.Signature_Invalid, httpErrors.Payload_Too_Large],
        },
        schema: { summary: notices.summary, response: { 200: Taken } },
      },
      async ({ headers, body }) => {
        const notice = notices.read({ headers, body: bytesOf(body) }, deps.clock.now());
        if (!notice) throw new ApiError(httpErrors.Signature_Invalid);
        if (notice.kind === 'handshake') return { challenge: notice.challenge };
        if (notice.kind === 'removal') await disconnectTeam(deps, kind, notice);
        return {};
      },
    );
  };
}

const completeHeader = 'x-channels-complete';

function channelRoute(
  deps: NotificationsDeps,
  cache: ChannelCache,
  kind: ChatKind,
  chat: ChatProvider & ListedChannels,
): FastifyPluginAsyncTypebox {
  const { notConnected, refused, unavailable } = chat.errors;
  const Channels = Type.Array(Channel, {
    headers: {
      [completeHeader]: {
        type: 'string',
        enum: ['true', 'false'],
        description: `\`false\`\u202f: la liste est incomplète, ${chat.name} n'a pas tout donné.`,
      },
    },
  });
  return async (app) => {
    app.get(
      chat.channelsPath,
      {
        onRequest: requireUser(deps),
        config: { errors: [httpErrors.Not_Found, notConnected, refused, unavailable] },
        schema: {
          summary: 'Les channels que notre bot peut atteindre',
          querystring: ChannelQuery,
          response: { 200: Channels },
        },
      },
      async (request, reply) => {
        const { messengerId, refresh } = request.query;
        const asked = { ownerId: ownerOf(request), kind, messengerId, refresh: refresh === '1' };
        const list = await listChannels(deps, cache, chat, asked);
        reply.header(completeHeader, String(list.complete));
        return list.channels;
      },
    );
  };
}

function linkingRoutes(deps: NotificationsDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireUser(deps));

    app.get(
      '/messengers/chats',
      {
        schema: {
          summary: 'Les messageries proposées, et comment relier chacune',
          response: { 200: Type.Array(ChatOffer) },
        },
      },
      async () => offersOf(deps),
    );

    app.post(
      '/messengers/chats/:kind/link',
      {
        config: {
          errors: [
            httpErrors.Not_Found,
            notificationErrors.Invalid_Messenger,
            ...errorsOfChats(deps, 'linkInvalid', 'refused', 'unavailable'),
          ],
        },
        schema: {
          summary: "Relier une messagerie par ce que l'on y a copié, et y ajouter une notification",
          params: Type.Object({ kind: Type.String({ pattern: '^[a-z]{1,32}$' }) }),
          body: LinkRequest,
          response: { 200: Messenger, 201: Messenger },
        },
      },
      async (request, reply) => {
        const [ownerId, { kind }] = [ownerOf(request), request.params];
        const claim = await linkByAddress(deps, ownerId, kind, request.body.values);
        const { row, isNew } = await createMessenger(deps, ownerId, claim);
        return reply.code(isNew ? 201 : 200).send(presentMessenger(deps, row));
      },
    );
  };
}
