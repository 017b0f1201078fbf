import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeBackup } from '../../src/server/operations/backup/writing.ts';
import { systemClock } from '../../src/server/platform/clock.ts';
import { maintenanceTimeouts } from '../../src/server/platform/database/connections.ts';
import { openDatabase } from '../../src/server/platform/database/open.ts';
import { systemRandomness } from '../../src/server/platform/randomness.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';

let server: PostgresServer;
let url: string;
beforeAll(async () => {
  server = await startPostgres();
  url = await server.createPreparedDatabase();
});
afterAll(() => server.close());

test('a backup waits for its reader for longer than other transactions may be idle', async () => {
  const database = await openDatabase({ database: { engine: 'postgres', url } }, () => {}, {
    ...maintenanceTimeouts,
    idleMs: 200,
  });
  const deps = { database, clock: systemClock, randomness: systemRandomness };
  const lines: string[] = [];
  for await (const chunk of writeBackup(deps, ['the secret of the tests'])) {
    if (lines.length === 0) await sleep(600);
    lines.push(...chunk.trimEnd().split('\n'));
  }
  expect(lines.at(-1)).toMatch(/^\{"rows":\d+\}$/);
  await database.close();
});
