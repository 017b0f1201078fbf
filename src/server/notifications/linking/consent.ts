import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Redirection } from '../../../shared/contract/messengers.ts';
import { requesterOf, requireUser } from '../../identity/sessions/authentication.ts';
import { lockUser } from '../../identity/users/queries.ts';
import { inTransaction } from '../../platform/database/transactions.ts';
import { NoContent } from '../../platform/http/documentation.ts';
import {
  type ChatKind,
  ChatProviderError,
  type ConsentLinking,
  type LinkedTeam,
} from '../../providers/chats/port.ts';
import type { NotificationsDeps } from '../deps.ts';
import { destinationHandleOf } from '../destinations/destination-handle.ts';
import { type DestinationRow, insertDestination } from '../destinations/queries.ts';
import { revokeUnlessUsed } from '../destinations/revocation.ts';
import { notificationErrors } from '../errors.ts';
import { createState, redeemState, type StateOwner } from './consent-states.ts';

/** The way to a chat's page, where its user lets our bot in, and the way back. */
export function consentRoutes(
  deps: NotificationsDeps,
  chat: ChatKind,
  linking: ConsentLinking,
): FastifyPluginAsyncTypebox {
  const { connect, callback, notices, noticeOf } = linking;
  return async (app) => {
    app.get(
      connect.path,
      {
        onRequest: requireUser(deps),
        config: { errors: [notificationErrors.Too_Many_Authorizations] },
        schema: { summary: connect.summary, response: { 200: Redirection } },
      },
      async (request) => {
        const state = await createState(deps, requesterOf(request), chat);
        const redirectUri = callbackUrl(deps, linking);
        return { redirect_url: linking.authorizeUrl({ redirectUri, state }) };
      },
    );

    app.get(
      callback.path,
      {
        config: { isPublic: true },
        schema: {
          summary: callback.summary,
          querystring: callback.query,
          response: { 303: NoContent },
        },
      },
      async ({ query, log }, reply) => {
        const end = await receive(deps, chat, linking, Object(query)).catch((error: unknown) => {
          if (error instanceof ChatProviderError) {
            log.warn({ code: error.code }, 'the code of an authorisation was refused');
            return { notice: noticeOf(error) };
          }
          log.error({ err: error }, 'a return from the authorise page broke off');
          return { notice: notices.failed };
        });
        const search = new URLSearchParams(end);
        return reply.redirect(`${deps.configuration.publicUrl}/?${search}`, 303);
      },
    );
  };
}

/**
 * The query of the page that the browser returns to. The request has no session: the state says whose
 * link it is, and only that user can use the handle later.
 */
async function receive(
  deps: NotificationsDeps,
  chat: ChatKind,
  linking: ConsentLinking,
  query: Record<string, unknown>,
): Promise<{ notice: string } | { token: string }> {
  const { cancelled, expired, failed } = linking.notices;
  const { state, isDeclined, code } = linking.readReturn(query);
  const owner = await redeemState(deps, state, chat);
  if (isDeclined) return { notice: cancelled };
  if (!owner) return { notice: expired };
  if (code === null) return { notice: failed };
  const link = await linking.exchangeCode({ code, redirectUri: callbackUrl(deps, linking) });
  const row = await keep(deps, owner, chat, link);
  if (row) return { token: destinationHandleOf(row) };
  await revokeUnlessUsed(deps, { chat, ...link });
  return { notice: expired };
}

/**
 * Null when the account was deleted meanwhile: nothing would ever end the secret. And when the password was
 * replaced while the chat was asked: a reset by mail ends the ways back of who was there before.
 */
function keep(
  deps: NotificationsDeps,
  { id: userId, passwordHash }: StateOwner,
  chat: ChatKind,
  link: LinkedTeam,
): Promise<DestinationRow | null> {
  const entry = { state: 'pending', now: deps.clock.now() } as const;
  return inTransaction(deps.database.sql, async (transaction) => {
    const user = await lockUser(transaction, userId);
    if (user?.password_hash !== passwordHash) return null;
    return await insertDestination(deps, transaction, { userId, chat }, link, entry);
  });
}

/** Given at the authorise page and again at the exchange, letter for letter. */
function callbackUrl({ configuration }: NotificationsDeps, { callback }: ConsentLinking): string {
  return `${configuration.publicUrl}/api${callback.path}`;
}
