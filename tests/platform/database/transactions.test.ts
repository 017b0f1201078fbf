import { globSync, readFileSync } from 'node:fs';
import { sql, type Transaction } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OpenDatabase } from '../../../src/server/platform/database/open.ts';
import type { Schema } from '../../../src/server/platform/database/schema.ts';
import { inTransaction } from '../../../src/server/platform/database/transactions.ts';
import { startDatabases } from '../../support/engines.ts';
import { openPreparedDatabase } from '../../support/memory-database.ts';
import { untilWaiting } from '../../support/waiting.ts';

let database: OpenDatabase;
beforeAll(async () => {
  database = await openPreparedDatabase();
});
afterAll(() => database.close());

const failWith = (code: string) => sql`do ${sql.lit(`begin raise sqlstate '${code}'; end`)}`;

/** How often it was run, and how it ended. */
async function runFailing(code: string, times: number) {
  let runs = 0;
  const end = await inTransaction(database.sql, async (transaction) => {
    runs += 1;
    if (runs <= times) await failWith(code).execute(transaction);
    return 'committed';
  }).catch((error: Error & { code?: string }) => error.code);
  return { runs, end };
}

test.each(['40P01', '40001'])(
  'what the database undid (%s) is run five times at most',
  async (code) => {
    expect(await runFailing(code, 1)).toEqual({ runs: 2, end: 'committed' });
    expect(await runFailing(code, 4)).toEqual({ runs: 5, end: 'committed' });
    expect(await runFailing(code, 5)).toEqual({ runs: 5, end: code });
  },
);

test('what waited for two others in a row that waited for it is committed in the end', async () => {
  const databases = await startDatabases('postgres');
  const shared = await databases.open();
  await sql`create table pairs as select id from generate_series(1, 2) id`.execute(shared.sql);
  const lock = (transaction: Transaction<Schema>, id: number) =>
    sql`select from pairs where id = ${id} for update`.execute(transaction);
  const others: Promise<unknown>[] = [];
  const meetOther = async () => {
    const hasLocked = Promise.withResolvers<void>();
    const other = shared.sql.transaction().execute(async (transaction) => {
      // Of the two, this one does not notice.
      await sql`set local deadlock_timeout = '60s'`.execute(transaction);
      await lock(transaction, 2);
      hasLocked.resolve();
      await lock(transaction, 1);
    });
    others.push(other);
    await hasLocked.promise;
    await untilWaiting(shared, 1);
  };
  let runs = 0;
  const end = await inTransaction(shared.sql, async (transaction) => {
    runs += 1;
    // Whoever was let through may come to the row after this run, and each would wait for the other.
    await Promise.all(others);
    await lock(transaction, 1);
    if (runs <= 2) await meetOther();
    await lock(transaction, 2);
    return 'committed';
  });
  expect({ runs, end }).toEqual({ runs: 3, end: 'committed' });
  await shared.close();
  await databases.close();
});

test('what fails for another reason is not run again', async () => {
  expect(await runFailing('23505', 1)).toEqual({ runs: 1, end: '23505' });
});

test('every transaction is run so, but for those that a worker or the operator repeats', () => {
  const others = globSync('src/server/**/*.ts').filter((path) =>
    /\.transaction\(\)|startTransaction\(/.test(readFileSync(path, 'utf8')),
  );
  expect(others.map((path) => path.replace('src/server/', '')).sort()).toEqual([
    'notifications/deliveries/claiming.ts',
    'notifications/deliveries/partitions.ts',
    'notifications/deliveries/recording-outcomes.ts',
    'operations/backup/restoring.ts',
    'operations/backup/writing.ts',
    'platform/database/transactions.ts',
  ]);
});
