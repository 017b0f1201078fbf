import type { Generated } from 'kysely';
import type { Moment, MomentOrNull, TextOrNull } from './columns.ts';

export interface MessengerTables {
  messengers: MessengerTable;
  messenger_accounts: MessengerAccountTable;
}

interface MessengerTable {
  user_id: string;
  id: string;
  destination_id: string;
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
  planned_on: TextOrNull;
  paused_at: MomentOrNull;
  /** A chat error code; see deliveries/reasons.ts. */
  paused_reason: TextOrNull;
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
