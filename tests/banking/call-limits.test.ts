import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCallLimiter } from '../../src/server/banking/call-limits/queries.ts';
import type { OpenDatabase } from '../../src/server/platform/database/open.ts';
import { bridgeQuota } from '../../src/server/providers/banks/bridge/definition.ts';
import { type Databases, engines, startDatabases } from '../support/engines.ts';

const bridge = { kind: 'bridge', quota: bridgeQuota };

describe.each(engines)('the number of calls to a bank service, on %s', (engine) => {
  let databases: Databases;
  let database: OpenDatabase;
  beforeAll(async () => {
    databases = await startDatabases(engine);
    database = await databases.open();
  });
  afterAll(async () => {
    await database.close();
    await databases.close();
  });
  beforeEach(() => database.sql.deleteFrom('bank_calls').execute());

  test('stays below the limits of a user, however many workers ask', async () => {
    const workers = [1, 2, 3].map(() => createCallLimiter(database, bridge));
    const answers = await Promise.all(
      Array.from({ length: 90 }, (_, count) => (workers[count % 3] ?? fail)('one user', 'act')),
    );
    expect(answers.filter((waitMs) => waitMs === 0)).toHaveLength(60);
    expect(Math.max(...answers)).toBeGreaterThan(50_000);
    expect(Math.max(...answers)).toBeLessThanOrEqual(65_000);
    expect(await (workers[0] ?? fail)('another user', 'act')).toBe(0);
  });

  test('keeps six calls of a minute for what the person presses', async () => {
    const allow = createCallLimiter(database, bridge);
    const readings = [];
    for (let count = 0; count < 60; count += 1) readings.push(await allow('reader', 'reading'));
    expect(readings.filter((waitMs) => waitMs === 0)).toHaveLength(54);
    expect(Math.max(...readings)).toBeGreaterThan(50_000);
    const acts = [];
    for (let count = 0; count < 12; count += 1) acts.push(await allow('reader', 'act'));
    expect(acts.filter((waitMs) => waitMs === 0)).toHaveLength(6);
  });

  test('stays below the limits of the application, however many users there are', async () => {
    const allow = createCallLimiter(database, bridge);
    const start = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 400 }, (_, count) => allow(`user ${count}`, 'reading')),
    );
    const seconds = (performance.now() - start) / 1000;
    const taken = answers.filter((waitMs) => waitMs === 0).length;
    expect(taken).toBeGreaterThanOrEqual(150);
    expect(taken).toBeLessThanOrEqual(150 + Math.ceil(seconds / 0.17));
  });
});

async function fail(): Promise<number> {
  throw new Error('no such worker');
}
