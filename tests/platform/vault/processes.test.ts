import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backupTask } from '../../../src/server/operations/commands/backing-up.ts';
import { resealTask } from '../../../src/server/operations/commands/resealing.ts';
import { rotateSecret } from '../../../src/server/operations/commands/secret-rotation.ts';
import type { TaskDeps } from '../../../src/server/operations/commands/task.ts';
import { openTaskServer } from '../../../src/server/operations/commands/task-server.ts';
import { systemClock } from '../../../src/server/platform/clock.ts';
import { lockFolder } from '../../../src/server/platform/database/folder-lock.ts';
import { migrate } from '../../../src/server/platform/database/migrate.ts';
import { type OpenDatabase, openDatabase } from '../../../src/server/platform/database/open.ts';
import { systemRandomness } from '../../../src/server/platform/randomness.ts';
import { createVault } from '../../../src/server/platform/vault/vault.ts';
import { deletedBankSecrets } from '../../../src/server/privacy/deletion/banks.ts';
import { configurationFor } from '../../support/configuration.ts';
import { openPreparedDatabase } from '../../support/memory-database.ts';
import { type PostgresServer, startPostgres } from '../../support/postgres.ts';
import { unlogged } from '../../support/unlogged.ts';

const old = 'the key that everybody has';
const fresh = 'the key that is to come';

let server: PostgresServer;
let url: string;
beforeAll(async () => {
  server = await startPostgres();
  url = await server.createPreparedDatabase();
});
afterAll(() => server.close());

/** A process that was started with these, and asks for nothing at the moment. */
async function start(...appSecrets: string[]): Promise<OpenDatabase> {
  const database = await openDatabase(
    { database: { engine: 'postgres', url }, appSecrets },
    () => {},
  );
  await migrate(database);
  return database;
}

function depsWith(database: OpenDatabase, secrets: string[]): TaskDeps {
  const vault = createVault(secrets, systemRandomness);
  const deps = { database, vault, clock: systemClock, randomness: systemRandomness };
  return { ...deps, secrets: () => secrets } as Partial<TaskDeps> as TaskDeps;
}

function rotate(database: OpenDatabase): Promise<string> {
  return textOf(resealTask(depsWith(database, [fresh, old])));
}

test('a key is not replaced while a process still seals with the former one', async () => {
  const inTime = await start(fresh, old);
  for (const secrets of [[old], [old, fresh], []]) {
    const late = await start(...secrets);
    const seen = /127\.0\.0\.1, connecté depuis le \S+ \S+ 2\d{3} à \d\d:\d\d UTC.*Redémarrez/s;
    await expect(rotate(inTime)).rejects.toThrow(seen);
    await late.close();
    await expect.poll(() => rotate(inTime)).toContain('nouvelle clé : 0.');
  }
  await inTime.close();
});

test('nor while the service that has the embedded database open does', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tirelire-processes-'));
  const holder = lockFolder(folder);
  const database = { ...(await openPreparedDatabase()), folder };
  const started = (...appSecrets: string[]) => ({
    ...{ ...configurationFor(''), appSecrets, database: { engine: 'embedded', folder } as const },
  });
  const vault = createVault([old, fresh], systemRandomness);
  const services = { ...unlogged, database, vault, configuration: started(old, fresh) };
  const taskServer = await openTaskServer(services as Partial<ServerDeps> as ServerDeps);
  await expect(textOf(rotateSecret(started(fresh, old)))).rejects.toThrow('Redémarrez-le');
  expect(await textOf(rotateSecret(started(old, fresh)))).toContain('nouvelle clé : 0.');
  await taskServer.close();
  await database.close();
  holder.release();
  await rm(folder, { recursive: true });
});

test('a process that lost its connections is found again by its next one', async () => {
  const inTime = await start(fresh, old);
  const late = await start(old);
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(inTime.sql);
  await expect.poll(() => migrate(late).then(() => 'again')).toBe('again');
  await expect(rotate(inTime)).rejects.toThrow('127.0.0.1');
  await late.close();
  await inTime.close();
});

test('a backup is made with no key that leaves anything shut where the service has another', async () => {
  const service = await start(fresh);
  const backup = async (...secrets: string[]) => {
    const database = await start(...secrets);
    return await textOf(backupTask(depsWith(database, secrets))).finally(database.close);
  };
  await expect(backup(old)).rejects.toThrow('donnez le sien');
  const row = { user_id: systemRandomness.uuid(), source: 'enablebanking' };
  const data = deletedBankSecrets.additionalData(row.user_id, row.source);
  const sealed_secret = depsWith(service, [fresh]).vault.seal('the key of a bank', data);
  await service.sql
    .insertInto('deletion_banks')
    .values({ ...row, sealed_secret })
    .execute();
  await expect(backup(old)).rejects.toThrow('donnez le sien');
  expect(await backup(old, fresh)).toContain('deletion_banks');
  // With a value of the former key beside it, which opens.
  const former = { ...row, user_id: systemRandomness.uuid() };
  const itsData = deletedBankSecrets.additionalData(former.user_id, former.source);
  const sealed = depsWith(service, [old]).vault.seal('another key of a bank', itsData);
  await service.sql
    .insertInto('deletion_banks')
    .values({ ...former, sealed_secret: sealed })
    .execute();
  await expect(backup(old)).rejects.toThrow('donnez le sien');
  await service.close();
});

type ServerDeps = Parameters<typeof openTaskServer>[0];

async function textOf(chunks: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const chunk of chunks) text += chunk;
  return text;
}
