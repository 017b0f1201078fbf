import type { ColumnType } from 'kysely';
import type { Moment, MomentOrNull } from './columns.ts';

export interface DeletionTables {
  deletions: DeletionTable;
  deletion_chats: DeletionChatTable;
}

/** The erasure of an account, from its request until the receipt is mailed. */
interface DeletionTable {
  id: string;
  receipt_hash: string;
  /** These three are forgotten as soon as they are needed no more. */
  user_id: string | null;
  /** By bank source, its id of the user. Written as JSON. */
  provider_users: ColumnType<Record<string, string> | null, string | null, string | null>;
  recipient: string | null;
  requested_at: Moment;
  /** When the work on it last began. */
  tried_at: Moment;
  data_done_at: MomentOrNull;
  bank_done_at: MomentOrNull;
  chat_done_at: MomentOrNull;
  mailed_at: MomentOrNull;
}

/** A chat's secret still to be withdrawn, moved here with the key it was sealed for in destinations. */
interface DeletionChatTable {
  user_id: string;
  id: string;
  chat: string;
  team_id: string;
  sealed_secret: string;
}
