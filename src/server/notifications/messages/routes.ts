import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { MessagePreview, PreviewRequest } from '../../../shared/contract/messages.ts';
import { ownerOf, requireUser } from '../../identity/sessions/authentication.ts';
import type { NotificationsDeps } from '../deps.ts';
import { previewMessage } from './preview.ts';

export function messageRoutes(parts: NotificationsDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireUser(parts));

    app.post(
      '/messengers/:id/preview',
      {
        config: {
          invalidBody: 'Invalid_Messenger',
          refusals: ['Not_Found', 'Invalid_Messenger'],
        },
        schema: {
          summary: "Voir un message tel qu'il serait envoyé maintenant",
          params: Type.Object({ id: Type.String() }),
          body: PreviewRequest,
          response: { 200: MessagePreview },
        },
      },
      (request) => previewMessage(parts, ownerOf(request), request.params.id, request.body),
    );
  };
}
