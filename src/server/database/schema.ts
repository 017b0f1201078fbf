import type { ColumnType, Generated } from 'kysely';

/** A timestamptz: read as Date, written as Date. */
type Moment = ColumnType<Date, Date, Date>;
type MomentOrNull = ColumnType<Date | null, Date | null | undefined, Date | null>;

export interface Schema {
  users: UserTable;
  sessions: SessionTable;
  workspaces: WorkspaceTable;
  workspace_authorizations: WorkspaceAuthorizationTable;
  bank_users: BankUserTable;
  bank_visits: BankVisitTable;
  messengers: MessengerTable;
  deliveries: DeliveryTable;
  chat_limits: ChatLimitTable;
  mails: MailTable;
}

interface UserTable {
  id: string;
  email: string;
  /** The e-mail as it is compared: NFKC, lower case. */
  email_key: string;
  password_hash: string;
  firstname: string;
  lastname: string;
  terms_accepted_at: Moment;
  created_at: Moment;
}

interface SessionTable {
  /** SHA-256 of the token, hex: the token itself is never stored. */
  token_hash: string;
  /** No foreign key: a token whose user is gone must still be told apart from an unknown one. */
  user_id: string;
  created_at: Moment;
  last_used_at: Moment;
  expires_at: Moment;
  device: string | null;
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
  claimed_as: ColumnType<string | null, string | null | undefined, string | null>;
  created_at: Moment;
  updated_at: Moment;
}

/** An OAuth state that was given out: single use, ten minutes. */
interface WorkspaceAuthorizationTable {
  state_hash: string;
  user_id: string;
  expires_at: Moment;
}

interface BankUserTable {
  user_id: string;
  /** The provider's own name for our user. */
  provider_user_id: string;
  created_at: Moment;
}

/** A trip to the provider's page: its context nonce tells us what the user came back from. */
interface BankVisitTable {
  nonce: string;
  user_id: string;
  purpose: 'add' | 'edit' | 'pro';
  item_id: ColumnType<number | null, number | null | undefined, number | null>;
  created_at: Moment;
  expires_at: Moment;
}

interface MessengerTable {
  user_id: string;
  id: string;
  workspace_id: string;
  channel_id: string | null;
  channel_name: string | null;
  message: string;
  hours: number;
  minutes: number;
  /** IANA name; null when the hour is held at a fixed offset. */
  zone: string | null;
  /** Minutes east of UTC; null when `zone` decides. */
  offset_minutes: number | null;
  /** The next sending, UTC; null while incomplete or paused. What the planner's index holds. */
  next_at: MomentOrNull;
  /** The last local date (YYYY-MM-DD) that was planned: that day never sends again. */
  planned_on: ColumnType<string | null, string | null | undefined, string | null>;
  paused_at: MomentOrNull;
  /** A chat error code; see deliveries/reasons.ts. */
  paused_reason: ColumnType<string | null, string | null | undefined, string | null>;
  created_at: Moment;
  updated_at: Moment;
}

interface DeliveryTable {
  user_id: string;
  id: string;
  messenger_id: string;
  kind: 'daily' | 'test';
  /** YYYY-MM-DD in the messenger's zone. */
  local_date: string;
  due_at: Moment;
  outcome: Generated<'pending' | 'delivered' | 'failed' | 'missed' | 'uncertain' | 'cancelled'>;
  /** Set just before the post: found set after a crash, the answer is unknown. */
  sending_at: MomentOrNull;
  sent_at: MomentOrNull;
  finished_at: MomentOrNull;
  attempts: Generated<number>;
  resends: Generated<number>;
  /** A chat error code or one of ours; see deliveries/reasons.ts. */
  reason: ColumnType<string | null, string | null | undefined, string | null>;
  channel_id: string | null;
  channel_name: string | null;
  /** Only a test's unsaved draft, erased when it ends: a daily message reads its messenger. */
  draft: ColumnType<string | null, string | null | undefined, string | null>;
  /** The chat's own id of the posted message. */
  chat_ts: ColumnType<string | null, string | null | undefined, string | null>;
  created_at: Moment;
}

/** A Retry-After in force, for one team and method, seen by every worker. */
interface ChatLimitTable {
  team_id: string;
  method: string;
  blocked_until: Moment;
}

interface MailTable {
  user_id: string;
  id: string;
  /** One mail per user, cause and day. */
  cause: string;
  day: string;
  recipient: string;
  subject: string;
  body: string;
  created_at: Moment;
  sent_at: MomentOrNull;
  failure: ColumnType<string | null, string | null | undefined, string | null>;
}
