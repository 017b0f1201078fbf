import type { Platform } from '../../platform/platform.ts';
import type { ChatKind, ChatProvider, Link } from '../../providers/chats/port.ts';

/**
 * A bot's secret belongs to the app and the team: where a user has no more use for it, it is withdrawn
 * if no other user here has that team, and only forgotten otherwise.
 */
export async function withdrawUnlessUsed(
  deps: Pick<Platform, 'database' | 'clock'>,
  provider: ChatProvider,
  { chat, secret, teamId }: Pick<Link, 'secret' | 'teamId'> & { chat: ChatKind },
): Promise<void> {
  if (!(await isUsed(deps, chat, teamId))) await provider.withdraw(secret);
}

/** How long after its time a claim that was made in the last moment may still be under way. */
export const claimMarginMs = 60_000;

/** Also by a user who came back from the chat's consent page and has not claimed it yet. */
async function isUsed(
  { database, clock }: Pick<Platform, 'database' | 'clock'>,
  chat: ChatKind,
  teamId: string,
): Promise<boolean> {
  const claimable = new Date(clock.now().getTime() - claimMarginMs);
  const user = await database.sql
    .selectFrom('destinations')
    .select('id')
    .where('chat', '=', chat)
    .where('team_id', '=', teamId)
    .where(({ or, eb }) =>
      or([eb('state', '=', 'connected'), eb('pending_until', '>=', claimable)]),
    )
    .executeTakeFirst();
  return user !== undefined;
}
