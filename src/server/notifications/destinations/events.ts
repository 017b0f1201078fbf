import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import { bytesOf, readRawBodies } from '../../platform/http/bodies.ts';
import type { NotificationsDeps } from '../deps.ts';
import { disconnectTeam } from './removal.ts';

/** Slack's own are a few kilobytes. */
const maxBytes = 256 * 1024;

/** Slack sends the challenge of its set-up back to be read; nothing else is answered. */
const Taken = Type.Object({ challenge: Type.Optional(Type.String()) });

/**
 * Where Slack tells that our bot was removed: docs.slack.dev/reference/events/app_uninstalled. It
 * waits three seconds for the answer and repeats what is not answered: doing it twice changes nothing.
 */
export function eventRoute(deps: NotificationsDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    readRawBodies(app, maxBytes);
    app.post(
      '/messengers/slack/events',
      {
        config: {
          isPublic: true,
          errors: [httpErrors.Signature_Invalid, httpErrors.Payload_Too_Large],
        },
        schema: { summary: 'Les avis signés de Slack', response: { 200: Taken } },
      },
      async ({ headers, body }) => {
        const call = { headers, body: bytesOf(body) };
        const notice = deps.chat.readNotice(call, deps.clock.now());
        if (!notice) throw new ApiError(httpErrors.Signature_Invalid);
        if (notice.kind === 'handshake') return { challenge: notice.challenge };
        if (notice.kind === 'removal') await disconnectTeam(deps, notice);
        return {};
      },
    );
  };
}
