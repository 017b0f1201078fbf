import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { openBackup } from '../../src/server/operations/backup/restoring.ts';
import { writeBackup } from '../../src/server/operations/backup/writing.ts';
import { systemClock } from '../../src/server/platform/clock.ts';
import {
  lastMigration,
  migrate,
  migrateTo,
  schemaAge,
} from '../../src/server/platform/database/migrate.ts';
import { type OpenDatabase, openDatabase } from '../../src/server/platform/database/open.ts';
import { systemRandomness } from '../../src/server/platform/randomness.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { each, linesOf } from './restoration.ts';

let server: PostgresServer;
let database: OpenDatabase;
/** Of the version that is started meanwhile. */
let newer: OpenDatabase;

beforeAll(async () => {
  server = await startPostgres();
});
beforeEach(async () => {
  const url = await server.createDatabase();
  const open = () => openDatabase({ database: { engine: 'postgres', url } }, () => {});
  [database, newer] = await Promise.all([open(), open()]);
  await migrateTo(database, '0010-chats');
});
afterEach(() => Promise.all([database.close(), newer.close()]));
afterAll(() => server.close());

const backup = () =>
  writeBackup({ database, clock: systemClock, randomness: systemRandomness }, ['a secret']);

async function waitingFor(event: string): Promise<number> {
  const { rows } = await sql`select from pg_stat_activity
    where datname = current_database() and wait_event = ${event}`.execute(database.sql);
  return rows.length;
}

it('a backup is refused while a new version migrates, and made afterwards', async () => {
  const reader = await database.sql.startTransaction().execute();
  await sql`select from users`.execute(reader);
  const migrating = migrate(newer);
  await expect.poll(() => waitingFor('relation'), { timeout: 10_000 }).toBe(1);
  await expect(linesOf(backup())).rejects.toThrow('nouvelle version');
  await reader.rollback().execute();
  await migrating;
  const { header } = await openBackup(each(await linesOf(backup())));
  expect(header.migration).toBe(await lastMigration(newer.sql));
}, 30_000);

it('a new version waits with its migrations until a backup is written', async () => {
  const lines = backup();
  await lines.next();
  const migrating = migrate(newer);
  await expect.poll(() => waitingFor('advisory'), { timeout: 10_000 }).toBe(1);
  const rest = await linesOf(lines);
  expect(rest.at(-1)).toBe('{"rows":0}');
  await migrating;
  expect(await schemaAge(database)).toBe('same');
}, 30_000);
