import type { Installation } from '../../providers/chats/port.ts';
import type { NotificationsDeps } from '../deps.ts';

type Needed = Pick<NotificationsDeps, 'database' | 'clock' | 'chat'>;

/**
 * A bot's token belongs to the app and the team: where a user has no more use for it, it is
 * withdrawn if nobody here has that team, and only forgotten otherwise.
 */
export async function withdrawUnlessUsed(
  deps: Needed,
  { token, teamId }: Pick<Installation, 'token' | 'teamId'>,
): Promise<void> {
  if (!(await isUsed(deps, teamId))) await deps.chat.withdraw(token);
}

/** How long after its time a claim that was made in the last moment may still be under way. */
export const claimMarginMs = 60_000;

/** Also by somebody who came back from the chat's consent page and has not claimed it yet. */
async function isUsed({ database, clock }: Needed, teamId: string): Promise<boolean> {
  const claimable = new Date(clock.now().getTime() - claimMarginMs);
  const user = await database.sql
    .selectFrom('workspaces')
    .select('id')
    .where('team_id', '=', teamId)
    .where(({ or, eb }) =>
      or([eb('state', '=', 'connected'), eb('pending_until', '>=', claimable)]),
    )
    .executeTakeFirst();
  return user !== undefined;
}
