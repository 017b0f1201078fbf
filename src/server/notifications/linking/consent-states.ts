import type { Transaction } from 'kysely';
import { type Actor, lockActor } from '../../identity/sessions/queries.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transactions.ts';
import { ApiError } from '../../platform/http/api-error.ts';
import { sha256Hex } from '../../platform/opaque-tokens.ts';
import type { ChatKind } from '../../providers/chats/port.ts';
import type { NotificationsDeps } from '../deps.ts';
import { notificationErrors } from '../errors.ts';

const lifetimeMs = 10 * 60 * 1000;
/** Kept from an earlier name of the table: states under way at a new version still open. */
const additionalData = 'workspace_authorizations/state';

/** A state to send along to a chat's page: sealed by us, tied to its user, good once, for ten minutes. */
export async function createState(
  deps: NotificationsDeps,
  actor: Actor,
  chat: ChatKind,
): Promise<string> {
  const { userId } = actor;
  const now = deps.clock.now();
  const nonce = deps.randomness.bytes(18).toString('base64url');
  const state = deps.vault.seal(`${userId} ${nonce}`, additionalData);
  await inTransaction(deps.database.sql, async (transaction) => {
    await requireFewStates(transaction, actor, now);
    await transaction
      .insertInto('destination_authorizations')
      .values({
        state_hash: sha256Hex(state),
        user_id: userId,
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
  actor: Actor,
  now: Date,
): Promise<void> {
  const { id: userId } = await lockActor(transaction, actor);
  const { count, end } = await transaction
    .selectFrom('destination_authorizations')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('expires_at').as('end')])
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow();
  if (Number(count) < maxStates) return;
  const retryAfter = Math.ceil(((end ?? now).getTime() - now.getTime()) / 1000);
  throw new ApiError(notificationErrors.Too_Many_Authorizations, { retryAfter });
}

/** The user to whom a state was given, and the password at the moment of the return. */
export interface StateOwner {
  id: string;
  passwordHash: string;
}

/** Ends a state and returns its owner; null when it is forged, unknown, used or too old. */
export async function redeemState(
  deps: NotificationsDeps,
  state: string,
  chat: ChatKind,
): Promise<StateOwner | null> {
  const userId = readOwner(deps, state);
  if (!userId) return null;
  const row = await deps.database.sql
    .deleteFrom('destination_authorizations')
    .using('users')
    .whereRef('users.id', '=', 'user_id')
    .where('state_hash', '=', sha256Hex(state))
    .where('chat', '=', chat)
    .returning(['user_id', 'expires_at', 'password_hash'])
    .executeTakeFirst();
  if (row?.user_id !== userId || row.expires_at <= deps.clock.now()) return null;
  return { id: userId, passwordHash: row.password_hash };
}

function readOwner({ vault }: NotificationsDeps, state: string): string | null {
  return vault.tryOpen(state, additionalData)?.split(' ')[0] ?? null;
}
