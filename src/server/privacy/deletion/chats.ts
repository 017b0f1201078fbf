import { type Selectable, sql } from 'kysely';
import { dayMs } from '../../../shared/calendar/durations.ts';
import type { NotificationsDeps } from '../../notifications/deps.ts';
import { destinationSecrets, readableSecret } from '../../notifications/destinations/queries.ts';
import { isUsed, revokeUnlessUsed } from '../../notifications/destinations/revocation.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transactions.ts';
import { ApiError } from '../../platform/http/api-error.ts';
import { ChatProviderError, isUnavailable } from '../../providers/chats/port.ts';

type Needed = Pick<NotificationsDeps, 'database' | 'clock' | 'vault' | 'chats' | 'log'>;

/** A row has the id of its destination, which is part of the additional data of the sealed secret. */
export const deletedSecrets = { ...destinationSecrets, table: 'deletion_chats' };

type Deletion = Pick<Selectable<Schema['deletions']>, 'id' | 'requested_at'>;

/**
 * Revokes each secret, unless another user has the same team, and then deletes its row. Throws the
 * first failure, after all of them were tried.
 */
export async function revokeChats(
  deps: Needed,
  userId: string,
  { id: deletionId, requested_at: since }: Deletion,
): Promise<void> {
  const rows = await deps.database.sql
    .selectFrom('deletion_chats')
    .selectAll()
    .where('user_id', '=', userId)
    .execute();
  const failures: unknown[] = [];
  for (const row of rows) {
    try {
      const hasEnded = await endAccess(deps, row, since);
      await forget(deps, row, hasEnded ? null : deletionId);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

/**
 * False where it is given up. What the chat refuses, a chat that is not configured any more, and a secret that
 * no key opens, are tried for a day: another process may have the key. Where the chat is unavailable, the row
 * waits for it.
 */
async function endAccess(
  deps: Needed,
  row: Selectable<Schema['deletion_chats']>,
  since: Date,
): Promise<boolean> {
  const { chat, team_id: teamId } = row;
  const secret = readableSecret(deps, row);
  const isGivenUp = since.getTime() < deps.clock.now().getTime() - dayMs;
  if (secret === null) {
    if (await isUsed(deps, chat, teamId)) return true;
    if (!isGivenUp) throw new Error('no key of this process opens the secret of a chat');
    deps.log.warn({ destinationId: row.id }, 'a secret whose key is lost was not revoked');
    return false;
  }
  try {
    await revokeUnlessUsed(deps, { chat, secret, teamId });
    return true;
  } catch (error) {
    if (!isGivenUp || !isLasting(error)) throw error;
    const failure = { destinationId: row.id, chat, err: error };
    deps.log.warn(failure, 'the secret of a deleted account was not revoked');
    return false;
  }
}

/** Deletes the row. The receipt of the deletion `unrevokedIn` then names the chat. */
async function forget(
  deps: Needed,
  { user_id: userId, id, chat }: Selectable<Schema['deletion_chats']>,
  unrevokedIn: string | null,
): Promise<void> {
  await inTransaction(deps.database.sql, async (transaction) => {
    await transaction
      .deleteFrom('deletion_chats')
      .where('user_id', '=', userId)
      .where('id', '=', id)
      .execute();
    if (unrevokedIn === null) return;
    await sql`
      update deletions set unrevoked_chats = array_append(unrevoked_chats, ${chat})
      where id = ${unrevokedIn} and ${chat} <> all (unrevoked_chats)`.execute(transaction);
  });
}

/** The chat's own refusal, or `Chat_Not_Configured`; a fault of the database or of ours may pass. */
function isLasting(error: unknown): boolean {
  if (error instanceof ApiError) return true;
  return error instanceof ChatProviderError && !isUnavailable(error);
}
