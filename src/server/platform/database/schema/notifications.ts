import type { ColumnType, Generated } from 'kysely';
import type { AttentionKind } from '../../../../shared/message/attention-kinds.ts';
import type { PreviousFigures } from '../../../../shared/message/figures.ts';
import type { TransactionsChoice } from '../../../../shared/message/transactions.ts';
import type { Moment, MomentOrNull, TextOrNull } from './columns.ts';

export interface NotificationTables {
  /**
   * Where one user lets us post: an installation of our bot in a team of a chat, or one linked channel.
   */
  destinations: {
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
    /**
     * Only a connected one is posted to. pending: not connected by its user yet, or used by no
     * notification any more; the upkeep revokes it after `pending_until`. disconnected: the chat refused
     * or removed us, the account is being deleted, or a reset by mail ended it (decision 20).
     */
    state: 'pending' | 'connected' | 'disconnected';
    pending_until: MomentOrNull;
    /** The pending id it was last claimed by: the same handle sent again changes nothing. */
    claimed_as: TextOrNull;
    created_at: Moment;
    updated_at: Moment;
  };
  /** An OAuth state or the code of an invitation that was given out: single use, ten minutes. */
  destination_authorizations: {
    state_hash: string;
    user_id: string;
    chat: string;
    expires_at: Moment;
    /** The pending destination that an invitation led to. */
    destination_id: TextOrNull;
  };
  /** The process that asks a chat for its events, by the clock of the database. */
  chat_listeners: {
    chat: string;
    holder: string;
    held_until: Moment;
  };
  /** An address that a user asked to be written to, and what its owner said. */
  mailboxes: {
    user_id: string;
    /** Stands as the id of the channel, so that no address does. */
    id: string;
    chat: string;
    address: string;
    /** The form in which addresses are compared. */
    address_key: string;
    state: 'asked' | 'confirmed' | 'refused';
    created_at: Moment;
    updated_at: Moment;
  };
  /** What the links in mails carry. An unsubscription has no end: the mail may be years old. */
  mailbox_tokens: {
    token_hash: string;
    user_id: string;
    mailbox_id: string;
    purpose: 'confirmation' | 'unsubscription';
    expires_at: MomentOrNull;
  };
  /** A confirmation mail that was sent to an address, for any user. Kept for a week. */
  mailbox_requests: {
    /** SHA-256 of the address. */
    address_hash: string;
    asked_at: Moment;
  };
  messengers: {
    user_id: string;
    id: string;
    destination_id: string;
    /** The mailbox whose owner is asked to take it; it may be gone meanwhile. */
    asked_mailbox_id: TextOrNull;
    channel_id: string | null;
    channel_name: string | null;
    message: string;
    hours: number;
    minutes: number;
    /** IANA name; null when the hour is held at a fixed offset. */
    zone: string | null;
    /** Minutes east of UTC; null when `zone` decides. */
    offset_minutes: number | null;
    /**
     * The slot of its schedule and its user: it changes with the hour, the zone, the days and the
     * holidays.
     */
    slot_id: string;
    /** Sendings after this moment are its own: when it was created, resumed, or its schedule changed. */
    active_since: Moment;
    /** The last local date (YYYY-MM-DD) that had a sending by then: only later days send. */
    planned_on: TextOrNull;
    paused_at: MomentOrNull;
    /** A chat error code; see notifications/reasons.ts. */
    paused_reason: TextOrNull;
    /** Days of the week it sends on: a bit each, Monday = 1 … Sunday = 64. */
    days: Generated<number>;
    /** The first local date (YYYY-MM-DD) it sends on again, by the user's wish. */
    paused_until: TextOrNull;
    /** Paused by the user until they say otherwise. */
    stopped: Generated<boolean>;
    /** The region whose public holidays it skips. */
    holidays: TextOrNull;
    account_scope: Generated<'all' | 'chosen'>;
    /** With chosen accounts: whether one that has no row in messenger_accounts is among them. */
    includes_new: Generated<boolean>;
    /**
     * Whether `{{…}}` in its text is a variable: a text saved before there were any keeps its letters.
     */
    variables: Generated<boolean>;
    /** Whether a chart of its total is drawn, where its chat draws one. */
    chart: Generated<boolean>;
    /** What it points out: a bit for each of `attentionKinds`, the first being 1. */
    attention: Generated<number>;
    /** How much of the bank transactions it tells. */
    operations: Generated<TransactionsChoice>;
    created_at: Moment;
    updated_at: Moment;
  };
  messenger_accounts: {
    user_id: string;
    messenger_id: string;
    account_id: number;
    included: boolean;
  };
  /**
   * The notifications of one schedule, for a quarter of the users. Its next sending is claimed in the
   * order of their keys, from the one after the cursor.
   */
  slots: {
    id: Generated<string>;
    hours: number;
    minutes: number;
    zone: string | null;
    offset_minutes: number | null;
    days: number;
    holidays: string | null;
    /** 0 to 3, of the user: several workers can claim one hour. */
    shard: number;
    /** The next sending, UTC. */
    next_at: Moment;
    /** The day that it counts for, YYYY-MM-DD in the schedule's zone. */
    local_date: string;
    /** The cursor: the last notification that was claimed of this sending. Null at its beginning. */
    after_user: TextOrNull;
    after_messenger: TextOrNull;
    /** The moment of the last claim, by the clock of the worker. */
    claimed_at: MomentOrNull;
  };
  /** Partitioned by the month of `local_date`. */
  deliveries: {
    user_id: string;
    messenger_id: string;
    /** YYYY-MM-DD in the messenger's zone. */
    local_date: string;
    /** 0 is the daily message of that day; tests and alerts count from 1. */
    sequence: Generated<number>;
    id: string;
    kind: 'daily' | 'test' | 'alert';
    due_at: Moment;
    outcome: Generated<'pending' | 'delivered' | 'failed' | 'missed' | 'uncertain' | 'cancelled'>;
    /**
     * While it is pending: when a worker may take it, by the clock of the database. After a wait, or
     * when the lease of the worker that sends it has ended.
     */
    run_at: Generated<Date>;
    /** Set before the post, of a test just before it: found set when the lease has ended, it may have been posted. */
    sending_at: MomentOrNull;
    /** When the try began whose answer was lost: a chat may take a repeat for so long after it. */
    lost_at: MomentOrNull;
    sent_at: MomentOrNull;
    finished_at: MomentOrNull;
    /** How often it was claimed to be posted. */
    attempts: Generated<number>;
    /** After how many of these its chat did not take it, or its answer was lost, and it is tried again. */
    failures: Generated<number>;
    resends: Generated<number>;
    /** A chat error code or one of ours; see notifications/reasons.ts. */
    reason: TextOrNull;
    channel_id: string | null;
    channel_name: string | null;
    /** Only a test's unsaved draft, erased when it ends: a daily message reads its messenger. */
    draft: TextOrNull;
    /** The accounts chosen in that draft, a JSON list of ids; null when it is about the saved ones. */
    draft_accounts: ColumnType<number[] | null, string | null | undefined, string | null>;
    /** What else was chosen in that draft, as JSON; erased with it. */
    draft_settings: ColumnType<DraftSettings | null, string | null | undefined, string | null>;
    /** What the chat gave for the posted message: its own id of it. */
    receipt: TextOrNull;
    /**
     * What a delivered daily message said, by account: minor units and their currency. JSON. While it is
     * pending, null for each account that was erased meanwhile.
     */
    figures: ColumnType<
      Record<string, PreviousFigures['balances'][string] | null> | null,
      string | null | undefined,
      string | null
    >;
    created_at: Moment;
  };
  /** The bank transactions that a notification will tell next. */
  message_operations: {
    user_id: string;
    messenger_id: string;
    /** The sending that the last reading was made for. */
    due_at: Moment;
    /** When that reading was asked for. */
    scheduled_at: Moment;
    /**
     * The accounts that were read before, as JSON: by id, the day (YYYY-MM-DD) up to which all was known
     * then. What is old in another account is not told. Earlier versions wrote a list of ids. An account
     * whose transactions have had other ids since has that day as `renewedAfter`; `isUnread`: what moved
     * until then was not read; `isRead`: all was read under the present ids since, and not told yet. The same
     * day stands under a keyed hash of the account's IBAN as well.
     */
    accounts: ColumnType<StoredKnownAccounts, string | undefined, string>;
    /** What was read, until the message has ended. */
    sealed: TextOrNull;
    /** Of what `sealed` tells, a JSON list; null with it. Earlier versions wrote the `print` alone. */
    prints: ColumnType<
      (StoredFingerprint | StoredReadAccount | string)[] | null,
      string | null | undefined,
      string | null
    >;
  };
  /**
   * A bank transaction that a notification has read, kept for 32 days: two keyed hashes, one of its id at its
   * source and one of what it is.
   */
  operation_prints: {
    user_id: string;
    messenger_id: string;
    print: string;
    read_at: Moment;
    /** A message with it was delivered, or it is older than the notification. */
    is_told: boolean;
  };
  /**
   * Until when posts wait, seen by every worker: a `service`, `team` or `channel` was asked to wait by
   * its chat. A `turn` was written by earlier versions, and no post waits for it.
   */
  chat_limits: {
    chat: string;
    scope: 'service' | 'team' | 'channel' | 'turn';
    /** Empty for the whole service. */
    team_id: string;
    /** Empty for a whole team or service. */
    channel_id: string;
    blocked_until: Moment;
  };
  /** How fast a team of a chat may use the balance command, seen by every process. */
  chat_questions: {
    chat: string;
    team_id: string;
    /** When the commands so far do not count any more. */
    free_at: Moment;
  };
}

export type StoredKnownAccounts = Record<string, KnownUntil> | number[];
export type KnownUntil =
  | string
  | null
  | { renewedAfter: string | null; isUnread?: true; isRead?: true };

/** The fingerprint of a bank transaction that a message will tell, and its account, by our number. */
export interface StoredFingerprint {
  print: string;
  account: number;
}

/** What an account that was read, by our number, is known by once its message has arrived. */
export interface StoredReadAccount {
  account: number;
  /** What is added to the known accounts, and the keys that say nothing any more. */
  known: Record<string, string>;
  outdated: string[];
}

/** What the test of an unsaved draft says; what is missing is as it is saved. */
export interface DraftSettings {
  /** Whether `{{…}}` in its text stands for variables. */
  variables?: boolean;
  attention?: AttentionKind[];
  operations?: TransactionsChoice;
  chart?: boolean;
  /** The bank transactions that were read for it. */
  sealed?: string;
}
