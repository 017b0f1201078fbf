import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { refreshStatistics } from '../database/upkeep.ts';
import type { Parts } from '../parts.ts';
import type { DeliveryLimits } from './limits.ts';
import { planDue } from './planning.ts';
import { createSignal } from './signal.ts';

/** Wakes at the next moment of any messenger, at the latest after half a second, and plans what is due. */
export class Planner {
  readonly #parts: Parts;
  readonly #limits: DeliveryLimits;
  readonly #wake = createSignal();
  readonly #running: Promise<void>;
  #stopping = false;

  constructor(parts: Parts, limits: DeliveryLimits) {
    this.#parts = parts;
    this.#limits = limits;
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
        this.#parts.log.warn({ err: error }, 'planning waits for the database');
        return this.#limits.planAtLeastEveryMs;
      });
      if (!this.#stopping) await this.#wake.wait(waitMs);
    }
  }

  /** Returns the milliseconds to the next moment. Other work gets its turn between the batches. */
  async #planAll(): Promise<number> {
    const { clock, database, queue, heartbeat } = this.#parts;
    for (let total = 0; ; await nextTurn()) {
      const waitMs = await this.#untilNext();
      const isDue = waitMs <= 0 && !this.#stopping;
      const planned = isDue ? await planDue(this.#parts, clock.now(), this.#limits) : 0;
      if (planned > 0) queue.announce('deliveries');
      total += planned;
      if (planned > 0) continue;
      if (total > 0) heartbeat.beat();
      if (total >= manyRows) await refreshStatistics(database);
      // What is due and still there is in the hands of another worker.
      return waitMs > 0 ? waitMs : busyMs;
    }
  }

  async #untilNext(): Promise<number> {
    const { clock, database } = this.#parts;
    const { planAtLeastEveryMs } = this.#limits;
    const { rows } = await sql<{ next: Date | null }>`
      select min(next_at) as next from messengers where next_at is not null`.execute(database.sql);
    const next = rows[0]?.next;
    return next
      ? Math.min(planAtLeastEveryMs, next.getTime() - clock.now().getTime())
      : planAtLeastEveryMs;
  }
}

const busyMs = 50;

const manyRows = 1000;
