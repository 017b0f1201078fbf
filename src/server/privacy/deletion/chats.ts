import type { Selectable } from 'kysely';
import { dayMs } from '../../../shared/calendar/durations.ts';
import type { NotificationsDeps } from '../../notifications/deps.ts';
import { destinationSecrets, readableSecret } from '../../notifications/destinations/queries.ts';
import { revokeUnlessUsed } from '../../notifications/destinations/revocation.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { ApiError } from '../../platform/http/api-error.ts';
import { ChatProviderError, isUnavailable } from '../../providers/chats/port.ts';

type Needed = Pick<NotificationsDeps, 'database' | 'clock' | 'vault' | 'chats' | 'log'>;

/** A row has the id of its destination, which is part of the additional data of the sealed secret. */
export const deletedSecrets = { ...destinationSecrets, table: 'deletion_chats' };

/**
 * Revokes each secret, unless another user has the same team, and then deletes its row. Throws the
 * first failure, after all of them were tried.
 */
export async function revokeChats(
  deps: Needed,
  userId: string,
  { requested_at: since }: Pick<Selectable<Schema['deletions']>, 'requested_at'>,
): Promise<void> {
  const rows = await deps.database.sql
    .selectFrom('deletion_chats')
    .selectAll()
    .where('user_id', '=', userId)
    .execute();
  const failures: unknown[] = [];
  for (const row of rows) {
    await revoke(deps, row, since).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

/**
 * What the chat refuses, or a chat that is not configured any more, is tried for a day; where the chat is
 * unavailable, the row waits for it.
 */
async function revoke(
  deps: Needed,
  row: Selectable<Schema['deletion_chats']>,
  since: Date,
): Promise<void> {
  const secret = readableSecret(deps, row);
  if (secret === null) {
    deps.log.warn({ destinationId: row.id }, 'a secret whose key is lost was not revoked');
  } else {
    const { chat, team_id: teamId } = row;
    await revokeUnlessUsed(deps, { chat, secret, teamId }).catch((error: unknown) => {
      const isGivenUp = since.getTime() < deps.clock.now().getTime() - dayMs;
      if (!isGivenUp || !isLasting(error)) throw error;
      const failure = { destinationId: row.id, chat, err: error };
      deps.log.warn(failure, 'the secret of a deleted account was not revoked');
    });
  }
  await deps.database.sql
    .deleteFrom('deletion_chats')
    .where('user_id', '=', row.user_id)
    .where('id', '=', row.id)
    .execute();
}

/** The chat's own refusal, or `Chat_Not_Configured`; a fault of the database or of ours may pass. */
function isLasting(error: unknown): boolean {
  if (error instanceof ApiError) return true;
  return error instanceof ChatProviderError && !isUnavailable(error);
}
