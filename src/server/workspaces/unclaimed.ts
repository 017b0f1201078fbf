import type { Parts } from '../parts.ts';
import { removeWorkspace, type WorkspaceRow } from './queries.ts';
import { withdrawSealedUnlessUsed } from './withdrawal.ts';

type Needed = Pick<Parts, 'database' | 'clock' | 'vault' | 'chat' | 'log'>;

/**
 * Ends the installations that nobody claimed, at the chat as well as here. Where the chat does not
 * answer, the installation stays for the next round.
 */
export async function endUnclaimed(parts: Needed): Promise<void> {
  for (const row of await findUnclaimed(parts)) {
    try {
      await withdrawSealedUnlessUsed(parts, row);
      await removeWorkspace(parts.database.sql, row);
    } catch (error) {
      parts.log.warn({ workspaceId: row.id, err: error }, 'an unclaimed installation did not end');
    }
  }
}

/** So long after its time that whoever claimed it in the last moment is done. */
const marginMs = 60_000;

/** The chat is asked about each, one after the other: what a round does not reach waits. */
const perRound = 50;

function findUnclaimed({ database, clock }: Needed): Promise<WorkspaceRow[]> {
  return database.sql
    .selectFrom('workspaces')
    .selectAll()
    .where('state', '=', 'pending')
    .where('pending_until', '<', new Date(clock.now().getTime() - marginMs))
    .orderBy('pending_until')
    .limit(perRound)
    .execute();
}
