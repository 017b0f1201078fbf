import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { MessagePreview, PreviewRequest } from '../../../shared/contract/messages.ts';
import { ownerOf, requireUser } from '../../identity/sessions/authentication.ts';
import { httpErrors } from '../../platform/http/api-error.ts';
import type { NotificationsDeps } from '../deps.ts';
import { notificationErrors } from '../errors.ts';
import { previewMessage } from './preview.ts';

export function messageRoutes(deps: NotificationsDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireUser(deps));

    app.post(
      '/messengers/:id/preview',
      {
        config: {
          invalidBody: notificationErrors.Invalid_Messenger,
          errors: [httpErrors.Not_Found, notificationErrors.Invalid_Messenger],
        },
        schema: {
          summary: "Voir un message tel qu'il serait envoyé maintenant",
          params: Type.Object({ id: Type.String() }),
          body: PreviewRequest,
          response: { 200: MessagePreview },
        },
      },
      (request) => previewMessage(deps, ownerOf(request), request.params.id, request.body),
    );
  };
}
