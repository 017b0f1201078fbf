import type { Moment, MomentOrNull, TextOrNull } from './columns.ts';

export interface WorkspaceTables {
  workspaces: WorkspaceTable;
  workspace_authorizations: WorkspaceAuthorizationTable;
}

/** One user's installation of the bot in one chat workspace. */
interface WorkspaceTable {
  user_id: string;
  id: string;
  team_id: string;
  team_name: string;
  bot_user_id: string | null;
  /** Comma-separated, as the chat answered. */
  scope: string;
  sealed_token: string;
  /** pending: not yet claimed by its user, unusable. disconnected: the bot was removed there. */
  state: 'pending' | 'connected' | 'disconnected';
  pending_until: MomentOrNull;
  /** The pending id it was last claimed by: the same handle sent again changes nothing. */
  claimed_as: TextOrNull;
  created_at: Moment;
  updated_at: Moment;
}

/** An OAuth state that was given out: single use, ten minutes. */
interface WorkspaceAuthorizationTable {
  state_hash: string;
  user_id: string;
  expires_at: Moment;
}
