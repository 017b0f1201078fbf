import type { Parts } from '../parts.ts';
import type { Installation } from '../providers/chat.ts';
import { VaultError } from '../secrets/vault.ts';
import { openToken, type WorkspaceRow } from './queries.ts';

type Needed = Pick<Parts, 'database' | 'clock' | 'chat'>;

/**
 * A bot's token belongs to the app and the team: where a user has no more use for it, it is
 * withdrawn if nobody here has that team, and only forgotten otherwise.
 */
export async function withdrawUnlessUsed(
  parts: Needed,
  { token, teamId }: Pick<Installation, 'token' | 'teamId'>,
): Promise<void> {
  if (!(await isUsed(parts, teamId))) await parts.chat.withdraw(token);
}

/** The same for one that is sealed. Nobody can use or withdraw one whose key is lost. */
export async function withdrawSealedUnlessUsed(
  parts: Needed & Pick<Parts, 'vault'>,
  row: Pick<WorkspaceRow, 'user_id' | 'id' | 'team_id' | 'sealed_token'>,
): Promise<void> {
  const token = readable(parts, row);
  if (token) await withdrawUnlessUsed(parts, { token, teamId: row.team_id });
}

/** Also while a user is on the way back from the chat's consent page. */
async function isUsed({ database, clock }: Needed, teamId: string): Promise<boolean> {
  const user = await database.sql
    .selectFrom('workspaces')
    .select('id')
    .where('team_id', '=', teamId)
    .where(({ or, eb }) =>
      or([eb('state', '=', 'connected'), eb('pending_until', '>', clock.now())]),
    )
    .executeTakeFirst();
  return user !== undefined;
}

function readable(...[parts, row]: Parameters<typeof openToken>): string | null {
  try {
    return openToken(parts, row);
  } catch (error) {
    if (error instanceof VaultError) return null;
    throw error;
  }
}
