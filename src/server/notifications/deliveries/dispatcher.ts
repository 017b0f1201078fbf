import { atMost } from '../../platform/at-most.ts';
import { AutoResetEvent } from '../../platform/auto-reset-event.ts';
import { monotonicMs } from '../../platform/clock.ts';
import type { NotificationsDeps } from '../deps.ts';
import { ownCodes } from '../reasons.ts';
import { realignSlots } from '../schedule/slots.ts';
import type { Attempt, ClaimedDelivery } from './attempt.ts';
import { claimWaiting, releaseLeases } from './claiming-waiting.ts';
import { ClockWatch } from './clock-watch.ts';
import { chartsFor, readDeliveryData } from './composing.ts';
import { type ClaimWatch, claimNextDue } from './due.ts';
import { LateReadings } from './late-readings.ts';
import { LeaseWatch } from './lease-watch.ts';
import { Limiter } from './limiter.ts';
import { outcomeOf, type UnmovedResult } from './outcome.ts';
import { OutcomeWriter } from './outcome-writer.ts';
import { postAttempt } from './posting.ts';
import type { DeliverySettings } from './settings.ts';
import { beginTest, endImpossibleWaits } from './store.ts';

/**
 * Carries deliveries from their slots to the chat: claims as many as it may hold, posts them, and writes
 * how they ended. A database that is away stops it for as long, and nothing is lost.
 */
export class Dispatcher {
  readonly #deps: NotificationsDeps;
  readonly #settings: DeliverySettings;
  readonly #limiter: Limiter;
  readonly #writer: OutcomeWriter;
  readonly #clockWatch: ClockWatch;
  readonly #claimWatch: ClaimWatch;
  readonly #leaseWatch: LeaseWatch;
  /** In flight, by the id of the delivery. */
  readonly #posts = new Map<string, Promise<void>>();
  readonly #wake = new AutoResetEvent();
  readonly #loop: Promise<void>;
  readonly #stopListening: () => void;
  #stopping = false;
  /** Something waits that is not due by a slot: a test, or what another worker returned. */
  #mustCheckWaiting = true;
  #checkedAt = Number.NEGATIVE_INFINITY;
  /** When a slot is due next, in monotonic milliseconds. */
  #dueAt = 0;
  #hasClaimed = false;
  #hasLoadedChats = false;

  constructor(deps: NotificationsDeps, settings: DeliverySettings) {
    this.#deps = deps;
    this.#settings = settings;
    this.#writer = new OutcomeWriter(deps);
    this.#clockWatch = new ClockWatch(deps, settings.steadyClockMs);
    const lateReadings = new LateReadings(deps, settings);
    this.#claimWatch = {
      check: (...moments) => this.#clockWatch.check(...moments),
      isHeld: (slot, now) => lateReadings.isHeld(slot, now),
    };
    this.#leaseWatch = new LeaseWatch(deps.machineClock, settings.settledWithinMs);
    this.#limiter = new Limiter({
      paceOf: (chat) => settings.paceOf(deps.chats.get(chat)),
      perChat: settings.concurrency,
      monotonicMs,
    });
    this.#stopListening = deps.signals.onWaiting(() => {
      this.#mustCheckWaiting = true;
      this.#wake.set();
    });
    this.#loop = this.#run();
  }

  /**
   * Takes no more work, finishes what is in flight within `patienceMs`, writes every answer and returns
   * the rest to the database.
   */
  async stop(patienceMs: number): Promise<void> {
    this.#stopping = true;
    this.#stopListening();
    this.#wake.set();
    const isFinished = await atMost(
      patienceMs,
      this.#finish().then(() => true),
      false,
    );
    if (isFinished) return;
    const kept = { unanswered: this.#posts.size, unwritten: this.#writer.size };
    this.#deps.log.warn(
      kept,
      'stopped before every answer was written: these count as possibly posted',
    );
  }

  async #finish(): Promise<void> {
    await this.#loop;
    await this.#endAll();
  }

  /** Returns what waits, and writes how the posts in flight end. */
  async #endAll(): Promise<void> {
    // Before the posts end: they may take all the time there is.
    for (const attempt of this.#limiter.takeAll()) this.#return(attempt, 0);
    while (this.#posts.size > 0) await Promise.all(this.#posts.values());
    await this.#writer.flush();
  }

  async #run(): Promise<void> {
    await this.#prepare();
    while (!this.#stopping) {
      if (this.#leaseWatch.lookAtClock()) {
        await this.#endAll();
        this.#leaseWatch.renew();
      }
      const waitMs = await this.#claim().catch(async (error) => {
        // What was claimed and not heard of is taken up again when its lease ends.
        this.#deps.log.warn({ err: error }, 'the database does not answer');
        this.#leaseWatch.leaveToOthers();
        return retryMs;
      });
      for (const { attempt, seconds } of this.#limiter.returnExcess()) {
        this.#return(attempt, seconds);
      }
      this.#startPosts();
      if (this.#stopping) return;
      if (waitMs > 0 && this.#posts.size === 0) this.#loadChats();
      await this.#wake.wait(waitMs);
    }
  }

  /** Once, and while nothing is posted: the first message of the day does not wait for it. */
  #loadChats(): void {
    if (this.#hasLoadedChats) return;
    this.#hasLoadedChats = true;
    for (const [chat, { load }] of this.#deps.chats) {
      load?.().catch((err) => this.#deps.log.error({ err, chat }, 'a chat cannot be loaded'));
    }
  }

  async #prepare(): Promise<void> {
    const { database, log } = this.#deps;
    while (!this.#stopping) {
      try {
        if (database.engine === 'embedded') await releaseLeases(this.#deps);
        await endImpossibleWaits(this.#deps);
        return await realignSlots(this.#deps);
      } catch (error) {
        log.warn({ err: error }, 'the database does not answer');
        await this.#wake.wait(retryMs);
      }
    }
  }

  /**
   * Claims up to what this process may hold. Returns the milliseconds until there may be more. While
   * outcomes are kept that the database does not take, nothing is claimed: it might be the same
   * deliveries.
   */
  async #claim(): Promise<number> {
    const { concurrency, idleMs, claimAtLeastEveryMs } = this.#settings;
    const tooManyUnwritten = Math.max(0, this.#writer.size - maxUnwritten * concurrency);
    const most = Math.min(
      maxUnposted * concurrency - this.#limiter.backlog - tooManyUnwritten,
      maxWaiting * concurrency - this.#limiter.size,
    );
    // No claim fails then, which would tell that the database is away.
    if (this.#writer.isFailing) this.#leaseWatch.leaveToOthers();
    if (this.#writer.isFailing || most < leastClaimed * concurrency) return gatherMs;
    const now = monotonicMs();
    const isSure = this.#clockWatch.isSure(this.#deps.clock.now());
    if (isSure && (this.#mustCheckWaiting || now - this.#checkedAt >= idleMs)) {
      this.#mustCheckWaiting = false;
      this.#checkedAt = now;
      const waiting = await this.#claimWaiting(most);
      this.#mustCheckWaiting ||= waiting === most;
      if (waiting > 0) return 0;
    }
    if (!isSure || now >= this.#dueAt) {
      const claimedFrom = monotonicMs();
      const { deliveries, written, waitMs } = await claimNextDue(
        this.#deps,
        most,
        this.#settings,
        this.#claimWatch,
      );
      await this.#begin(deliveries, claimedFrom);
      this.#dueAt = monotonicMs() + Math.min(waitMs, claimAtLeastEveryMs);
      if (waitMs === 0) {
        this.#hasClaimed ||= written > 0;
        return 0;
      }
      if (this.#hasClaimed) this.#deps.heartbeat.beat();
      this.#hasClaimed = false;
    }
    const soonest = this.#limiter.size > 0 ? limitedMs : idleMs;
    return Math.max(0, Math.min(soonest, this.#dueAt - monotonicMs()));
  }

  async #claimWaiting(count: number): Promise<number> {
    const now = this.#deps.clock.now();
    const settings = this.#settings;
    const claimedFrom = monotonicMs();
    const { deliveries, outcomes } = await claimWaiting(this.#deps, {
      ...{ now, count, settings, held: this.#heldIds() },
      takesOver: this.#leaseWatch.takesOver(claimedFrom),
    });
    for (const outcome of outcomes) this.#writer.add(outcome);
    await this.#begin(deliveries, claimedFrom);
    return deliveries.length + outcomes.length;
  }

  /** What this process has claimed and not settled: it alone knows whether it is posted. */
  #heldIds(): string[] {
    return [...this.#limiter.deliveryIds, ...this.#posts.keys(), ...this.#writer.deliveryIds];
  }

  /** `claimedFrom`: the monotonic time before their claim, and so before their leases began. */
  async #begin(deliveries: ClaimedDelivery[], claimedFrom: number): Promise<void> {
    if (deliveries.length === 0) return;
    const begunAt = this.#deps.clock.now();
    const postBy = claimedFrom + this.#settings.postWithinMs;
    const read = await readDeliveryData(this.#deps, deliveries);
    const charts = await chartsFor(this.#deps, deliveries);
    const attempts: Attempt[] = [];
    for (const delivery of deliveries) {
      const data = read.get(delivery.id) ?? null;
      const attempt = {
        ...delivery,
        begunAt,
        postBy,
        channelId: delivery.channelId ?? '',
        charts: charts.get(delivery.id),
        data: typeof data === 'string' ? null : data,
      };
      if (data === 'postponed') this.#return(attempt, this.#settings.backoffSeconds(1));
      else if (data === 'broken') this.#end(attempt, { end: 'fault', code: ownCodes.notComposed });
      else attempts.push(attempt);
    }
    this.#limiter.add(attempts);
    this.#startPosts();
  }

  /** Starts the posts that the limiter allows now. */
  #startPosts(): void {
    if (this.#leaseWatch.lookAtClock() || this.#stopping) return;
    for (const attempt of this.#limiter.takeAllowed()) {
      this.#posts.set(attempt.id, this.#postOne(attempt));
    }
  }

  async #postOne(taken: Attempt): Promise<void> {
    const isBegun = taken.kind !== 'test' || (await this.#beginTest(taken));
    const posted = isBegun ? await postAttempt(this.#deps, taken, this.#settings) : null;
    const end = posted?.result.end;
    this.#limiter.release(taken, end === 'ambiguous' || end === 'transient');
    if (posted) this.#end(posted.attempt, posted.result);
    this.#posts.delete(taken.id);
    this.#startPosts();
    if (this.#limiter.backlog < this.#settings.concurrency) this.#wake.set();
  }

  async #beginTest(test: Attempt): Promise<boolean> {
    try {
      return await beginTest(this.#deps, test);
    } catch (error) {
      this.#deps.log.warn({ err: error, deliveryId: test.id }, 'a test cannot be begun');
      this.#return(test, this.#settings.backoffSeconds(1));
      return false;
    }
  }

  #end(attempt: Attempt, result: UnmovedResult): void {
    const repeat = this.#deps.chats.get(attempt.chat)?.repeat ?? 'never';
    const [now, settings] = [this.#deps.clock.now(), this.#settings];
    this.#writer.add(outcomeOf(attempt, result, { now, settings, repeat }));
  }

  /** Nothing was posted: any worker may take it again after this time. */
  #return(delivery: Attempt, againAfterSeconds: number): void {
    const change = { outcome: 'pending', reason: null, isUnposted: true } as const;
    this.#writer.add({ delivery, change, againAfterSeconds });
  }
}

/**
 * Times `concurrency`: the most deliveries that are claimed and not answered. So many are enough to go on
 * posting during the next claim. There are no more of them, because all that a killed worker has claimed
 * counts as possibly posted.
 */
const maxUnposted = 2.5;
/**
 * Times `concurrency`: fewer are not claimed, because a claim of few costs nearly as much as one of many. With
 * twice as much, posts run dry during a claim.
 */
const leastClaimed = 0.25;
/**
 * Times `concurrency`: the outcomes that may wait to be written before less is claimed. They are lost with
 * a killed worker as well.
 */
const maxUnwritten = 1;
/** Times `concurrency`: the most deliveries that wait, those of stalled chats among them. */
const maxWaiting = 4;
/** While no more may be claimed: until outcomes are written or posts have ended. */
const gatherMs = 5;
/** Between two checks of deliveries that the limiter holds back for their channel or team. */
const limitedMs = 20;
const retryMs = 250;
