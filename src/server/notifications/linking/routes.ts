import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ChatOffer } from '../../../shared/contract/chats.ts';
import { requireUser } from '../../identity/sessions/authentication.ts';
import type { ChatKind, ChatProvider } from '../../providers/chats/port.ts';
import type { NotificationsDeps } from '../deps.ts';
import { consentRoutes } from './consent.ts';
import { formLinkingRoutes } from './forms.ts';
import { invitationRoutes } from './invitations/routes.ts';
import { mailboxRoutes, oneClickRoutes } from './mailboxes/routes.ts';

/** The chats that are offered, and the ways in which people link them. */
export function linkingRoutes(deps: NotificationsDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    for (const [kind, { linkings }] of deps.chats) {
      for (const linking of linkings) {
        if (linking.way === 'consent') await app.register(consentRoutes(deps, kind, linking));
        if (linking.way === 'mailbox') await app.register(oneClickRoutes(deps, linking));
      }
    }
    await app.register(offerRoute(deps));
    await app.register(formLinkingRoutes(deps));
    await app.register(mailboxRoutes(deps));
    await app.register(invitationRoutes(deps));
  };
}

function offerRoute(deps: NotificationsDeps): FastifyPluginAsyncTypebox {
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
      steps: linking.way === 'address' ? [...linking.steps] : [],
      unseen: linking.way === 'address' ? linking.unseen : null,
    })),
  };
}
