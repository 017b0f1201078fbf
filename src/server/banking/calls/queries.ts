import { type RawBuilder, sql } from 'kysely';
import type { OpenDatabase } from '../../platform/database/open.ts';
import type { CallQuota, ConfiguredBankSource } from '../../providers/banks/definition.ts';
import type { CallAllowance } from '../../providers/banks/port.ts';

/**
 * Keeps the calls of all workers together below the limits of a source. Each limit is a row, which a
 * call checks and updates in one statement: its lock makes concurrent calls count one after the other.
 */
export function createAllowance(
  database: OpenDatabase,
  { kind, quota }: Pick<ConfiguredBankSource, 'kind' | 'quota'>,
): CallAllowance {
  if (!quota) return async () => 0;
  return async (providerUserId, purpose) => {
    if (providerUserId !== null) {
      const row = { source: kind, name: `user ${providerUserId}` };
      const waitMs = await takeForUser(database, row, quota.perUser, quota.perUser[purpose]);
      if (waitMs > 0) return waitMs;
    }
    return takeForApplication(database, kind, quota.application);
  };
}

interface CounterKey {
  source: string;
  name: string;
}

/** The row holds the moments of the last calls that still count. */
async function takeForUser(
  { sql: database }: OpenDatabase,
  { source, name }: CounterKey,
  { spanMs }: CallQuota['perUser'],
  most: number,
): Promise<number> {
  const span = milliseconds(spanMs);
  const recent = sql`(select m from unnest(c.moments) m where m > now() - ${span})`;
  const { rows } = await sql<{ name: string }>`
    insert into bank_calls as c (source, name, free_at, moments)
    values (${source}, ${name}, now() + ${span}, array[now()])
    on conflict (source, name) do update
      set free_at = excluded.free_at, moments = array(${recent}) || excluded.moments
      where (select count(*) from ${recent} r) < ${most}
    returning name`.execute(database);
  if (rows.length > 0) return 0;
  const { rows: waits } = await sql<{ wait: number | null }>`
    select extract(epoch from m + ${span} - now())::float8 * 1000 as wait
    from bank_calls c, unnest(c.moments) m
    where c.source = ${source} and c.name = ${name} and m > now() - ${span}
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
