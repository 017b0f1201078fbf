import type { Parts } from '../parts.ts';
import type { Installation } from '../providers/chat.ts';

type Needed = Pick<Parts, 'database' | 'clock' | 'chat'>;

/**
 * A bot's token belongs to the app and the team: when its user leaves it is withdrawn if no other
 * user has that team, and only forgotten otherwise.
 */
export async function withdrawUnlessShared(
  parts: Needed,
  userId: string,
  { token, teamId }: Pick<Installation, 'token' | 'teamId'>,
): Promise<void> {
  if (!(await isUsedByOthers(parts, userId, teamId))) await parts.chat.withdraw(token);
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
