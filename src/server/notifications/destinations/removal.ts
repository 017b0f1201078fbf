import { inTransaction } from '../../platform/database/transactions.ts';
import type { ChatKind, ChatRemoval } from '../../providers/chats/port.ts';
import type { NotificationsDeps } from '../deps.ts';
import { pauseAfterRefusal, type Refusal } from './pausing.ts';
import { type DestinationRow, removeDestination, type SealedSecret } from './queries.ts';

type Needed = Parameters<typeof pauseAfterRefusal>[0] &
  Pick<NotificationsDeps, 'database' | 'clock'>;

/**
 * The bot's secret belongs to the team: every user's link of that team stops, with its
 * notifications, and each owner is written to. What was connected after the removal stays, so that
 * an event that comes late, or again, undoes nothing.
 */
export async function disconnectTeam(
  deps: Needed,
  chat: ChatKind,
  removal: ChatRemoval,
): Promise<void> {
  await inTransaction(deps.database.sql, async (transaction) => {
    const installed = await transaction
      .selectFrom('destinations')
      .selectAll()
      .where('chat', '=', chat)
      .where(({ or, eb }) => {
        const ofTeam = eb('team_id', '=', removal.teamId);
        const { channelId } = removal;
        return channelId === undefined ? ofTeam : or([ofTeam, eb('channel_id', '=', channelId)]);
      })
      .where('state', '<>', 'disconnected')
      .orderBy('user_id')
      .orderBy('id')
      .forNoKeyUpdate()
      .execute();
    for (const destination of installed.filter((one) => isEndedBy(removal, one))) {
      if (destination.state === 'pending') {
        await removeDestination(transaction, destination);
      } else {
        const refusal = refusalOfRemoval(destination, removal.code);
        await pauseAfterRefusal(deps, transaction, refusal, deps.clock.now());
      }
    }
  });
}

/** A chat's moments are whole seconds: what was connected in the same one was there before. */
function isEndedBy({ at, botUserIds }: ChatRemoval, destination: DestinationRow): boolean {
  const connectedSecond = Math.floor(destination.updated_at.getTime() / 1000);
  if (connectedSecond > at.getTime() / 1000) return false;
  return !botUserIds || !destination.bot_user_id || botUserIds.includes(destination.bot_user_id);
}

/** What the chat would answer to a message, for every notification of the destination. */
export function refusalOfRemoval(destination: SealedSecret, code: string): Refusal {
  const { user_id: userId, id: destinationId, sealed_secret: sealedSecret } = destination;
  return { kind: 'installation', code, userId, destinationId, sealedSecret, isOfMessage: false };
}
