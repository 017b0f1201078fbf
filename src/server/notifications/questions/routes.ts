import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import { bytesOf, readRawBodies } from '../../platform/http/bodies.ts';
import type { ChatKind, ChatProvider } from '../../providers/chats/port.ts';
import type { Questions } from '../../providers/chats/questions.ts';
import type { NotificationsDeps } from '../deps.ts';
import { answerQuestion } from './answering.ts';

/** The chats in which people can ask for balances. */
export function questionRoutes(deps: NotificationsDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    for (const [kind, chat] of deps.chats) {
      if (chat.questions) await app.register(questionRoute(deps, kind, chat, chat.questions));
    }
  };
}

/** A command and its few words. */
const maxQuestionBytes = 64 * 1024;

/** In the form of the chat that asked. */
const ChatAnswer = Type.Unsafe<object>({ type: 'object', additionalProperties: true });

function questionRoute(
  deps: NotificationsDeps,
  kind: ChatKind,
  chat: ChatProvider,
  { path, summary, read, answer }: Questions,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    readRawBodies(app, maxQuestionBytes);
    app.post(
      path,
      {
        config: {
          isPublic: true,
          errors: [httpErrors.Signature_Invalid, httpErrors.Payload_Too_Large],
        },
        schema: { summary, response: { 200: ChatAnswer } },
      },
      async ({ headers, body }) => {
        const question = read({ headers, body: bytesOf(body) }, deps.clock.now());
        if (!question) throw new ApiError(httpErrors.Signature_Invalid);
        if (question.kind === 'probe') return {};
        return answer(await answerQuestion(deps, { ...chat, kind }, question));
      },
    );
  };
}
