import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { Channel, ChannelQuery, Redirection } from '../../../shared/contract/messengers.ts';
import { ownerOf, requireUser } from '../../identity/sessions/authentication.ts';
import { httpErrors } from '../../platform/http/api-error.ts';
import type { NotificationsDeps } from '../deps.ts';
import { notificationErrors } from '../errors.ts';
import { createState } from './authorization.ts';
import { callbackRoute, callbackUrl } from './callback.ts';
import { createChannelCache } from './channels.ts';
import { eventRoute } from './events.ts';
import { listChannels } from './listing.ts';

export function workspaceRoutes(deps: NotificationsDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    await app.register(callbackRoute(deps));
    await app.register(eventRoute(deps));
    await app.register(signedInRoutes(deps));
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

function signedInRoutes(deps: NotificationsDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    const cache = createChannelCache(deps.clock);
    app.addHook('onRequest', requireUser(deps));

    app.get(
      '/messengers/slack/connect',
      {
        schema: {
          summary: "L'adresse où autoriser notre bot dans un espace Slack",
          response: { 200: Redirection },
        },
      },
      async (request) => {
        const state = await createState(deps, ownerOf(request));
        return {
          redirect_url: deps.chat.authorizeUrl({ redirectUri: callbackUrl(deps), state }),
        };
      },
    );

    app.get(
      '/messengers/slack/channels',
      {
        config: {
          errors: [
            httpErrors.Not_Found,
            notificationErrors.Slack_Not_Connected,
            notificationErrors.Slack_Refused,
            notificationErrors.Slack_Unavailable,
          ],
        },
        schema: {
          summary: 'Les channels que notre bot peut atteindre',
          querystring: ChannelQuery,
          response: { 200: Channels },
        },
      },
      async (request, reply) => {
        const list = await listChannels(deps, cache, ownerOf(request), request.query);
        reply.header(completeHeader, String(list.complete));
        return list.channels;
      },
    );
  };
}
