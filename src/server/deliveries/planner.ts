import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { refreshStatistics } from '../database/upkeep.ts';
import type { Parts } from '../parts.ts';
import type { DeliveryLimits } from './limits.ts';
import { planDue } from './planning.ts';
import { createSignal } from './signal.ts';

export interface Planner {
  stop(): Promise<void>;
}

/** Wakes at the next moment of any messenger, at the latest after half a second, and plans what is due. */
export function startPlanner(parts: Parts, limits: DeliveryLimits): Planner {
  const wake = createSignal();
  let stopping = false;

  async function run(): Promise<void> {
    while (!stopping) {
      const waitMs = await planAll().catch((error) => {
        parts.log.warn({ err: error }, 'planning waits for the database');
        return limits.planAtLeastEveryMs;
      });
      if (!stopping) await wake.wait(waitMs);
    }
  }

  /** Returns the milliseconds to the next moment. Other work gets its turn between the batches. */
  async function planAll(): Promise<number> {
    let total = 0;
    for (;;) {
      const waitMs = await untilNext();
      const planned = waitMs > 0 || stopping ? 0 : await planDue(parts, parts.clock.now(), limits);
      if (planned > 0) parts.queue.announce('deliveries');
      total += planned;
      if (planned === 0) {
        if (total >= manyRows) await refreshStatistics(parts.database);
        // What is due and still there is in the hands of another worker.
        return waitMs > 0 ? waitMs : busyMs;
      }
      await nextTurn();
    }
  }

  async function untilNext(): Promise<number> {
    const { rows } = await sql<{ next: Date | null }>`
      select min(next_at) as next from messengers where next_at is not null`.execute(
      parts.database.sql,
    );
    const next = rows[0]?.next;
    if (!next) return limits.planAtLeastEveryMs;
    return Math.min(limits.planAtLeastEveryMs, next.getTime() - parts.clock.now().getTime());
  }

  const running = run();
  return {
    async stop() {
      stopping = true;
      wake.ring();
      await running;
    },
  };
}

const busyMs = 50;

const manyRows = 1000;
