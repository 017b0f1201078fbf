import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { OpenDatabase } from '../../platform/database/open.ts';
import type { CallQuota, ConfiguredBankSource } from '../../providers/banks/definition.ts';
import type { CallLimiter, KeyedLimiter } from '../../providers/banks/port.ts';

/**
 * Keeps the calls of all workers together below the limits of a source. Each limit is a row, which a
 * call checks and updates in one statement: its lock makes concurrent calls count one after the other.
 */
export function createCallLimiter(
  database: OpenDatabase,
  { kind: source, quota }: Pick<ConfiguredBankSource, 'kind' | 'quota'>,
): CallLimiter {
  if (!quota) return async () => 0;
  return async (providerUserId, purpose) => {
    if (providerUserId !== null) {
      const row = { source, name: `user ${providerUserId}` };
      const limit = { most: quota.perUser[purpose], spanMs: quota.perUser.spanMs };
      const waitMs = await takeOne(database, row, limit, sql`now()`);
      if (waitMs > 0) return waitMs;
    }
    return takeForApplication(database, source, quota.application);
  };
}

/**
 * The same for what a source or a bank allows a few times a day, by a key. It is counted by the
 * application's clock, which is the one that decides when readings are due.
 */
export function createKeyedLimiter(
  database: OpenDatabase,
  clock: Clock,
  source: string,
): KeyedLimiter {
  // The text 'budget' is part of the names that are stored.
  const nameOf = (key: string) =>
    `budget ${createHash('sha256').update(key).digest('hex').slice(0, 32)}`;
  const take: KeyedLimiter = (key, limit) => {
    const at = sql`${clock.now()}::timestamptz`;
    return takeOne(database, { source, name: nameOf(key) }, limit, at);
  };
  return Object.assign(take, {
    async giveBack(key: string): Promise<void> {
      await sql`
        update bank_calls set moments = moments[:cardinality(moments) - 1]
        where source = ${source} and name = ${nameOf(key)}`.execute(database.sql);
    },
  });
}

interface CounterKey {
  source: string;
  name: string;
}

/**
 * The row holds the moments of the last calls that still count. One that is dated well after `at` comes
 * from a clock that was set back, and counts no more.
 */
async function takeOne(
  { sql: database }: OpenDatabase,
  { source, name }: CounterKey,
  { most, spanMs }: { most: number; spanMs: number },
  at: RawBuilder<unknown>,
): Promise<number> {
  const span = milliseconds(spanMs);
  const counts = sql`m > ${at} - ${span} and m < ${at} + interval '1 minute'`;
  const recent = sql`(select m from unnest(c.moments) m where ${counts})`;
  const { rows } = await sql<{ name: string }>`
    insert into bank_calls as c (source, name, free_at, moments)
    values (${source}, ${name}, ${at} + ${span}, array[${at}])
    on conflict (source, name) do update
      set free_at = excluded.free_at, moments = array(${recent}) || excluded.moments
      where (select count(*) from ${recent} r) < ${most}
    returning name`.execute(database);
  if (rows.length > 0) return 0;
  const { rows: waits } = await sql<{ wait: number | null }>`
    select extract(epoch from m + ${span} - ${at})::float8 * 1000 as wait
    from bank_calls c, unnest(c.moments) m
    where c.source = ${source} and c.name = ${name} and ${counts}
    order by m desc offset ${most - 1} limit 1`.execute(database);
  return Math.max(1, waits[0]?.wait ?? 0);
}

/** The row holds the moment until which the calls made so far fill the limit (generic cell rate). */
async function takeForApplication(
  { sql: database }: OpenDatabase,
  source: string,
  { stepMs, burst }: CallQuota['application'],
): Promise<number> {
  const tolerance = milliseconds(stepMs * (burst - 1));
  const step = milliseconds(stepMs);
  const { rows } = await sql<{ name: string }>`
    insert into bank_calls as c (source, name, free_at)
    values (${source}, 'application', now() + ${step})
    on conflict (source, name) do update set free_at = greatest(c.free_at, now()) + ${step}
      where c.free_at - now() <= ${tolerance}
    returning name`.execute(database);
  if (rows.length > 0) return 0;
  const { rows: waits } = await sql<{ wait: number }>`
    select extract(epoch from free_at - now() - ${tolerance})::float8 * 1000 as wait
    from bank_calls where source = ${source} and name = 'application'`.execute(database);
  return Math.max(1, waits[0]?.wait ?? 0);
}

function milliseconds(count: number): RawBuilder<unknown> {
  return sql`${count}::int * interval '1 ms'`;
}
