import type { Parts } from '../parts.ts';
import { VaultError } from '../secrets/vault.ts';
import { openToken } from '../workspaces/queries.ts';

type Needed = Pick<Parts, 'database' | 'clock' | 'vault' | 'chat'>;

/**
 * A bot's token belongs to the app and the team: it is withdrawn when no other user has that team,
 * and only forgotten otherwise.
 */
export async function withdrawChats(parts: Needed, userId: string): Promise<void> {
  const rows = await parts.database.sql
    .selectFrom('deletion_chats')
    .selectAll()
    .where('user_id', '=', userId)
    .execute();
  for (const row of rows) {
    if (!(await isUsedByOthers(parts, userId, row.team_id))) {
      const token = readable(parts, row);
      if (token !== null) await parts.chat.withdraw(token);
    }
    await parts.database.sql
      .deleteFrom('deletion_chats')
      .where('user_id', '=', userId)
      .where('id', '=', row.id)
      .execute();
  }
}

/** Null when its key is lost: nobody can use or withdraw it any more. */
function readable(parts: Needed, row: Parameters<typeof openToken>[1]): string | null {
  try {
    return openToken(parts, row);
  } catch (error) {
    if (error instanceof VaultError) return null;
    throw error;
  }
}

/** Also while another user is on the way back from the chat's consent page. */
async function isUsedByOthers(
  { database, clock }: Needed,
  userId: string,
  teamId: string,
): Promise<boolean> {
  const other = await database.sql
    .selectFrom('workspaces')
    .select('id')
    .where('team_id', '=', teamId)
    .where('user_id', '<>', userId)
    .where(({ or, eb }) =>
      or([eb('state', '=', 'connected'), eb('pending_until', '>', clock.now())]),
    )
    .executeTakeFirst();
  return other !== undefined;
}
