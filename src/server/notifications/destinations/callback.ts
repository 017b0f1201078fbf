import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { lockUser } from '../../identity/users/queries.ts';
import { NoContent } from '../../platform/http/documentation.ts';
import type { Platform } from '../../platform/platform.ts';
import {
  type ChatKind,
  type ChatProvider,
  ChatProviderError,
  type ConsentLinking,
  type Link,
} from '../../providers/chats/port.ts';
import type { NotificationsDeps } from '../deps.ts';
import { redeemState } from './authorization.ts';
import { handleOf } from './handle.ts';
import { type DestinationRow, insertDestination } from './queries.ts';
import { withdrawUnlessUsed } from './withdrawal.ts';

/** A chat with one of its ways to be linked. */
export interface Consenting {
  kind: ChatKind;
  chat: ChatProvider;
  linking: ConsentLinking;
}

/** Where a chat's page sends the browser back to. */
export function callbackRoute(
  deps: NotificationsDeps,
  consenting: Consenting,
): FastifyPluginAsyncTypebox {
  const { callback, notices, noticeOf } = consenting.linking;
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
        const { publicUrl } = deps.configuration;
        const end = await receive(deps, consenting, Object(query)).catch((error: unknown) => {
          if (error instanceof ChatProviderError) {
            log.warn({ code: error.code }, 'the code of an authorisation was refused');
            return { notice: noticeOf(error) };
          }
          log.error({ err: error }, 'a return from the authorise page broke off');
          return { notice: notices.failed };
        });
        const search = 'notice' in end ? `notice=${end.notice}` : `token=${end.handle}`;
        return reply.redirect(`${publicUrl}/?${search}`, 303);
      },
    );
  };
}

/** Nobody is signed in here: the state says whose it is, and only that user can claim it later. */
async function receive(
  deps: NotificationsDeps,
  { kind, chat, linking }: Consenting,
  query: Record<string, unknown>,
): Promise<{ notice: string } | { handle: string }> {
  const { cancelled, expired, failed } = linking.notices;
  const { state, isDeclined, code } = linking.readReturn(query);
  const ownerId = await redeemState(deps, state, kind);
  if (isDeclined) return { notice: cancelled };
  if (!ownerId) return { notice: expired };
  if (code === null) return { notice: failed };
  const link = await linking.exchangeCode({ code, redirectUri: callbackUrl(deps, linking) });
  const row = await keep(deps, ownerId, kind, link);
  if (row) return { handle: handleOf(row) };
  await withdrawUnlessUsed(deps, chat, { chat: kind, ...link });
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
