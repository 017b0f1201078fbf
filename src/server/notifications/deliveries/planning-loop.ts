import { setImmediate as nextTurn } from 'node:timers/promises';
import { refreshStatistics } from '../../platform/database/records.ts';
import type { NotificationsDeps } from '../deps.ts';
import { deliveryJobs } from '../jobs.ts';
import { earliestSending } from '../messengers/queries.ts';
import { takeBackFuture } from './clock-ahead.ts';
import { planDue } from './planning.ts';
import type { DeliverySettings } from './settings.ts';
import { Signal } from './signal.ts';

/** Wakes when the next messenger is due, and at least every half second, and plans what is due. */
export class PlanningLoop {
  readonly #deps: NotificationsDeps;
  readonly #settings: DeliverySettings;
  readonly #wake = new Signal();
  readonly #running: Promise<void>;
  #stopping = false;
  /**
   * The latest moment at which it planned. Infinite at first: an earlier process may have planned
   * while the clock was ahead.
   */
  #seen = Number.POSITIVE_INFINITY;

  constructor(deps: NotificationsDeps, settings: DeliverySettings) {
    this.#deps = deps;
    this.#settings = settings;
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#wake.ring();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      const waitMs = await this.#planAll().catch((error) => {
        this.#deps.log.warn({ err: error }, 'planning waits for the database');
        return this.#settings.planAtLeastEveryMs;
      });
      if (!this.#stopping) await this.#wake.wait(waitMs);
    }
  }

  /** Returns the milliseconds to the next moment. Other work gets its turn between the batches. */
  async #planAll(): Promise<number> {
    const { clock, database, queue, heartbeat } = this.#deps;
    await this.#watchClock();
    for (let total = 0; ; await nextTurn()) {
      const waitMs = await this.#untilNext();
      const isDue = waitMs <= 0 && !this.#stopping;
      const now = clock.now();
      const planned = isDue ? await planDue(this.#deps, now, this.#settings) : 0;
      this.#seen = Math.max(this.#seen, now.getTime());
      if (planned > 0) queue.announce(deliveryJobs);
      total += planned;
      if (planned > 0) continue;
      if (total > 0) heartbeat.beat();
      if (total >= manyRows) await refreshStatistics(database, ['deliveries', 'messengers']);
      // What is due and still there is locked by another worker.
      return waitMs > 0 ? waitMs : busyMs;
    }
  }

  async #watchClock(): Promise<void> {
    const now = this.#deps.clock.now();
    if (now.getTime() >= this.#seen - jumpMs) return;
    await takeBackFuture(this.#deps, now);
    this.#seen = now.getTime();
  }

  async #untilNext(): Promise<number> {
    const { clock, database } = this.#deps;
    const { planAtLeastEveryMs } = this.#settings;
    const next = await earliestSending(database);
    return next
      ? Math.min(planAtLeastEveryMs, next.getTime() - clock.now().getTime())
      : planAtLeastEveryMs;
  }
}

/** A clock set back by less has planned nothing that is not due in a moment. */
const jumpMs = 60_000;

const busyMs = 50;

const manyRows = 1000;
