import type { PreviousFigures } from '../../../shared/message/figures.ts';
import type { JobAttempt } from '../../platform/queue/queue.ts';
import type { ChatKind, LimitKey } from '../../providers/chats/port.ts';
import type { PackedDelivery } from '../jobs.ts';
import type { StoredData } from '../messages/queries.ts';

/** A delivery that this process holds, with the job that brought it. */
export interface DeliveryTicket {
  data: PackedDelivery;
  pack: JobAttempt & {
    /** How many of the job's deliveries are not settled yet. */
    open: number;
  };
}

/** One try of one delivery: its row says that it is being sent, the answer is not known yet. */
export interface Attempt {
  ticket: DeliveryTicket;
  kind: 'daily' | 'test';
  dueAt: Date;
  /** When its row was marked. */
  begunAt: Date;
  messengerId: string;
  destinationId: string;
  chat: ChatKind;
  teamId: string;
  channelId: string;
  /** As it stands in the row: changed since, a refusal no longer concerns it. */
  sealedSecret: string;
  text: string;
  /** What its variables are filled in with; null for a text that has none. */
  data: StoredData | null;
  zone: string | null;
  offsetMinutes: number | null;
  /** 1 for the first try. */
  number: number;
  /** How often an answer was lost before this try: the message may already stand in the chat. */
  resends: number;
}

/** What becomes of a delivery's row and of its place in the queue, written together. */
export interface Settlement {
  ticket: DeliveryTicket;
  /** Null leaves the row as it is. */
  change: RowChange | null;
  /** It comes back after so many seconds; null when it has ended. */
  againAfterSeconds: number | null;
  /** The chat asked to wait. */
  limit?: Limit;
  refusal?: Refusal;
  /** The code of what only the operator can mend: the chat refused what we sent, or is unknown here. */
  fault?: string;
}

/** Whose posts wait, and how long. Team and channel are empty where `scope` is wider. */
export interface Limit {
  chat: ChatKind;
  scope: LimitKey;
  teamId: string;
  channelId: string;
  seconds: number;
}

export interface RowChange {
  /** Only while the row is still at this try. */
  number: number;
  kind: 'daily' | 'test';
  outcome: 'pending' | 'delivered' | 'failed' | 'missed' | 'uncertain' | 'cancelled';
  /** A code of the chat or of reasons.ts. */
  reason: string | null;
  sentAt: Date | null;
  finishedAt: Date | null;
  receipt: string | null;
  /** True when it is known that nothing was posted: the next try is no resend. */
  nothingPosted: boolean;
  /** Of a delivered daily message with variables: what it said, by account. */
  figures?: PreviousFigures['balances'];
}

/** An answer after which the user must act. */
export interface Refusal {
  userId: string;
  messengerId: string;
  destinationId: string;
  channelId: string;
  sealedSecret: string;
  cause: 'installation' | 'permission' | 'channel';
  code: string;
}
