import type { PreviousFigures } from '../../../shared/message/figures.ts';
import type { JobAttempt } from '../../platform/queue/queue.ts';
import type { ChatKind } from '../../providers/chats/port.ts';
import type { LimitKey } from '../../providers/chats/posting.ts';
import type { PackedDelivery } from '../jobs.ts';
import type { StoredData } from '../messages/queries.ts';

/** A delivery that this process has taken from the queue, with the job that it came in. */
export interface DeliveryTicket {
  data: PackedDelivery;
  pack: JobAttempt & {
    /** How many of the job's deliveries are not settled yet. */
    open: number;
  };
}

/** What a post needs to know about a delivery, its notification and its destination. */
interface Sendable {
  kind: 'daily' | 'test';
  dueAt: Date;
  messengerId: string;
  text: string;
  zone: string | null;
  offsetMinutes: number | null;
  destinationId: string;
  chat: ChatKind;
  teamId: string;
  sealedSecret: string;
  /** How often it was sent again although an earlier post may have arrived. */
  resends: number;
}

/** A delivery as its row was before `markSending`. */
export interface FoundDelivery extends Sendable {
  userId: string;
  id: string;
  outcome: RowChange['outcome'];
  /** How often it was tried. */
  attempts: number;
  /** When its last try began; null when that try is known to have posted nothing. */
  sendingAt: Date | null;
  channelId: string | null;
  /** Whether `{{…}}` in its text stands for variables; null for a draft, whose text decides. */
  variables: boolean | null;
  /** The accounts that a draft covers; null where the saved choice counts. */
  draftAccounts: number[] | null;
  /** Why its notification is paused; null while it is not. */
  pausedReason: string | null;
  /** The state of its destination. */
  state: string;
  /** How long its chat still asks to wait; 0 or less for no wait. */
  blockedSeconds: number;
  /** Another worker marked it a moment ago and is sending it. */
  isBeingSent: boolean;
  /** Its chat allows one more post where an earlier one may have arrived: asked only after a try. */
  isRepeatable: boolean;
  /** `markSending` has just marked it: it is to be posted now. */
  isBegun: boolean;
}

/** One try of one delivery. Its row says that it is being sent; the answer is not known yet. */
export interface Attempt extends Sendable {
  ticket: DeliveryTicket;
  channelId: string;
  /** When its row was marked. */
  begunAt: Date;
  /** The values of its variables; null for a text that has none. */
  data: StoredData | null;
  /** 1 for the first try. */
  number: number;
}

/** The result of a try: what is written to the row of the delivery and to the queue, in one transaction. */
export interface Settlement {
  ticket: DeliveryTicket;
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
  scope: LimitKey;
  teamId: string;
  channelId: string;
  seconds: number;
}

export interface RowChange {
  /** The try that it is the result of: it is written only while the row is still at this try. */
  number: number;
  kind: 'daily' | 'test';
  outcome: 'pending' | 'delivered' | 'failed' | 'missed' | 'uncertain' | 'cancelled';
  /** A code of the chat, or one of ours; reasons.ts has the words. */
  reason: string | null;
  sentAt?: Date | null;
  finishedAt?: Date | null;
  receipt?: string | null;
  /** True when it is certain that nothing was posted: the next try then does not count as a resend. */
  nothingPosted: boolean;
  /** Of a delivered daily message with variables: the balances that it named, by account. */
  figures?: PreviousFigures['balances'];
}

/** An answer of the chat after which nothing is sent until the user acts. */
export type Refusal = {
  userId: string;
  destinationId: string;
  /** The secret that was refused: a refusal of one that was replaced since has no effect. */
  sealedSecret: string;
  code: string;
} & (
  | { cause: 'installation' }
  | { cause: 'permission' | 'channel'; messengerId: string; channelId: string }
);
