import type { Parts } from '../parts.ts';
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
      await parts.chat.withdraw(openToken(parts, row));
    }
    await parts.database.sql
      .deleteFrom('deletion_chats')
      .where('user_id', '=', userId)
      .where('id', '=', row.id)
      .execute();
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
