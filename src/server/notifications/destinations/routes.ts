import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { Channel, ChannelQuery } from '../../../shared/contract/messengers.ts';
import { requireUser, userIdOf } from '../../identity/sessions/authentication.ts';
import { httpErrors } from '../../platform/http/api-error.ts';
import { type SignedCall, signedRoute } from '../../platform/http/signed-route.ts';
import type { ChatKind, ChatProvider, ListedChannels } from '../../providers/chats/port.ts';
import type { NotificationsDeps } from '../deps.ts';
import { ChannelCache, listChannels } from './channels.ts';
import { disconnectTeam } from './removal.ts';

/** The events and the channels of each chat. */
export function destinationRoutes(deps: NotificationsDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    const cache = new ChannelCache(deps.clock);
    for (const [kind, chat] of deps.chats) {
      if (chat.events) await app.register(eventRoute(deps, kind, chat.events));
      if (chat.channels === 'listed') await app.register(channelRoute(deps, cache, kind, chat));
    }
  };
}

/** Events are a few kilobytes. */
const maxEventBytes = 256 * 1024;

/** A chat sends the challenge of its set-up back to be read; nothing else is answered. */
const Taken = Type.Object({ challenge: Type.Optional(Type.String()) });

/** A chat repeats an event that is not answered in a few seconds: doing it twice changes nothing. */
function eventRoute(
  deps: NotificationsDeps,
  kind: ChatKind,
  { path, summary, read }: NonNullable<ChatProvider['events']>,
) {
  const route = {
    ...{ path, summary, contentType: 'application/json', maxBytes: maxEventBytes, response: Taken },
    read: (call: SignedCall) => read(call, deps.clock.now()),
  };
  return signedRoute(route, async (event) => {
    if (event.kind === 'handshake') return { challenge: event.challenge };
    if (event.kind === 'removal') await disconnectTeam(deps, kind, event);
    return {};
  });
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
        const asked = { userId: userIdOf(request), kind, messengerId, refresh: refresh === '1' };
        const list = await listChannels(deps, cache, chat, asked);
        reply.header(completeHeader, String(list.complete));
        return list.channels;
      },
    );
  };
}
