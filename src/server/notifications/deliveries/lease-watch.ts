import { monotonicMs } from '../../platform/clock.ts';
import type { NotificationsDeps } from '../deps.ts';

/**
 * Says whether the leases of this process still hold, and those of others are over. They end by the clock
 * of the database, which nobody could ask while it was away.
 */
export class LeaseWatch {
  readonly #machineClock: NotificationsDeps['machineClock'];
  readonly #settledWithinMs: number;
  /** By how much the machine's clock was ahead of the monotonic time when it was last looked at. */
  #clockAheadMs: number;
  /** Until this monotonic time, what another worker was sending is left to it. */
  #takesOverFrom = 0;
  #mayBeLost = false;

  /** `settledWithinMs`: after an outage, each worker has written the answers that it alone knows by then. */
  constructor(machineClock: NotificationsDeps['machineClock'], settledWithinMs: number) {
    this.#machineClock = machineClock;
    this.#settledWithinMs = settledWithinMs;
    this.#clockAheadMs = machineClock.now().getTime() - monotonicMs();
  }

  /**
   * Looks at the clock. True when what is held here may be claimed again, by this process or another, until
   * `renew` is called: after a sleep of the machine, or where its clock was set ahead, leases may have ended
   * before the time of this process says so.
   */
  lookAtClock(): boolean {
    const aheadMs = this.#machineClock.now().getTime() - monotonicMs();
    this.#mayBeLost ||= aheadMs - this.#clockAheadMs > harmlessJumpMs;
    this.#clockAheadMs = aheadMs;
    return this.#mayBeLost;
  }

  /** Nothing is held here any more. */
  renew(): void {
    this.#mayBeLost = false;
    this.leaveToOthers();
  }

  /**
   * While the database was away, leases ended that no worker could settle: each first writes the answers that
   * it alone knows.
   */
  leaveToOthers(): void {
    this.#takesOverFrom = monotonicMs() + this.#settledWithinMs;
  }

  /** Whether what another worker was sending may be taken over at this monotonic time. */
  takesOver(atMs: number): boolean {
    return atMs >= this.#takesOverFrom;
  }
}

/** A lease is longer than `postWithinMs` and a post together by more than this. */
const harmlessJumpMs = 4000;
