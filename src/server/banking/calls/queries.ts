import { sql } from 'kysely';
import type { OpenDatabase } from '../../platform/database/open.ts';
import type { CallAllowance } from '../../providers/banks/port.ts';

/**
 * Bridge allows 2,000 calls per application and five minutes (docs.bridgeapi.io/docs/basics). 150
 * at once and one more every 170 ms are at most 1,944 in 305 seconds: calls may arrive closer
 * together than they left.
 */
const application = { stepMs: 170, burst: 150 };

/**
 * 60 per user and minute, by the moments of the calls themselves: a person may use them all at once.
 * Pages that read on their own leave the last six to what the person presses.
 */
const perUser = { act: 60, reading: 54, spanMs: 65_000 };

/**
 * Keeps the calls of all workers together below Bridge's limits: one statement per call, on one row
 * per limit whose lock puts the workers in line.
 */
export function createAllowance(database: OpenDatabase): CallAllowance {
  return async (providerUserId, purpose) => {
    const userId = providerUserId === null ? null : `user ${providerUserId}`;
    if (userId !== null) {
      const waitMs = await takeForUser(database, userId, perUser[purpose]);
      if (waitMs > 0) return waitMs;
    }
    return takeForApplication(database);
  };
}

/** The row holds the moments of the last calls that still count. */
async function takeForUser(
  { sql: database }: OpenDatabase,
  name: string,
  most: number,
): Promise<number> {
  const span = sql`${perUser.spanMs}::int * interval '1 ms'`;
  const recent = sql`(select m from unnest(c.moments) m where m > now() - ${span})`;
  const { rows } = await sql`
    insert into bank_calls as c (name, free_at, moments)
    values (${name}, now() + ${span}, array[now()])
    on conflict (name) do update
      set free_at = excluded.free_at, moments = array(${recent}) || excluded.moments
      where (select count(*) from ${recent} r) < ${most}
    returning name`.execute(database);
  if (rows.length > 0) return 0;
  const { rows: waits } = await sql<{ wait: number | null }>`
    select extract(epoch from m + ${span} - now())::float8 * 1000 as wait
    from bank_calls c, unnest(c.moments) m where c.name = ${name} and m > now() - ${span}
    order by m desc offset ${most - 1} limit 1`.execute(database);
  return Math.max(1, waits[0]?.wait ?? 0);
}

/** The row holds the moment until which the calls made so far fill the limit (generic cell rate). */
async function takeForApplication({ sql: database }: OpenDatabase): Promise<number> {
  const tolerance = sql`${application.stepMs * (application.burst - 1)}::int * interval '1 ms'`;
  const step = sql`${application.stepMs}::int * interval '1 ms'`;
  const { rows } = await sql`
    insert into bank_calls as c (name, free_at) values ('application', now() + ${step})
    on conflict (name) do update set free_at = greatest(c.free_at, now()) + ${step}
      where c.free_at - now() <= ${tolerance}
    returning name`.execute(database);
  if (rows.length > 0) return 0;
  const { rows: waits } = await sql<{ wait: number }>`
    select extract(epoch from free_at - now() - ${tolerance})::float8 * 1000 as wait
    from bank_calls where name = 'application'`.execute(database);
  return Math.max(1, waits[0]?.wait ?? 0);
}
