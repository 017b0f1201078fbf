import type { Parts } from '../parts.ts';
import { openToken, type WorkspaceRow } from './queries.ts';

/**
 * Gives a token back to the chat, unless another user's installation lives on the same bot: it
 * belongs to the team, and revoking it would silence them as well. True when it was revoked.
 */
export async function revokeUnlessShared(
  parts: Pick<Parts, 'database' | 'vault' | 'chat'>,
  workspace: WorkspaceRow,
): Promise<boolean> {
  const other = await parts.database.sql
    .selectFrom('workspaces')
    .select('id')
    .where('team_id', '=', workspace.team_id)
    .where('user_id', '<>', workspace.user_id)
    .executeTakeFirst();
  if (other) return false;
  await parts.chat.revoke(openToken(parts, workspace));
  return true;
}
