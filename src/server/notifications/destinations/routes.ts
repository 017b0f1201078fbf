import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { Channel, ChannelQuery, Redirection } from '../../../shared/contract/messengers.ts';
import { ownerOf, requireUser } from '../../identity/sessions/authentication.ts';
import type { NotificationsDeps } from '../deps.ts';
import { createState } from './authorization.ts';
import { callbackRoute, callbackUrl } from './callback.ts';
import { createChannelCache } from './channels.ts';
import { eventRoute } from './events.ts';
import { listChannels } from './listing.ts';

export function workspaceRoutes(parts: NotificationsDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    await app.register(callbackRoute(parts));
    await app.register(eventRoute(parts));
    await app.register(signedInRoutes(parts));
  };
}

const completeHeader = 'x-channels-complete';

const Channels = Type.Array(Channel, {
  headers: {
    [completeHeader]: {
      type: 'string',
      enum: ['true', 'false'],
      description: "`false`\u202f: la liste est incomplète, Slack n'a pas tout donné.",
    },
  },
});

function signedInRoutes(parts: NotificationsDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    const cache = createChannelCache(parts.clock);
    app.addHook('onRequest', requireUser(parts));

    app.get(
      '/messengers/slack/connect',
      {
        schema: {
          summary: "L'adresse où autoriser notre bot dans un espace Slack",
          response: { 200: Redirection },
        },
      },
      async (request) => {
        const state = await createState(parts, ownerOf(request));
        return {
          redirect_url: parts.chat.authorizeUrl({ redirectUri: callbackUrl(parts), state }),
        };
      },
    );

    app.get(
      '/messengers/slack/channels',
      {
        config: {
          refusals: ['Not_Found', 'Slack_Not_Connected', 'Slack_Refused', 'Slack_Unavailable'],
        },
        schema: {
          summary: 'Les channels que notre bot peut atteindre',
          querystring: ChannelQuery,
          response: { 200: Channels },
        },
      },
      async (request, reply) => {
        const list = await listChannels(parts, cache, ownerOf(request), request.query);
        reply.header(completeHeader, String(list.complete));
        return list.channels;
      },
    );
  };
}
