import type { ColumnType, Generated } from 'kysely';

/** A timestamptz: read as Date, written as Date. */
type Moment = ColumnType<Date, Date, Date>;
type MomentOrNull = ColumnType<Date | null, Date | null | undefined, Date | null>;
type TextOrNull = ColumnType<string | null, string | null | undefined, string | null>;

export interface Schema {
  users: UserTable;
  sessions: SessionTable;
  workspaces: WorkspaceTable;
  workspace_authorizations: WorkspaceAuthorizationTable;
  bank_users: BankUserTable;
  bank_visits: BankVisitTable;
  bank_items: BankItemTable;
  bank_accounts: BankAccountTable;
  bank_balances: BankBalanceTable;
  bank_refreshes: BankRefreshTable;
  bank_calls: BankCallTable;
  messengers: MessengerTable;
  messenger_accounts: MessengerAccountTable;
  deliveries: DeliveryTable;
  chat_limits: ChatLimitTable;
  mails: MailTable;
  operator_mails: OperatorMailTable;
  attempts: AttemptTable;
  account_links: AccountLinkTable;
  second_factors: SecondFactorTable;
  recovery_codes: RecoveryCodeTable;
  deletions: DeletionTable;
  deletion_chats: DeletionChatTable;
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
  /** Null until a link sent to `email` was followed. It blocks nothing. */
  email_confirmed_at: MomentOrNull;
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
  /** Its name in the list of sessions; it opens nothing. */
  id: Generated<string>;
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

/** A bank connection as the provider last described it. */
interface BankItemTable {
  user_id: string;
  id: number;
  bank_id: number;
  bank_name: string;
  status: number;
  status_description: string | null;
  last_successful_refresh: MomentOrNull;
  authentication_expires_at: MomentOrNull;
  seen_at: Moment;
}

interface BankAccountTable {
  user_id: string;
  id: number;
  item_id: number;
  bank_id: number;
  bank_name: string;
  name: string;
  type: string;
  currency: string;
  /** In the currency's minor unit; null when the bank did not give it. */
  balance_minor: number | null;
  /** As of when the bank gave the balance. */
  updated_at: MomentOrNull;
  first_seen_at: Moment;
  /** Since when the provider no longer lists it: hidden, and erased some weeks later. */
  gone_at: MomentOrNull;
}

/** The last balance the bank gave for a day of Paris. */
interface BankBalanceTable {
  user_id: string;
  account_id: number;
  /** YYYY-MM-DD. */
  day: string;
  balance_minor: number;
  currency: string;
  as_of: Moment;
}

interface BankRefreshTable {
  user_id: string;
  /** When the reading of what is stored began, by the application's clock. */
  refreshed_at: MomentOrNull;
  attempted_at: MomentOrNull;
  /** How the last attempt failed: a kind of BankProviderError. */
  failure: TextOrNull;
  /** Somebody is reading until then, by the database's clock. */
  leased_until: MomentOrNull;
  /** A job for it waits in the queue since then. */
  wanted_at: MomentOrNull;
  /** Grows with every erasure here: what was read before one is not stored after it. */
  erasures: Generated<number>;
}

/** How far the calls of all workers have used up a limit of the provider; see banks/allowance.ts. */
interface BankCallTable {
  name: string;
  /** From then on the row says nothing any more. */
  free_at: Moment;
  moments: Generated<Date[]>;
}

interface MessengerTable {
  user_id: string;
  id: string;
  workspace_id: string;
  channel_id: string | null;
  channel_name: string | null;
  /** Other notifications post there too, as far as is known: workers take turns. */
  channel_shared: Generated<boolean>;
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
  /** Days of the week it sends on: a bit each, Monday = 1 … Sunday = 64. */
  days: Generated<number>;
  /** The first local date (YYYY-MM-DD) it sends on again, by the user's wish. */
  paused_until: TextOrNull;
  /** Paused by the user until he says otherwise. */
  stopped: Generated<boolean>;
  /** The region whose public holidays it skips. */
  holidays: TextOrNull;
  account_scope: Generated<'all' | 'chosen'>;
  /** With chosen accounts: whether one that has no row in messenger_accounts is among them. */
  includes_new: Generated<boolean>;
  /** Whether `{{…}}` in its text is a variable: a text saved before there were any keeps its letters. */
  variables: Generated<boolean>;
  created_at: Moment;
  updated_at: Moment;
}

interface MessengerAccountTable {
  user_id: string;
  messenger_id: string;
  account_id: number;
  included: boolean;
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
  /** The accounts chosen in that draft, a JSON list of ids; null when it is about the saved ones. */
  draft_accounts: ColumnType<number[] | null, string | null | undefined, string | null>;
  /** The chat's own id of the posted message. */
  chat_ts: ColumnType<string | null, string | null | undefined, string | null>;
  /** What a delivered daily message said, by account: minor units and their currency. JSON. */
  figures: ColumnType<
    Record<string, [number, string]> | null,
    string | null | undefined,
    string | null
  >;
  created_at: Moment;
}

/**
 * Until when posts wait, seen by every worker: a Retry-After in force for a team (`post`), or the gap
 * between two messages in one channel (`channel C…`).
 */
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
  /** What stands for `[lien]` in the body, sealed for this row; null once sent. */
  sealed_link: TextOrNull;
}

/** A link that was mailed or printed and works once; the token in it is not stored. */
interface AccountLinkTable {
  token_hash: string;
  user_id: string;
  purpose: 'password' | 'email';
  /** The address it was sent to, which following it confirms; null for one that was printed. */
  email: string | null;
  created_at: Moment;
  expires_at: Moment;
}

interface SecondFactorTable {
  user_id: string;
  sealed_secret: string;
  /** Null until the first code was given: signing in does not ask for one before. */
  confirmed_at: MomentOrNull;
  /** The latest time step (30 s since 1970) whose code was taken: that one and older are refused. */
  used_step: Generated<number>;
  created_at: Moment;
}

/** Argon2 is for what people choose: a code of 80 random bits is kept as SHA-256. Used ones go. */
interface RecoveryCodeTable {
  user_id: string;
  code_hash: string;
}

/** The erasure of an account, from its request until the receipt is mailed. */
interface DeletionTable {
  id: string;
  receipt_hash: string;
  /** These three are forgotten as soon as they are needed no more. */
  user_id: string | null;
  provider_user_id: string | null;
  recipient: string | null;
  requested_at: Moment;
  /** When the work on it last began. */
  tried_at: Moment;
  data_done_at: MomentOrNull;
  bank_done_at: MomentOrNull;
  chat_done_at: MomentOrNull;
  mailed_at: MomentOrNull;
}

/** A chat token still to be withdrawn, moved here with the key it was sealed for in workspaces. */
interface DeletionChatTable {
  user_id: string;
  id: string;
  team_id: string;
  sealed_token: string;
}

/** How often something that may be abused was tried; see attempts/limits.ts. */
interface AttemptTable {
  /** A hash: of what is tried, and of the account, the address or both. */
  counter: string;
  /** The same account in all its counters, as a hash; null when it is about an address alone. */
  account: string | null;
  failures: Generated<number>;
  counted_at: Moment;
  blocked_until: MomentOrNull;
  /** The account signed in from this address, not long before. */
  known_until: MomentOrNull;
  expires_at: Moment;
}

/** What was told to an address of OPERATOR_EMAILS: once per cause and day. */
interface OperatorMailTable {
  cause: string;
  day: string;
  recipient: string;
  subject: string;
  body: string;
  created_at: Moment;
  sent_at: MomentOrNull;
  failure: TextOrNull;
}
