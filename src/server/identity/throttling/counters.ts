import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { dayMs, hourMs } from '../../../shared/calendar/durations.ts';
import { maxClockSkewMs } from '../../platform/clock.ts';
import { deleteInBatches, records } from '../../platform/database/records.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transactions.ts';
import type { Platform } from '../../platform/platform.ts';
import type { UpkeepStep } from '../../platform/upkeep.ts';
import { accountHash, type Limit } from './limits.ts';

type Needed = Pick<Platform, 'database'>;

/** A counter that was not added to for so long starts from zero. */
const expiresAfterMs = hourMs;
/** How long an account that signed in from an address is known there. */
const knownForMs = 90 * dayMs;

/**
 * Adds one to each counter that applies, or returns the time until which one of them blocks. It reads
 * before it locks, so that a rejected try costs one short read.
 */
export async function countTry(
  { database }: Needed,
  limits: Limit[],
  now: Date,
): Promise<{ incremented: Limit[] } | { blockedUntil: Date }> {
  const key = `attempts:${countersOf(limits)}`;
  const seen = await database.cached(key, (reader) => readCounts(reader, limits));
  const { blockedUntil } = limitsThatApply(limits, seen, now);
  if (blockedUntil) return { blockedUntil };
  return await inTransaction(database.sql, async (transaction) => {
    const { applying, blockedUntil } = limitsThatApply(
      limits,
      await lockCounts(transaction, limits, now),
      now,
    );
    if (blockedUntil) return { blockedUntil };
    await addToEach(transaction, applying, now);
    return { incremented: applying };
  });
}

/** Undoes the counting of a try that was not a failure. */
export async function uncountTry({ database }: Needed, incremented: Limit[]): Promise<void> {
  await sql`
    with ${lockedCounters(incremented)}
    update attempts set failures = greatest(failures - 1, 0), blocked_until = null
    from locked where attempts.counter = locked.counter`.execute(database.sql);
}

/**
 * After a success: counters of the account start from zero, and it is known at this address from now
 * on. For counters of the address alone, the try is taken back. Removes expired counters.
 */
export async function recordSuccess(
  { database }: Needed,
  incremented: Limit[],
  now: Date,
): Promise<void> {
  const known = new Date(now.getTime() + knownForMs).toISOString();
  const given = incremented.map(({ counter, account, isOfAccountAndAddress }) => ({
    counter,
    is_own: account !== null,
    known_until: isOfAccountAndAddress ? known : null,
  }));
  await sql`
    with ${lockedCounters(incremented)}
    update attempts set
      failures = case when given.is_own then 0 else greatest(failures - 1, 0) end,
      blocked_until = null,
      known_until = coalesce(given.known_until, attempts.known_until),
      expires_at = coalesce(given.known_until, expires_at)
    from ${records(given, 'counter text, is_own boolean, known_until timestamptz')}
    join locked on locked.counter = given.counter
    where attempts.counter = given.counter`.execute(database.sql);
  await expiredDeletion(now, 1000).execute(database.sql);
}

export const countersUpkeep: UpkeepStep = {
  name: 'attempts',
  run: ({ database, clock }) =>
    deleteInBatches(database, (limit) => expiredDeletion(clock.now(), limit)),
};

/** Leaves out those that are being counted: a try locks them in another order. */
function expiredDeletion(now: Date, limit: number): RawBuilder<unknown> {
  return sql`
    delete from attempts where counter in (
      select counter from attempts where expires_at <= ${now} limit ${limit} for update skip locked
    )`;
}

/** Deletes the counters of an account: when its password or address was replaced, or when it is deleted. */
export async function resetThrottling(database: Kysely<Schema>, account: string): Promise<void> {
  await sql`
    with ${lockedWhere(sql`account = ${accountHash(account)}`)}
    delete from attempts using locked where attempts.counter = locked.counter`.execute(database);
}

/**
 * Where the account is known, only limits that hold there apply: failures of others do not count. A
 * block for longer than its limit allows comes from a clock that was set back, and counts no more.
 */
function limitsThatApply(limits: Limit[], counts: Counts, now: Date) {
  const isKnown = limits.some(({ isOfAccountAndAddress, counter }) => {
    const known = isOfAccountAndAddress && counts.get(counter)?.known_until;
    return known && known > now;
  });
  const applying = limits.filter(({ holdsWhereKnown }) => holdsWhereKnown || !isKnown);
  const blocks = applying
    .map(({ counter, longestDelayMs }) => {
      const until = counts.get(counter)?.blocked_until ?? now;
      return until.getTime() > now.getTime() + longestDelayMs + maxClockSkewMs ? now : until;
    })
    .filter((until) => until > now);
  const blockedUntil = blocks.sort((a, b) => Number(b) - Number(a))[0] ?? null;
  return { applying, blockedUntil };
}

async function readCounts(database: Kysely<Schema>, limits: Limit[]) {
  return byCounter(await selectCounts(database, limits).execute());
}

function selectCounts(database: Kysely<Schema>, limits: Limit[]) {
  return database
    .selectFrom('attempts')
    .select(['counter', 'blocked_until', 'known_until'])
    .where('counter', 'in', countersOf(limits));
}

function byCounter<Row extends { counter: string }>(rows: Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [row.counter, row]));
}

type Counts = Awaited<ReturnType<typeof readCounts>>;

/**
 * Creates missing rows and locks all of them in the order of their keys, so that no two tries deadlock.
 */
async function lockCounts(transaction: Transaction<Schema>, limits: Limit[], now: Date) {
  const rows = limits
    .map(({ counter, account }) => ({ counter, account, counted_at: now, expires_at: now }))
    .sort((a, b) => (a.counter < b.counter ? -1 : 1));
  await transaction
    .insertInto('attempts')
    .values(rows)
    .onConflict((conflict) => conflict.column('counter').doNothing())
    .execute();
  return byCounter(
    await selectCounts(transaction, limits).orderBy('counter').forUpdate().execute(),
  );
}

async function addToEach(
  transaction: Transaction<Schema>,
  limits: Limit[],
  now: Date,
): Promise<void> {
  const expired = new Date(now.getTime() - expiresAfterMs);
  const expires = new Date(now.getTime() + expiresAfterMs);
  const given = limits.map(({ counter, freeTries, longestDelayMs }) => ({
    counter,
    free: freeTries,
    longest: longestDelayMs,
  }));
  const failures = sql`case when counted_at > ${expired} then failures + 1 else 1 end`;
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

function lockedCounters(limits: Limit[]) {
  return lockedWhere(sql`counter in (${sql.join(countersOf(limits))})`);
}

/** Locks the rows in the order of `lockCounts`. */
function lockedWhere(which: RawBuilder<unknown>) {
  return sql`locked as (select counter from attempts where ${which} order by counter for update)`;
}

function countersOf(limits: Limit[]): string[] {
  return limits.map(({ counter }) => counter);
}
