import type { Selectable } from 'kysely';
import type { NotificationsDeps } from '../../notifications/deps.ts';
import { destinationSecrets, readableSecret } from '../../notifications/destinations/queries.ts';
import { revokeUnlessUsed } from '../../notifications/destinations/revocation.ts';
import type { Schema } from '../../platform/database/schema.ts';

type Needed = Pick<NotificationsDeps, 'database' | 'clock' | 'vault' | 'chats' | 'log'>;

/** A row has the id of its destination, which is part of the additional data of the sealed secret. */
export const deletedSecrets = { ...destinationSecrets, table: 'deletion_chats' };

/**
 * Revokes each secret, unless another user has the same team, and then deletes its row. Throws the
 * first failure, after all of them were tried.
 */
export async function revokeChats(deps: Needed, userId: string): Promise<void> {
  const rows = await deps.database.sql
    .selectFrom('deletion_chats')
    .selectAll()
    .where('user_id', '=', userId)
    .execute();
  const failures: unknown[] = [];
  for (const row of rows) {
    await revoke(deps, row).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

async function revoke(deps: Needed, row: Selectable<Schema['deletion_chats']>): Promise<void> {
  const secret = readableSecret(deps, row);
  if (secret === null) {
    deps.log.warn({ destinationId: row.id }, 'a secret whose key is lost was not revoked');
  } else {
    const { chat, team_id: teamId } = row;
    await revokeUnlessUsed(deps, { chat, secret, teamId });
  }
  await deps.database.sql
    .deleteFrom('deletion_chats')
    .where('user_id', '=', row.user_id)
    .where('id', '=', row.id)
    .execute();
}
