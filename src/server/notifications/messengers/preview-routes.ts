import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import {
  MessagePreview,
  PreviewRequest,
  ReadTransactions,
  TransactionsRequest,
} from '../../../shared/contract/messages.ts';
import { renderMessage, textOf } from '../../../shared/message/render.ts';
import { checkMessage } from '../../../shared/message/variables.ts';
import { requireUser, userIdOf } from '../../identity/sessions/authentication.ts';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import type { NotificationsDeps } from '../deps.ts';
import { notificationErrors } from '../errors.ts';
import { resolveChoice } from '../messages/checking.ts';
import { readData } from '../messages/queries.ts';
import { readForPreview } from '../transactions/reading.ts';
import { ofOwnMessenger } from './ownership.ts';
import { requireMessenger } from './queries.ts';

export function previewRoutes(deps: NotificationsDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireUser(deps));

    app.post(
      '/messengers/:id/preview',
      {
        ...ofOwnMessenger(deps),
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
      (request) => previewMessage(deps, userIdOf(request), request.params.id, request.body),
    );

    app.post(
      '/messengers/:id/operations',
      {
        ...ofOwnMessenger(deps),
        config: {
          invalidBody: notificationErrors.Invalid_Messenger,
          errors: [httpErrors.Not_Found, notificationErrors.Invalid_Messenger],
        },
        schema: {
          summary: "Les opérations qu'un message dirait maintenant, lues auprès des banques",
          params: Type.Object({ id: Type.String() }),
          body: TransactionsRequest,
          response: { 200: ReadTransactions },
        },
      },
      (request) => readTransactionsNow(deps, userIdOf(request), request.params.id, request.body),
    );
  };
}

/** What a message would tell of the bank transactions now, whatever its text is and whether it tells any. */
async function readTransactionsNow(
  deps: NotificationsDeps,
  userId: string,
  messengerId: string,
  { accounts }: TransactionsRequest,
): Promise<ReadTransactions> {
  const row = await requireMessenger(deps, userId, messengerId);
  const choice = accounts && (await resolveChoice(deps.database.sql, userId, accounts));
  const read = await readForPreview(deps, row, choice?.chosen ?? null);
  const { transactions: operations, ...others } = read;
  return { operations, ...others };
}

/** The message as it would be posted now, from stored data, and the faults that prevent saving it. */
async function previewMessage(
  deps: Pick<NotificationsDeps, 'database' | 'clock' | 'chats' | 'bankSources' | 'configuration'>,
  userId: string,
  messengerId: string,
  { message, accounts, attention, operations }: PreviewRequest,
): Promise<MessagePreview> {
  const { database, clock, chats, configuration } = deps;
  const row = await requireMessenger({ database }, userId, messengerId);
  const choice = accounts ? await resolveChoice(database.sql, userId, accounts) : null;
  // The page renders what is typed next by itself, so it gets the previous figures for any text.
  const localZone = { zone: row.zone, offsetMinutes: row.offset_minutes };
  const asked = { userId, messengerId: row.id, comparedIn: localZone };
  const draft = { chosen: choice?.chosen ?? null, attention, operations };
  const [data] = await readData(deps, database.sql, [{ ...asked, ...draft }]);
  if (!data) throw new ApiError(httpErrors.Not_Found);
  const { previous } = data;
  const isLiteral = message === row.message && !row.variables;
  if (isLiteral || !message.includes('{{')) {
    return { text: message, blocks: [{ type: 'text', text: message }], faults: [], previous };
  }
  const { publicUrl } = configuration;
  const rendered = { ...data, localZone, now: clock.now(), publicUrl };
  const blocks = renderMessage(message, rendered, chats.get(row.chat)?.capacity);
  const faults = checkMessage(message, data.accounts);
  return { text: textOf(blocks), blocks, faults, previous };
}
