import { isUnavailable } from '../../providers/chats/port.ts';
import type { NotificationsDeps } from '../deps.ts';
import { openToken, removeWorkspace, type WorkspaceRow } from './queries.ts';
import { claimMarginMs, withdrawUnlessUsed } from './withdrawal.ts';

type Needed = Pick<NotificationsDeps, 'database' | 'clock' | 'vault' | 'chat' | 'log'>;

/**
 * Ends the installations that nobody claimed, at the chat as well as here. What the chat refuses,
 * or the keys do not open, is tried again for a day and then only forgotten; where the chat is
 * unavailable, the others wait for the next round too.
 */
export async function endUnclaimed(deps: Needed): Promise<void> {
  for (const row of await findUnclaimed(deps)) {
    try {
      await withdrawUnlessUsed(deps, { token: openToken(deps, row), teamId: row.team_id });
    } catch (error) {
      const isGivenUp = row.created_at.getTime() < deps.clock.now().getTime() - dayMs;
      const failure = { workspaceId: row.id, isGivenUp, err: error };
      deps.log.warn(failure, 'the token of an unclaimed installation was not withdrawn');
      if (!isGivenUp) {
        if (isUnavailable(error)) return;
        continue;
      }
    }
    await removeWorkspace(deps.database.sql, row);
  }
}

const dayMs = 86_400_000;

/** The chat is asked about each, one after the other: what a round does not reach waits. */
const perRound = 50;

function findUnclaimed({ database, clock }: Needed): Promise<WorkspaceRow[]> {
  return database.sql
    .selectFrom('workspaces')
    .selectAll()
    .where('state', '=', 'pending')
    .where('pending_until', '<', new Date(clock.now().getTime() - claimMarginMs))
    .orderBy('pending_until')
    .limit(perRound)
    .execute();
}
