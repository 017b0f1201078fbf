import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import type { OpenDatabase } from '../../src/server/platform/database/open.ts';

/** On PostgreSQL: so many statements wait for what another transaction holds. */
export async function untilWaiting(database: OpenDatabase, count: number): Promise<void> {
  const waiting = sql<{ pid: number }>`
    select pid from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  await vi.waitFor(
    async () => expect((await waiting.execute(database.sql)).rows).toHaveLength(count),
    { timeout: 15_000, interval: 20 },
  );
}
