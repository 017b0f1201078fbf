import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { migrate } from '../../../src/server/platform/database/migrate.ts';
import type { OpenDatabase } from '../../../src/server/platform/database/open.ts';
import { openPreparedDatabase } from '../../support/memory-database.ts';

let database: OpenDatabase;
let asked: number;
beforeAll(async () => {
  database = await openPreparedDatabase();
  await migrate(database);
});
beforeEach(() => {
  asked = 0;
});
afterAll(() => database.close());

const readLimits = () =>
  database.cached('limits', async () => {
    asked += 1;
    const rows = await database.sql.selectFrom('chat_limits').select('team_id').execute();
    return rows.map(({ team_id }) => team_id).sort();
  });

const limit = (team_id: string) => ({
  ...{ chat: 'slack', scope: 'team' as const, team_id, channel_id: '' },
  blocked_until: new Date('2026-01-12T07:00:00Z'),
});

test('what was read is given again without asking, until something is written', async () => {
  expect(await readLimits()).toEqual([]);
  await database.sql.selectFrom('users').selectAll().execute();
  expect(await readLimits()).toEqual([]);
  expect(asked).toBe(1);
  await database.sql.insertInto('chat_limits').values(limit('T1')).execute();
  expect(await readLimits()).toEqual(['T1']);
  expect(asked).toBe(2);
});

test('a read during a transaction sees it whole or not at all, and is not kept past it', async () => {
  let during: Promise<string[]> | undefined;
  await database.sql.transaction().execute(async (transaction) => {
    await transaction.insertInto('chat_limits').values(limit('T2')).execute();
    during = readLimits();
    await transaction.insertInto('chat_limits').values(limit('T3')).execute();
  });
  expect(await during).toEqual(['T1', 'T2', 'T3']);
  expect(await readLimits()).toEqual(['T1', 'T2', 'T3']);
});

test('what was taken back was never read', async () => {
  const attempt = database.sql.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('chat_limits').execute();
    throw new Error('taken back');
  });
  await expect(attempt).rejects.toThrow('taken back');
  expect(await readLimits()).toEqual(['T1', 'T2', 'T3']);
});

test('a read that failed is asked again', async () => {
  const failing = () => database.cached('broken', () => Promise.reject(new Error('gone')));
  await expect(failing()).rejects.toThrow('gone');
  await expect(database.cached('broken', async () => 'back')).resolves.toBe('back');
});
