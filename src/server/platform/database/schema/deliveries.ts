import type { ColumnType, Generated } from 'kysely';
import type { Moment, MomentOrNull, TextOrNull } from './columns.ts';

export interface DeliveryTables {
  deliveries: DeliveryTable;
  chat_limits: ChatLimitTable;
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
  reason: TextOrNull;
  channel_id: string | null;
  channel_name: string | null;
  /** Only a test's unsaved draft, erased when it ends: a daily message reads its messenger. */
  draft: TextOrNull;
  /** The accounts chosen in that draft, a JSON list of ids; null when it is about the saved ones. */
  draft_accounts: ColumnType<number[] | null, string | null | undefined, string | null>;
  /** What the chat gave for the posted message: its own id of it. */
  receipt: TextOrNull;
  /** What a delivered daily message said, by account: minor units and their currency. JSON. */
  figures: ColumnType<
    Record<string, [number, string]> | null,
    string | null | undefined,
    string | null
  >;
  created_at: Moment;
}

/**
 * Until when posts wait, seen by every worker. A `service`, `team` or `channel` was asked to wait by
 * its chat; a `turn` is the gap between two messages in one channel that several notifications share.
 */
interface ChatLimitTable {
  chat: string;
  scope: 'service' | 'team' | 'channel' | 'turn';
  /** Empty for the whole service. */
  team_id: string;
  /** Empty for a whole team or service. */
  channel_id: string;
  blocked_until: Moment;
}
