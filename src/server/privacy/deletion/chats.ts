import type { Selectable } from 'kysely';
import type { NotificationsDeps } from '../../notifications/deps.ts';
import {
  destinationSecrets,
  openSecret,
  type SealedSecret,
} from '../../notifications/destinations/queries.ts';
import { revokeUnlessUsed } from '../../notifications/destinations/revocation.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { VaultError } from '../../platform/vault/vault.ts';

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
  const secret = readable(deps, row);
  if (secret !== null) {
    const { chat, team_id: teamId } = row;
    await revokeUnlessUsed(deps, { chat, secret, teamId });
  }
  await deps.database.sql
    .deleteFrom('deletion_chats')
    .where('user_id', '=', row.user_id)
    .where('id', '=', row.id)
    .execute();
}

/** Null when its key is lost: the secret can then neither be used nor be revoked. */
function readable(deps: Needed, row: SealedSecret): string | null {
  try {
    return openSecret(deps, row);
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    deps.log.warn({ destinationId: row.id }, 'a secret whose key is lost was not revoked');
    return null;
  }
}
