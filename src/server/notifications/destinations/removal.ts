import type { Platform } from '../../platform/platform.ts';
import type { ChatRemoval } from '../../providers/chats/port.ts';
import type { Refusal } from '../deliveries/attempt.ts';
import { pauseAfterRefusal } from '../messengers/pausing.ts';
import { removeWorkspace, type WorkspaceRow } from './queries.ts';

type Needed = Pick<
  Platform,
  'database' | 'queue' | 'randomness' | 'vault' | 'configuration' | 'clock'
>;

/**
 * The bot's token belongs to the team: every user's installation of that team stops, with its
 * notifications, and each owner is written to. What was connected after the removal stays, so that
 * a notice that comes late, or again, undoes nothing.
 */
export async function disconnectTeam(deps: Needed, removal: ChatRemoval): Promise<void> {
  await deps.database.sql.transaction().execute(async (transaction) => {
    const installed = await transaction
      .selectFrom('workspaces')
      .selectAll()
      .where('team_id', '=', removal.teamId)
      .where('state', '<>', 'disconnected')
      .orderBy('user_id')
      .orderBy('id')
      .forNoKeyUpdate()
      .execute();
    for (const workspace of installed) {
      if (!concerns(removal, workspace)) continue;
      if (workspace.state === 'pending') {
        await removeWorkspace(transaction, workspace);
      } else {
        const refusal = endOf(workspace, removal.code);
        await pauseAfterRefusal(deps, transaction, refusal, deps.clock.now());
      }
    }
  });
}

/** Slack's moments are whole seconds: what was connected in the same one was there before. */
function concerns({ at, botUserIds }: ChatRemoval, workspace: WorkspaceRow): boolean {
  const connectedSecond = Math.floor(workspace.updated_at.getTime() / 1000);
  if (connectedSecond > at.getTime() / 1000) return false;
  return !botUserIds || !workspace.bot_user_id || botUserIds.includes(workspace.bot_user_id);
}

/** What the chat would have answered to a message, for every notification of the workspace. */
export function endOf(
  workspace: Pick<WorkspaceRow, 'user_id' | 'id' | 'sealed_token'>,
  code: string,
): Refusal {
  const { user_id: userId, id: workspaceId, sealed_token: sealedToken } = workspace;
  const nowhere = { messengerId: '', channelId: '' };
  return { cause: 'installation', code, userId, workspaceId, sealedToken, ...nowhere };
}
