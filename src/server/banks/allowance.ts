import { sql } from 'kysely';
import type { OpenDatabase } from '../database/open.ts';
import { records } from '../database/records.ts';
import type { CallAllowance } from '../providers/bank.ts';

/**
 * Bridge allows 60 calls per user and minute, 2,000 per application and five minutes
 * (docs.bridgeapi.io/docs/basics). `burst` calls at once and one more every `stepMs` stay below
 * that in any minute (18 + 41) and any five (200 + 1,765), whatever the number of workers.
 */
const application = { name: 'application', stepMs: 170, burst: 200 };
const perUser = { stepMs: 1470, burst: 18 };

/**
 * One row per limit holds the moment until which the calls made so far use it up (the generic cell
 * rate algorithm): a call is one statement, and the row's lock puts all workers in line.
 */
export function createAllowance(database: OpenDatabase): CallAllowance {
  return async (providerUserId) => {
    const limits = [
      application,
      ...(providerUserId === null ? [] : [{ name: `user ${providerUserId}`, ...perUser }]),
    ];
    const taken = await take(database, limits);
    const exhausted = limits.filter(({ name }) => !taken.has(name));
    return exhausted.length === 0 ? 0 : waitFor(database, exhausted);
  };
}

interface Limit {
  name: string;
  stepMs: number;
  burst: number;
}

/** The names whose limit had room. In one order everywhere, so that no two calls wait for each other. */
async function take({ sql: database }: OpenDatabase, limits: Limit[]): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    insert into bank_calls as c (name, free_at)
    select name, now() + "stepMs" * interval '1 ms'
    from ${records(limits, 'name text, "stepMs" int')} order by name
    on conflict (name) do update
      set free_at = greatest(c.free_at, now()) + (excluded.free_at - now())
      where c.free_at - now() <= case c.name
        when ${application.name} then ${toleranceMs(application)}::int
        else ${toleranceMs(perUser)}::int end * interval '1 ms'
    returning name`.execute(database);
  return new Set(rows.map(({ name }) => name));
}

/** Milliseconds, at least one, until all of them have room again. */
async function waitFor({ sql: database }: OpenDatabase, limits: Limit[]): Promise<number> {
  const asked = limits.map((limit) => ({ name: limit.name, tolerance: toleranceMs(limit) }));
  const { rows } = await sql<{ wait: number | null }>`
    select max(extract(epoch from c.free_at - now()) * 1000 - given.tolerance)::float8 as wait
    from ${records(asked, 'name text, tolerance int')} join bank_calls c on c.name = given.name`.execute(
    database,
  );
  return Math.max(1, rows[0]?.wait ?? 0);
}

function toleranceMs({ stepMs, burst }: Pick<Limit, 'stepMs' | 'burst'>): number {
  return stepMs * (burst - 1);
}
