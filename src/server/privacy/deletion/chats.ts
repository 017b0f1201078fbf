import type { NotificationsDeps } from '../../notifications/deps.ts';
import { openToken, workspaceTokens } from '../../notifications/destinations/queries.ts';
import { withdrawUnlessUsed } from '../../notifications/destinations/withdrawal.ts';
import { VaultError } from '../../platform/vault/vault.ts';

type Needed = Pick<NotificationsDeps, 'database' | 'clock' | 'vault' | 'chat' | 'log'>;

/** A row has the id of its workspace, which is part of the additional data of the sealed token. */
export const deletedTokens = { ...workspaceTokens, table: 'deletion_chats' };

/** Withdraws each token, unless another user has the same team, and then deletes its row. */
export async function withdrawChats(deps: Needed, userId: string): Promise<void> {
  const rows = await deps.database.sql
    .selectFrom('deletion_chats')
    .selectAll()
    .where('user_id', '=', userId)
    .execute();
  for (const row of rows) {
    const token = readable(deps, row);
    if (token) await withdrawUnlessUsed(deps, { token, teamId: row.team_id });
    await deps.database.sql
      .deleteFrom('deletion_chats')
      .where('user_id', '=', userId)
      .where('id', '=', row.id)
      .execute();
  }
}

/** Null when its key is lost: the token can then neither be used nor be withdrawn. */
function readable(deps: Needed, row: Parameters<typeof openToken>[1]): string | null {
  try {
    return openToken(deps, row);
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    deps.log.warn({ workspaceId: row.id }, 'a token whose key is lost was not withdrawn');
    return null;
  }
}
