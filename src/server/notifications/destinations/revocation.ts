import { dayMs } from '../../../shared/calendar/durations.ts';
import { type ChatKind, isUnavailable, type LinkedTeam } from '../../providers/chats/port.ts';
import { chatOf } from '../chats.ts';
import type { NotificationsDeps } from '../deps.ts';
import { openLink, removeDestination } from './queries.ts';

type Needed = Pick<NotificationsDeps, 'database' | 'clock' | 'chats'>;

/**
 * A bot's secret belongs to the app and the team: where a user has no more use for it, it is revoked
 * if no other user here has that team, and only forgotten otherwise. Another user may also have come
 * back from the chat's consent page and be about to connect it.
 */
export async function revokeUnlessUsed(
  deps: Needed,
  { chat, secret, teamId }: Pick<LinkedTeam, 'secret' | 'teamId'> & { chat: ChatKind },
): Promise<void> {
  if (await isUsed(deps, chat, teamId)) return;
  const provider = chatOf(deps, chat);
  await provider.revoke(secret);
  const moved = await provider.movedFrom?.(secret);
  if (moved && !(await isUsed(deps, chat, moved.teamId))) await provider.revoke(moved.secret);
}

/** Whether another user here has the team, or is about to. */
export async function isUsed(deps: Needed, chat: ChatKind, teamId: string): Promise<boolean> {
  const user = await deps.database.sql
    .selectFrom('destinations')
    .select('id')
    .where('chat', '=', chat)
    .where('team_id', '=', teamId)
    .where(({ or, eb }) =>
      or([eb('state', '=', 'connected'), eb('pending_until', '>=', abandonedBefore(deps))]),
    )
    .executeTakeFirst();
  return user !== undefined;
}

type Upkeep = Needed & Pick<NotificationsDeps, 'vault' | 'log'>;

/**
 * Ends the links that no user came back to connect, at the chat as well as here. What the chat refuses,
 * or the keys do not open, is tried again for a day and then only forgotten; where the chat is
 * unavailable, its others wait for the next round too.
 */
export async function revokeAbandoned(deps: Upkeep): Promise<void> {
  const chats = await abandoned(deps).select('chat').distinct().execute();
  for (const { chat } of chats) await revokeAbandonedOf(deps, chat);
}

async function revokeAbandonedOf(deps: Upkeep, chat: ChatKind): Promise<void> {
  const rows = await abandoned(deps)
    .selectAll()
    .where('chat', '=', chat)
    .orderBy('pending_until')
    .limit(perRound)
    .execute();
  for (const row of rows) {
    try {
      await revokeUnlessUsed(deps, { chat, ...openLink(deps, row) });
    } catch (error) {
      const isGivenUp = row.created_at.getTime() < deps.clock.now().getTime() - dayMs;
      const failure = { destinationId: row.id, isGivenUp, err: error };
      deps.log.warn(failure, 'the secret of an abandoned destination was not revoked');
      if (!isGivenUp && isUnavailable(error)) return;
      if (!isGivenUp) continue;
    }
    await removeDestination(deps.database.sql, row);
  }
}

function abandoned(deps: Needed) {
  return deps.database.sql
    .selectFrom('destinations')
    .where('state', '=', 'pending')
    .where('pending_until', '<', abandonedBefore(deps));
}

/** The chat is asked about each, one after the other: what a round does not reach waits. */
const perRound = 50;

/** A link that was pending until then cannot be connected any more, nor is that under way. */
function abandonedBefore({ clock }: Pick<NotificationsDeps, 'clock'>): Date {
  return new Date(clock.now().getTime() - 60_000);
}
