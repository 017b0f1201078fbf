import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ChatOffer, LinkRequest } from '../../../shared/contract/chats.ts';
import { Channel, ChannelQuery, Messenger } from '../../../shared/contract/messengers.ts';
import { ownerOf, requireUser } from '../../identity/sessions/authentication.ts';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import { bytesOf, readRawBodies } from '../../platform/http/bodies.ts';
import type { ChatKind, ChatProvider, ListedChannels } from '../../providers/chats/port.ts';
import type { NotificationsDeps } from '../deps.ts';
import { errorsOfChats, notificationErrors } from '../errors.ts';
import { createMessenger } from '../messengers/changes.ts';
import { presentMessenger } from '../messengers/presentation.ts';
import { ChannelCache, listChannels } from './channels.ts';
import { type Claim, claimLink } from './claim.ts';
import { consentRoutes } from './consent.ts';
import { disconnectTeam } from './removal.ts';

/** What each chat declares, and the calls that are the same for all. */
export function destinationRoutes(deps: NotificationsDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    const cache = new ChannelCache(deps.clock);
    for (const [kind, chat] of deps.chats) {
      for (const linking of chat.linkings) {
        if (linking.way === 'consent') await app.register(consentRoutes(deps, kind, linking));
      }
      if (chat.events) await app.register(eventRoute(deps, kind, chat.events));
      if (chat.channels === 'listed') await app.register(channelRoute(deps, cache, kind, chat));
    }
    await app.register(linkingRoutes(deps));
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
): FastifyPluginAsyncTypebox {
  return async (app) => {
    readRawBodies(app, maxEventBytes);
    app.post(
      path,
      {
        config: {
          isPublic: true,
          errors: [httpErrors.Signature_Invalid, httpErrors.Payload_Too_Large],
        },
        schema: { summary, response: { 200: Taken } },
      },
      async ({ headers, body }) => {
        const event = read({ headers, body: bytesOf(body) }, deps.clock.now());
        if (!event) throw new ApiError(httpErrors.Signature_Invalid);
        if (event.kind === 'handshake') return { challenge: event.challenge };
        if (event.kind === 'removal') await disconnectTeam(deps, kind, event);
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
      async () => [...deps.chats].map(offerOf),
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

/** What a form needs to know about a chat that can be linked here. */
function offerOf([kind, { name, channels, linkings }]: [ChatKind, ChatProvider]): ChatOffer {
  return {
    ...{ kind, name, channels },
    linkings: linkings.map((linking) => ({
      way: linking.way,
      connectPath: linking.way === 'consent' ? linking.connect.path : null,
      fields: linking.way === 'address' ? [...linking.fields] : [],
    })),
  };
}

/**
 * Links a chat by the values of its form. Throws `Not_Found` for a chat that has none,
 * `Invalid_Messenger` for values that do not look right, and what the chat throws.
 */
async function linkByAddress(
  deps: NotificationsDeps,
  ownerId: string,
  kind: ChatKind,
  values: LinkRequest['values'],
): Promise<Claim> {
  const linking = deps.chats.get(kind)?.linkings.find((one) => one.way === 'address');
  if (!linking) throw new ApiError(httpErrors.Not_Found);
  const details = linking.fields
    .filter(({ name, pattern }) => !new RegExp(`^(?:${pattern})$`, 'u').test(values[name] ?? ''))
    .map(({ name, help }) => ({ path: `/values/${name}`, message: help }));
  if (details.length > 0) throw new ApiError(notificationErrors.Invalid_Messenger, { details });
  return await claimLink(deps, ownerId, kind, await linking.link(values));
}
