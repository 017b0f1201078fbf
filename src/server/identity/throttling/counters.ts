import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { records } from '../../platform/database/records.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { Platform } from '../../platform/platform.ts';
import { accountHash, type Limit } from './limits.ts';

type Needed = Pick<Platform, 'database'>;

interface Count {
  counter: string;
  failures: number;
  counted_at: Date;
  blocked_until: Date | null;
  known_until: Date | null;
}

/** What is not added to for so long counts from zero again. */
const forgottenAfterMs = 3_600_000;
/** How long somebody who signed in is known in a place. */
const knownForMs = 90 * 24 * 3_600_000;

/**
 * Adds one to each counter that applies, or says until when one of them lets nobody through. Looks
 * before it locks: ten thousand refusals cost ten thousand short reads.
 */
export async function count(
  { database }: Needed,
  limits: Limit[],
  now: Date,
): Promise<{ counted: Limit[] } | { blockedUntil: Date }> {
  const key = `attempts:${countersOf(limits)}`;
  const seen = await database.remember(key, () => read(database.sql, limits));
  const { blockedUntil } = judge(limits, seen, now);
  if (blockedUntil) return { blockedUntil };
  return await database.sql.transaction().execute(async (transaction) => {
    const { applying, blockedUntil } = judge(limits, await lock(transaction, limits, now), now);
    if (blockedUntil) return { blockedUntil };
    await add(transaction, applying, now);
    return { counted: applying };
  });
}

/** It was no failure after all: as if it had not been counted. */
export async function forgive({ database }: Needed, counted: Limit[]): Promise<void> {
  await sql`
    with ${heldOf(counted)}
    update attempts set failures = greatest(failures - 1, 0), blocked_until = null
    from held where attempts.counter = held.counter`.execute(database.sql);
}

/**
 * It went well: the account counts from zero, and is known in this place from now on. What only the
 * address counted is taken back. Clears out what is forgotten.
 */
export async function succeed({ database }: Needed, counted: Limit[], now: Date): Promise<void> {
  const known = new Date(now.getTime() + knownForMs).toISOString();
  const given = counted.map(({ counter, account, isPlace }) => ({
    counter,
    is_own: account !== null,
    known_until: isPlace ? known : null,
  }));
  await sql`
    with ${heldOf(counted)}
    update attempts set
      failures = case when given.is_own then 0 else greatest(failures - 1, 0) end,
      blocked_until = null,
      known_until = coalesce(given.known_until, attempts.known_until),
      expires_at = coalesce(given.known_until, expires_at)
    from ${records(given, 'counter text, is_own boolean, known_until timestamptz')}
    join held on held.counter = given.counter
    where attempts.counter = given.counter`.execute(database.sql);
  await sql`
    delete from attempts where counter in (
      select counter from attempts where expires_at <= ${now} limit 1000 for update skip locked
    )`.execute(database.sql);
}

/** What was counted for an account, wherever: when its password was reset, or when it is erased. */
export async function forgetAttempts(database: Kysely<Schema>, account: string): Promise<void> {
  await sql`
    with ${held(sql`account = ${accountHash(account)}`)}
    delete from attempts using held where attempts.counter = held.counter`.execute(database);
}

/** Who is known in a place answers for that place: what others do elsewhere is not held against them. */
function judge(limits: Limit[], counts: Map<string, Count>, now: Date) {
  const isKnown = limits.some(({ isPlace, counter }) => {
    const known = isPlace && counts.get(counter)?.known_until;
    return known && known > now;
  });
  const applying = limits.filter(({ always }) => always || !isKnown);
  const blocks = applying
    .map(({ counter }) => counts.get(counter)?.blocked_until ?? now)
    .filter((until) => until > now);
  const blockedUntil = blocks.sort((a, b) => Number(b) - Number(a))[0] ?? null;
  return { applying, blockedUntil };
}

async function read(database: Kysely<Schema>, limits: Limit[]): Promise<Map<string, Count>> {
  const counts = await database
    .selectFrom('attempts')
    .select(['counter', 'failures', 'counted_at', 'blocked_until', 'known_until'])
    .where('counter', 'in', countersOf(limits))
    .execute();
  return new Map(counts.map((one) => [one.counter, one]));
}

/** Every row exists and is held, in one order for everybody: two attempts wait, and never for each other. */
async function lock(transaction: Transaction<Schema>, limits: Limit[], now: Date) {
  const rows = limits
    .map(({ counter, account }) => ({ counter, account, counted_at: now, expires_at: now }))
    .sort((a, b) => (a.counter < b.counter ? -1 : 1));
  await transaction
    .insertInto('attempts')
    .values(rows)
    .onConflict((conflict) => conflict.column('counter').doNothing())
    .execute();
  const counts = await transaction
    .selectFrom('attempts')
    .select(['counter', 'failures', 'counted_at', 'blocked_until', 'known_until'])
    .where('counter', 'in', countersOf(limits))
    .orderBy('counter')
    .forUpdate()
    .execute();
  return new Map(counts.map((one) => [one.counter, one]));
}

async function add(transaction: Transaction<Schema>, limits: Limit[], now: Date): Promise<void> {
  const forgotten = new Date(now.getTime() - forgottenAfterMs);
  const expires = new Date(now.getTime() + forgottenAfterMs);
  const given = limits.map(({ counter, free, longestDelayMs }) => ({
    counter,
    free,
    longest: longestDelayMs,
  }));
  const failures = sql`case when counted_at > ${forgotten} then failures + 1 else 1 end`;
  const delayMs = sql`least(given.longest, 1000 * power(2, least(${failures} - given.free, 30)))`;
  await sql`
    update attempts set
      failures = ${failures},
      counted_at = ${now},
      blocked_until = case when ${failures} >= given.free
        then ${now}::timestamptz + ${delayMs} * interval '1 millisecond' end,
      expires_at = greatest(${expires}, known_until)
    from ${records(given, 'counter text, free integer, longest double precision')}
    where attempts.counter = given.counter`.execute(transaction);
}

function heldOf(limits: Limit[]) {
  return held(sql`counter in (${sql.join(countersOf(limits))})`);
}

/** Taken in the order of `lock`. */
function held(which: RawBuilder<unknown>) {
  return sql`held as (select counter from attempts where ${which} order by counter for update)`;
}

function countersOf(limits: Limit[]): string[] {
  return limits.map(({ counter }) => counter);
}
