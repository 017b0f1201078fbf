import type { PreviousFigures } from '../../../shared/message/figures.ts';
import type { DraftSettings } from '../../platform/database/schema/notifications.ts';
import type { ChatKind } from '../../providers/chats/port.ts';
import type { Chart, LimitScope } from '../../providers/chats/posting.ts';
import type { NamedCrossing } from '../alerts/text.ts';
import type { Refusal } from '../destinations/pausing.ts';
import type { StoredData } from '../messages/queries.ts';

/** What finds a delivery's row, and the claim that a worker has on it. */
export interface DeliveryClaim {
  userId: string;
  messengerId: string;
  /** YYYY-MM-DD. */
  localDate: string;
  sequence: number;
  /** The public id, which the chat is given as well. */
  id: string;
  kind: 'daily' | 'test' | 'alert';
  dueAt: Date;
  /**
   * How often it was claimed to be posted, this time included. Only the worker of the last claim writes to
   * the row.
   */
  attempts: number;
}

/** What a post needs to know about a delivery, its notification and its destination. */
interface Sendable extends DeliveryClaim {
  text: string;
  zone: string | null;
  offsetMinutes: number | null;
  destinationId: string;
  chat: ChatKind;
  teamId: string;
  sealedSecret: string;
  /** Its notification tells bank transactions: some may have been read for it. */
  hasTransactions: boolean;
  /** How many tries have failed so far. One that was returned before its post did not fail. */
  failures: number;
  /** How often it was sent again although an earlier post may have arrived. */
  resends: number;
  /** When the first try began after which it may have arrived; null without one. */
  lostAt: Date | null;
  /** Of an alert: what it tells. Null for another kind, and where all of it was deleted since. */
  crossings: NamedCrossing[] | null;
}

/** A delivery whose lease this worker has just taken. */
export interface ClaimedDelivery extends Sendable {
  /** When its last try began; null when that try is known to have posted nothing. */
  sendingAt: Date | null;
  /** Why its last try posted nothing, of one that is claimed again. */
  lastReason?: string | null;
  channelId: string | null;
  /** Whether `{{…}}` in its text stands for variables. */
  variables: boolean;
  /** The accounts that a draft covers; null where the saved choice counts. */
  draftAccounts: number[] | null;
  /** A chart of its total is to be drawn, where the chat draws one. */
  chart: boolean;
  /** What else a draft says; null where what is saved counts. */
  draftSettings: DraftSettings | null;
  /** Why its notification is paused; null while it is not. */
  pausedReason: string | null;
  /** The state of its destination. */
  state: string;
  /** How long its chat still asks to wait; 0 or less for no wait. */
  blockedSeconds: number;
}

/** One try of one delivery. Its row says that it is being sent; the answer is not known yet. */
export interface Attempt extends Sendable {
  channelId: string;
  /** When its row was marked. */
  begunAt: Date;
  /** Later, in monotonic milliseconds, it is not posted: its lease might end before its post does. */
  postBy: number;
  /** The values of its variables; null for a text that has none. */
  data: StoredData | null;
  /** What is drawn below it. */
  charts?: Chart[] | undefined;
}

/** What becomes of a delivery after an attempt, or instead of one: what is written, and what follows. */
export interface AttemptOutcome {
  /** With its text and the values of its variables, where they were read. */
  delivery: DeliveryClaim & Partial<Pick<Attempt, 'text' | 'data' | 'hasTransactions'>>;
  /** Null leaves the row as it is. */
  change: RowChange | null;
  /** The delivery is tried again after this time; null when it has ended. */
  againAfterSeconds: number | null;
  /** Set when the chat asked to wait. */
  limit?: RateLimit;
  refusal?: Refusal;
  /** Set for a fault that only the operator can mend: a code of the chat, or one of ours. */
  fault?: string;
}

/** A wait that a chat asked for. `teamId` and `channelId` are empty where `scope` is wider. */
export interface RateLimit {
  chat: ChatKind;
  scope: LimitScope;
  teamId: string;
  channelId: string;
  seconds: number;
}

export interface RowChange {
  outcome: 'pending' | 'delivered' | 'failed' | 'missed' | 'uncertain' | 'cancelled';
  /** A code of the chat, or one of ours; reasons.ts has the words. */
  reason: string | null;
  /** From when on the next try is due, where that is later than it was. */
  dueAt?: Date;
  sentAt?: Date | null;
  finishedAt?: Date | null;
  receipt?: string | null;
  /** It is certain that this try posted nothing: the next one does not count as a resend. */
  isUnposted: boolean;
  /** Of a delivered daily message with variables: the balances that it named, by account. */
  figures?: PreviousFigures['balances'];
}
