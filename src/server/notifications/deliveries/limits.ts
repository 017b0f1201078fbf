import type { ChatProvider, Pace } from '../../providers/chats/port.ts';

/** The numbers that deliveries live by. A test of a rule may shorten them; production never does. */
export interface DeliveryLimits {
  /** A daily message later than this is of no use any more. */
  uselessAfterMs: number;
  /**
   * Within this time of its marking a delivery counts as being sent by the worker that marked it: a
   * wait for a free place, the post's own time limit, and a reserve.
   */
  answerWithinMs: number;
  /** A test that its process did not cancel is cancelled after this time. */
  testWithinMs: number;
  /** From here on a message says that it is late. */
  lateAfterMs: number;
  /** Seconds before try number `attempt + 1`. */
  backoffSeconds(attempt: number): number;
  /** Seconds that posts wait when the chat says "too many" without saying how long. */
  unknownLimitSeconds: number;
  /** However long the chat says: after this time one looks whether it still means it. */
  longestLimitSeconds: number;
  /** Posts in flight at once in this process. */
  concurrency: number;
  /** How fast a chat is posted to; undefined for one that is not known here. */
  paceOf(chat: Pick<ChatProvider, 'pace'> | undefined): Pace;
  /** A job that waited this long in this process goes back to the queue. */
  heldAtMostMs: number;
  /** How often an idle worker looks into the queue. */
  idleMs: number;
  /** The planner looks at least this often: for a messenger just saved, for a clock that jumped. */
  planAtLeastEveryMs: number;
  /** Messengers planned in one transaction. */
  planningBatch: number;
}

export const deliveryLimits: DeliveryLimits = {
  uselessAfterMs: 6 * 3_600_000,
  answerWithinMs: 25_000,
  testWithinMs: 60_000,
  lateAfterMs: 60_000,
  backoffSeconds: (attempt) => Math.min(600, 5 * 3 ** Math.max(0, attempt - 1)),
  unknownLimitSeconds: 30,
  longestLimitSeconds: 3600,
  concurrency: 200,
  paceOf: (chat) => chat?.pace ?? { channelGapMs: 1000, perTeam: 8, perSecond: null },
  heldAtMostMs: 15_000,
  idleMs: 250,
  planAtLeastEveryMs: 500,
  planningBatch: 500,
};
