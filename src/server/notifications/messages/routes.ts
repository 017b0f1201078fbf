import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { MessagePreview, PreviewRequest } from '../../../shared/contract/messages.ts';
import { renderMessage, textOf } from '../../../shared/message/render.ts';
import { checkMessage } from '../../../shared/message/variables.ts';
import { ownerOf, requireUser } from '../../identity/sessions/authentication.ts';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import type { NotificationsDeps } from '../deps.ts';
import { notificationErrors } from '../errors.ts';
import { findOwnerFirst } from '../messengers/owner-first.ts';
import { findMessenger } from '../messengers/queries.ts';
import { resolveChoice } from './checking.ts';
import { readData } from './queries.ts';

export function messageRoutes(deps: NotificationsDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireUser(deps));

    app.post(
      '/messengers/:id/preview',
      {
        preValidation: findOwnerFirst(deps),
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

/** The message as it would be posted now, from stored data, and the faults that prevent saving it. */
async function previewMessage(
  { database, clock, chats }: Pick<NotificationsDeps, 'database' | 'clock' | 'chats'>,
  ownerId: string,
  messengerId: string,
  { message, accounts }: PreviewRequest,
): Promise<MessagePreview> {
  const row = await findMessenger({ database }, ownerId, messengerId);
  if (!row) throw new ApiError(httpErrors.Not_Found);
  const choice = accounts ? await resolveChoice(database.sql, ownerId, accounts) : null;
  // The page renders what is typed next by itself, so it gets the previous figures for any text.
  const asked = { userId: ownerId, messengerId: row.id, withPrevious: true };
  const [data = nothing] = await readData(database.sql, [
    { ...asked, chosen: choice?.chosen ?? null },
  ]);
  const { previous } = data;
  const isLiteral = message === row.message && !row.variables;
  if (isLiteral || !message.includes('{{')) {
    return { text: message, blocks: [{ type: 'text', text: message }], faults: [], previous };
  }
  const localZone = { zone: row.zone, offsetMinutes: row.offset_minutes };
  const rendered = { ...data, localZone, now: clock.now() };
  const blocks = renderMessage(message, rendered, chats.get(row.chat)?.capacity);
  const faults = checkMessage(message, data.accounts);
  return { text: textOf(blocks), blocks, faults, previous };
}

const nothing = { accounts: [], items: [], previous: null };
