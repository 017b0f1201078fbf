import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import type { OpenDatabase } from '../../src/server/platform/database/open.ts';

/**
 * On PostgreSQL: so many statements wait for what another transaction holds. Of this database alone: its
 * server has those of other tests as well.
 */
export async function untilWaiting(database: OpenDatabase, count: number): Promise<void> {
  const waiting = sql<{ pid: number }>`
    select pid from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  await vi.waitFor(
    async () => expect((await waiting.execute(database.sql)).rows).toHaveLength(count),
    { timeout: 15_000, interval: 20 },
  );
}

/**
 * On PostgreSQL: begins `statement`, the text of which contains `words`. It sees what was there before
 * `meanwhile`, and reaches the rows of the table only afterwards. Meanwhile the table is called `real_…`.
 */
export async function afterSnapshot<Result>(
  database: OpenDatabase,
  { table, words }: { table: string; words: string },
  statement: () => Promise<Result>,
  meanwhile: () => Promise<unknown>,
): Promise<Result> {
  const run = (text: string) => sql.raw(text).execute(database.sql);
  await run(`alter table ${table} rename to real_${table}`);
  await run(`create view ${table} as select * from real_${table}
    where case when current_query() like '%${words}%' then ${passes} else true end`);
  try {
    return await whileGateIsShut(database, statement, meanwhile);
  } finally {
    await run(`drop view ${table}; alter table real_${table} rename to ${table}`);
  }
}

/** A condition, in SQL, that waits until the gate is open. */
export const passes = 'pg_advisory_xact_lock_shared(7) is not null';

/** Begins `statement`, which has `passes` among its conditions, and opens the gate after `meanwhile`. */
export async function whileGateIsShut<Result>(
  database: OpenDatabase,
  statement: () => Promise<Result>,
  meanwhile: () => Promise<unknown>,
): Promise<Result> {
  const { result } = await database.sql.connection().execute(async (gate) => {
    await sql`select pg_advisory_lock(7)`.execute(gate);
    try {
      const result = statement();
      result.catch(() => {});
      await untilWaiting(database, 1);
      await meanwhile();
      return { result };
    } finally {
      await sql`select pg_advisory_unlock(7)`.execute(gate);
    }
  });
  return await result;
}
