import { type ChatKind, isUnavailable } from '../../providers/chats/port.ts';
import { chatOf } from '../chats.ts';
import type { NotificationsDeps } from '../deps.ts';
import { type DestinationRow, linkOf, removeDestination } from './queries.ts';
import { claimMarginMs, withdrawUnlessUsed } from './withdrawal.ts';

type Needed = Pick<NotificationsDeps, 'database' | 'clock' | 'vault' | 'chats' | 'log'>;

/**
 * Ends the links that no user claimed, at the chat as well as here. What the chat refuses,
 * or the keys do not open, is tried again for a day and then only forgotten; where the chat is
 * unavailable, its others wait for the next round too.
 */
export async function endUnclaimed(deps: Needed): Promise<void> {
  const silent = new Set<ChatKind>();
  for (const row of await findUnclaimed(deps)) {
    if (silent.has(row.chat)) continue;
    try {
      await withdrawUnlessUsed(deps, chatOf(deps, row.chat), {
        chat: row.chat,
        ...linkOf(deps, row),
      });
    } catch (error) {
      const isGivenUp = row.created_at.getTime() < deps.clock.now().getTime() - dayMs;
      const failure = { destinationId: row.id, isGivenUp, err: error };
      deps.log.warn(failure, 'the secret of an unclaimed destination was not withdrawn');
      if (!isGivenUp) {
        if (isUnavailable(error)) silent.add(row.chat);
        continue;
      }
    }
    await removeDestination(deps.database.sql, row);
  }
}

const dayMs = 86_400_000;

/** The chat is asked about each, one after the other: what a round does not reach waits. */
const perRound = 50;

function findUnclaimed({ database, clock }: Needed): Promise<DestinationRow[]> {
  return database.sql
    .selectFrom('destinations')
    .selectAll()
    .where('state', '=', 'pending')
    .where('pending_until', '<', new Date(clock.now().getTime() - claimMarginMs))
    .orderBy('pending_until')
    .limit(perRound)
    .execute();
}
