import { maxClockSkewMs } from '../../platform/clock.ts';
import type { ChatProvider } from '../../providers/chats/port.ts';
import type { Pace } from '../../providers/chats/posting.ts';
import { lateAfterMs, uselessAfterMs } from '../schedule/next-sending.ts';

/** The durations and sizes of planning and sending. Tests shorten some of them. */
export interface DeliverySettings {
  /** A daily message that is later than this is not sent any more. */
  uselessAfterMs: number;
  /**
   * For this time after a worker has claimed a delivery, other workers leave it alone. Covers
   * `postWithinMs`, the longest post, of 25 s, and a jump of the clock that is too small to be seen.
   */
  leaseMs: number;
  /** After the database was away, workers write within this time how their posts ended. */
  settledWithinMs: number;
  /** A test that its process did not cancel is cancelled after this time. */
  testWithinMs: number;
  /** A message that is later than this says so in its last line. */
  lateAfterMs: number;
  /** So long a late message waits at most for the readings of its banks. */
  lateReadingsMs: number;
  /** The wait between failure number `failure` and the next try. */
  backoffSeconds(failure: number): number;
  /** How long posts wait when the chat limits them and does not say for how long. */
  unknownLimitSeconds: number;
  /**
   * The longest wait that is kept for what comes later, however long a chat asks for. After it, one post
   * tries whether the limit still holds.
   */
  longestLimitSeconds: number;
  /** Posts in flight at once for one chat, in this process. */
  concurrency: number;
  /** How fast a chat is posted to; undefined stands for a chat that is not offered here any more. */
  paceOf(chat: Pick<ChatProvider, 'pace'> | undefined): Pace;
  /** A delivery whose claim began longer ago, and which is not posted yet, is returned. */
  postWithinMs: number;
  /** The pause between two checks of what waits: tests, and deliveries to be tried again. */
  idleMs: number;
  /**
   * The longest pause between two checks for due messages: an hour may have been changed, or the clock
   * set.
   */
  claimAtLeastEveryMs: number;
  /** The pause between two checks for figures that other processes have read, and for due summaries. */
  alertsIdleMs: number;
  /** So long a clock that was set back must run evenly before plans of a later time are given up. */
  steadyClockMs: number;
}

export const deliverySettings: DeliverySettings = {
  uselessAfterMs,
  leaseMs: 45_000,
  settledWithinMs: 12_000,
  // The clocks of two processes may differ by twice what is allowed to each.
  testWithinMs: 60_000 + 2 * maxClockSkewMs,
  lateAfterMs,
  lateReadingsMs: 30_000,
  backoffSeconds: (failure) => Math.min(600, 5 * 3 ** (failure - 1)),
  unknownLimitSeconds: 30,
  longestLimitSeconds: uselessAfterMs / 1000,
  concurrency: 200,
  paceOf: (chat) => chat?.pace ?? { channelGapMs: 1000, perTeam: 8, perSecond: null },
  postWithinMs: 15_000,
  idleMs: 250,
  claimAtLeastEveryMs: 500,
  alertsIdleMs: 1000,
  steadyClockMs: 600_000,
};
