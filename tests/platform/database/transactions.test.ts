import { globSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OpenDatabase } from '../../../src/server/platform/database/open.ts';
import { inTransaction } from '../../../src/server/platform/database/transactions.ts';
import { openPreparedDatabase } from '../../support/memory-database.ts';

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

test.each(['40P01', '40001'])('what the database undid (%s) is run once more', async (code) => {
  expect(await runFailing(code, 1)).toEqual({ runs: 2, end: 'committed' });
  expect(await runFailing(code, 2)).toEqual({ runs: 2, end: code });
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
