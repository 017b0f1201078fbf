import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Transaction } from 'kysely';
import { Redirection } from '../../../shared/contract/messengers.ts';
import { ownerOf, requireUser } from '../../identity/sessions/authentication.ts';
import { lockExistingUser, lockUser } from '../../identity/users/queries.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transactions.ts';
import { ApiError } from '../../platform/http/api-error.ts';
import { NoContent } from '../../platform/http/documentation.ts';
import { sha256Hex } from '../../platform/opaque-tokens.ts';
import { VaultError } from '../../platform/vault/vault.ts';
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
        const state = await createState(deps, ownerOf(request), chat);
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
  const ownerId = await redeemState(deps, state, chat);
  if (isDeclined) return { notice: cancelled };
  if (!ownerId) return { notice: expired };
  if (code === null) return { notice: failed };
  const link = await linking.exchangeCode({ code, redirectUri: callbackUrl(deps, linking) });
  const row = await keep(deps, ownerId, chat, link);
  if (row) return { token: destinationHandleOf(row) };
  await revokeUnlessUsed(deps, { chat, ...link });
  return { notice: expired };
}

/** Null when the account was deleted while its user was away: nothing would ever end the secret. */
function keep(
  deps: NotificationsDeps,
  ownerId: string,
  chat: ChatKind,
  link: LinkedTeam,
): Promise<DestinationRow | null> {
  const entry = { state: 'pending', now: deps.clock.now() } as const;
  return inTransaction(deps.database.sql, async (transaction) => {
    const user = await lockUser(transaction, ownerId);
    return user && (await insertDestination(deps, transaction, { ownerId, chat }, link, entry));
  });
}

/** Given at the authorise page and again at the exchange, letter for letter. */
function callbackUrl({ configuration }: NotificationsDeps, { callback }: ConsentLinking): string {
  return `${configuration.publicUrl}/api${callback.path}`;
}

const lifetimeMs = 10 * 60 * 1000;
/** Kept from an earlier name of the table: states under way at a new version still open. */
const additionalData = 'workspace_authorizations/state';

/** A state to send along to a chat's page: sealed by us, tied to its user, good once, for ten minutes. */
async function createState(
  deps: NotificationsDeps,
  ownerId: string,
  chat: ChatKind,
): Promise<string> {
  const now = deps.clock.now();
  const nonce = deps.randomness.bytes(18).toString('base64url');
  const state = deps.vault.seal(`${ownerId} ${nonce}`, additionalData);
  await inTransaction(deps.database.sql, async (transaction) => {
    await requireFewStates(transaction, ownerId, now);
    await transaction
      .insertInto('destination_authorizations')
      .values({
        state_hash: sha256Hex(state),
        user_id: ownerId,
        chat,
        expires_at: new Date(now.getTime() + lifetimeMs),
      })
      .execute();
  });
  return state;
}

/** The page asks for one when it is shown, and keeps the one it has when it gets no other. */
const maxStates = 20;

/** Locks the user's row, so that requests at once are counted one after the other. */
async function requireFewStates(
  transaction: Transaction<Schema>,
  ownerId: string,
  now: Date,
): Promise<void> {
  await lockExistingUser(transaction, ownerId);
  const { count, end } = await transaction
    .selectFrom('destination_authorizations')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('expires_at').as('end')])
    .where('user_id', '=', ownerId)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow();
  if (Number(count) < maxStates) return;
  const retryAfter = Math.ceil(((end ?? now).getTime() - now.getTime()) / 1000);
  throw new ApiError(notificationErrors.Too_Many_Authorizations, { retryAfter });
}

/** The user it was given to, and its end: null when it is forged, unknown, used or too old. */
async function redeemState(
  deps: NotificationsDeps,
  state: string,
  chat: ChatKind,
): Promise<string | null> {
  const ownerId = readOwner(deps, state);
  if (!ownerId) return null;
  const row = await deps.database.sql
    .deleteFrom('destination_authorizations')
    .where('state_hash', '=', sha256Hex(state))
    .where('chat', '=', chat)
    .returning(['user_id', 'expires_at'])
    .executeTakeFirst();
  if (row?.user_id !== ownerId || row.expires_at <= deps.clock.now()) return null;
  return ownerId;
}

function readOwner({ vault }: NotificationsDeps, state: string): string | null {
  try {
    return vault.open(state, additionalData).split(' ')[0] ?? null;
  } catch (error) {
    if (error instanceof VaultError) return null;
    throw error;
  }
}
