import type { NotificationsDeps } from '../../notifications/deps.ts';
import { openToken, workspaceTokens } from '../../notifications/destinations/queries.ts';
import { withdrawUnlessUsed } from '../../notifications/destinations/withdrawal.ts';
import { VaultError } from '../../platform/vault/vault.ts';

type Needed = Pick<NotificationsDeps, 'database' | 'clock' | 'vault' | 'chat' | 'log'>;

/** A row keeps the id of its workspace, so that the sealed token opens here as it did there. */
export const deletedTokens = { ...workspaceTokens, table: 'deletion_chats' };

/** Each token goes from here once it is withdrawn, or left to whoever else has the team. */
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

/** Null when its key is lost: nobody can use or withdraw it any more. */
function readable(deps: Needed, row: Parameters<typeof openToken>[1]): string | null {
  try {
    return openToken(deps, row);
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    deps.log.warn({ workspaceId: row.id }, 'a token whose key is lost was not withdrawn');
    return null;
  }
}
