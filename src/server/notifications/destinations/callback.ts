import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { lockUser } from '../../identity/users/queries.ts';
import { NoContent } from '../../platform/http/documentation.ts';
import type { Platform } from '../../platform/platform.ts';
import {
  type ChatKind,
  ChatProviderError,
  type ConsentLinking,
  type Link,
} from '../../providers/chats/port.ts';
import type { NotificationsDeps } from '../deps.ts';
import { redeemState } from './authorization.ts';
import { handleOf } from './handle.ts';
import { type DestinationRow, insertDestination } from './queries.ts';
import { withdrawUnlessUsed } from './withdrawal.ts';

/** Where a chat's page sends the browser back to. */
export function callbackRoute(
  deps: NotificationsDeps,
  chat: ChatKind,
  linking: ConsentLinking,
): FastifyPluginAsyncTypebox {
  const { callback, notices, noticeOf } = linking;
  return async (app) => {
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
 * link it is, and only that user can claim the handle later.
 */
async function receive(
  deps: NotificationsDeps,
  chat: ChatKind,
  linking: ConsentLinking,
  query: Record<string, unknown>,
): Promise<{ notice: string } | { token: string }> {
  const { cancelled, expired, failed } = linking.notices;
  const { state, isDeclined, code } = linking.readReturn(query);
  const ownerId = await redeemState(deps, state, chat);
  if (isDeclined) return { notice: cancelled };
  if (!ownerId) return { notice: expired };
  if (code === null) return { notice: failed };
  const link = await linking.exchangeCode({ code, redirectUri: callbackUrl(deps, linking) });
  const row = await keep(deps, ownerId, chat, link);
  if (row) return { token: handleOf(row) };
  await withdrawUnlessUsed(deps, { chat, ...link });
  return { notice: expired };
}

/** Null when the account was deleted while its user was away: nothing would ever end the secret. */
function keep(
  deps: NotificationsDeps,
  ownerId: string,
  chat: ChatKind,
  link: Link,
): Promise<DestinationRow | null> {
  const entry = { state: 'pending', now: deps.clock.now() } as const;
  return deps.database.sql.transaction().execute(async (sql) => {
    const user = await lockUser(sql, ownerId);
    return user && (await insertDestination(deps, sql, { ownerId, chat }, link, entry));
  });
}

/** Given at the authorise page and again at the exchange, letter for letter. */
export function callbackUrl(
  { configuration }: Pick<Platform, 'configuration'>,
  { callback }: Pick<ConsentLinking, 'callback'>,
): string {
  return `${configuration.publicUrl}/api${callback.path}`;
}
