import { forgetFutureReadings } from '../../banking/refreshing/queries.ts';
import { maxClockSkewMs, monotonicMs } from '../../platform/clock.ts';
import type { NotificationsDeps } from '../deps.ts';
import { forgetLaterClaims, realignSlots } from '../schedule/slots.ts';
import { recordFault } from './recording-outcomes.ts';
import { deleteMissedAhead, endImpossibleWaits, shortenWaits } from './store.ts';

/**
 * What may be done at this moment. `nothing`: the machine's clock and the database's differ.
 * `sendings`: no day may be counted as missed, because slots were claimed at a later moment than now.
 */
export type ClockTrust = 'nothing' | 'sendings' | 'everything';

type Needed = Pick<
  NotificationsDeps,
  'database' | 'log' | 'clock' | 'machineClock' | 'faults' | 'randomness'
>;

/**
 * Notices when a clock is wrong, and mends plans that were made while it ran ahead; at the start, whatever put
 * them off.
 */
export class ClockWatch {
  readonly #deps: Needed;
  readonly #steadyMs: number;
  /** Null until the first check. */
  #isSkewed: boolean | null = null;
  /** What the clock showed at the last check, and the monotonic time then. */
  #last: { now: number; at: number };
  /** The last jump ahead that this process saw: of what the clock showed, to what. */
  #jump: { from: number; to: number } | null = null;
  /** Whether slots that lay later than they can be were planned again since the start. */
  #hasMendedPlans = false;
  /** Since when the clock runs evenly at a time that is earlier than slots were claimed. */
  #evenSince: number | null = null;

  constructor(deps: Needed, steadyMs: number) {
    this.#deps = deps;
    this.#steadyMs = steadyMs;
    this.#last = { now: deps.clock.now().getTime(), at: monotonicMs() };
  }

  /** Whether the last check saw no difference, and the clock has not jumped since. */
  isSure(now: Date): boolean {
    const expected = this.#last.now + monotonicMs() - this.#last.at;
    return this.#isSkewed === false && Math.abs(now.getTime() - expected) <= maxClockSkewMs;
  }

  /** `claimedAt`: when a slot was claimed last, by the clock of the worker that did it. */
  async check(now: Date, databaseNow: Date, claimedAt: Date | null): Promise<ClockTrust> {
    const jumpedMs = this.#follow(now.getTime());
    if (this.#noteSkew(databaseNow)) return 'nothing';
    if (claimedAt === null || now.getTime() >= claimedAt.getTime() - maxClockSkewMs) {
      this.#evenSince = null;
      if (!this.#hasMendedPlans) {
        // What another worker has moved on at this minute stays, though this clock is behind that worker's.
        await realignSlots(this.#deps, new Date(now.getTime() + maxClockSkewMs));
        this.#hasMendedPlans = true;
      }
      return 'everything';
    }
    if (this.#wasAhead(now.getTime())) {
      await this.#realign(now, this.#jump);
      return 'everything';
    }
    if (this.#evenSince === null || Math.abs(jumpedMs) > maxClockSkewMs) {
      this.#evenSince = monotonicMs();
      this.#deps.log.warn({ now, claimedAt }, 'the clock shows an earlier time than before');
    }
    if (monotonicMs() - this.#evenSince < this.#steadyMs) return 'sendings';
    await this.#accept(now, claimedAt);
    return 'everything';
  }

  /** Returns by how much the clock went ahead of the monotonic time since the last check. */
  #follow(now: number): number {
    const at = monotonicMs();
    const expected = this.#last.now + at - this.#last.at;
    if (now - expected > maxClockSkewMs) this.#jump = { from: expected, to: now };
    this.#last = { now, at };
    return now - expected;
  }

  /** Returns whether the two clocks differ, which is logged once at its beginning and at its end. */
  #noteSkew(databaseNow: Date): boolean {
    const { log, machineClock } = this.#deps;
    const skewMs = Math.abs(machineClock.now().getTime() - databaseNow.getTime());
    const isSkewed = skewMs > maxClockSkewMs;
    if (isSkewed && !this.#isSkewed) {
      const apartSeconds = Math.round(skewMs / 1000);
      log.error(
        { apartSeconds },
        'no message is planned: the clocks of database and machine differ',
      );
    } else if (!isSkewed && this.#isSkewed) {
      log.warn('the clocks of database and machine agree again: planning goes on');
    }
    this.#isSkewed = isSkewed;
    return isSkewed;
  }

  /** The clock is back between the two ends of its jump: it had run ahead. */
  #wasAhead(now: number): boolean {
    return this.#jump !== null && now >= this.#jump.from - maxClockSkewMs && now < this.#jump.to;
  }

  async #accept(now: Date, claimedAt: Date): Promise<void> {
    const { log, randomness } = this.#deps;
    log.error({ now, claimedAt }, 'the clock was set back: its time is believed from now on');
    await this.#realign(now, null);
    await recordFault(this.#deps, { code: 'clock_set_back', deliveryId: randomness.uuid() });
  }

  /**
   * Slots that were planned by a later clock are planned again, and days that it recorded as missed
   * before they came are removed where its jump was seen. Days that were sent stay in the history.
   */
  async #realign(now: Date, jump: { from: number; to: number } | null): Promise<void> {
    if (jump) {
      await deleteMissedAhead(this.#deps, now, new Date(jump.to));
      const waits = { aheadMs: jump.to - jump.from, fromMs: jump.to - now.getTime() };
      await shortenWaits(this.#deps, waits);
    }
    await forgetFutureReadings(this.#deps, now);
    await realignSlots(this.#deps, now);
    await endImpossibleWaits(this.#deps);
    await forgetLaterClaims(this.#deps, now);
    // Only now: what fails on the way is tried again at the next check.
    this.#evenSince = null;
    this.#jump = null;
  }
}
