import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import type { OpenDatabase } from '../../src/server/platform/database/open.ts';

/** Of the advisory lock that holds back a statement of a test. */
const gateKey = 7;

/**
 * On PostgreSQL: so many statements wait for what another transaction holds. Of this database alone: its
 * server has those of other tests as well.
 */
export async function untilWaiting(database: OpenDatabase, count: number): Promise<void> {
  // Not those of the queue's upkeep, nor of the database's own, which may wait beside a test.
  const waiting = sql<{ pid: number }>`
    select distinct a.pid from pg_stat_activity a join pg_locks l on l.pid = a.pid
    where a.datname = current_database() and a.backend_type = 'client backend' and not l.granted
      and (l.locktype <> 'advisory' or l.objid = ${sql.lit(gateKey)})`;
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
export const passes = `pg_advisory_xact_lock_shared(${gateKey}) is not null`;

/** Begins `statement`, which has `passes` among its conditions, and opens the gate after `meanwhile`. */
export async function whileGateIsShut<Result>(
  database: OpenDatabase,
  statement: () => Promise<Result>,
  meanwhile: () => Promise<unknown>,
): Promise<Result> {
  const { result } = await database.sql.connection().execute(async (gate) => {
    await sql`select pg_advisory_lock(${sql.lit(gateKey)})`.execute(gate);
    try {
      const result = statement();
      result.catch(() => {});
      await untilWaiting(database, 1);
      await meanwhile();
      return { result };
    } finally {
      await sql`select pg_advisory_unlock(${sql.lit(gateKey)})`.execute(gate);
    }
  });
  return await result;
}
