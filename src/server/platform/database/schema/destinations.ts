import type { Moment, MomentOrNull, TextOrNull } from './columns.ts';

export interface DestinationTables {
  destinations: DestinationTable;
  destination_authorizations: DestinationAuthorizationTable;
}

/** Where one user lets us post: an installation of our bot in a team of a chat, or one linked channel. */
interface DestinationTable {
  user_id: string;
  id: string;
  /** Which chat: a `kind` of providers/chats/registry.ts, or one that was taken out since. */
  chat: string;
  team_id: string;
  team_name: string;
  bot_user_id: string | null;
  /** Its only channel, where the chat has one to a link. */
  channel_id: TextOrNull;
  channel_name: TextOrNull;
  /** Comma-separated, as the chat answered. */
  scope: string;
  sealed_secret: string;
  /** pending: not yet claimed by its user, unusable. disconnected: we were removed there. */
  state: 'pending' | 'connected' | 'disconnected';
  pending_until: MomentOrNull;
  /** The pending id it was last claimed by: the same handle sent again changes nothing. */
  claimed_as: TextOrNull;
  created_at: Moment;
  updated_at: Moment;
}

/** An OAuth state that was given out: single use, ten minutes. */
interface DestinationAuthorizationTable {
  state_hash: string;
  user_id: string;
  chat: string;
  expires_at: Moment;
}
