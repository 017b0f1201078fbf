import { type ChildProcess, execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { createGzip, gzipSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startServer } from '../../src/server/app/server.ts';
import { openServices } from '../../src/server/app/services.ts';
import { requireFinished } from '../../src/server/operations/backup/unfinished.ts';
import { writeBackup } from '../../src/server/operations/backup/writing.ts';
import { migrate } from '../../src/server/platform/database/migrate.ts';
import { openDatabase } from '../../src/server/platform/database/open.ts';
import { type Application, startApplication } from '../support/application.ts';
import { compiled } from '../support/compiled.ts';
import { configurationFor } from '../support/configuration.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { unlogged } from '../support/unlogged.ts';
import { linesOf, restore as restoreLines } from './restoration.ts';

const key = 'the secret of the tests';

let folder: string;
let server: PostgresServer;
let app: Application;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tirelire-alone-'));
  server = await startPostgres();
  app = await startApplication();
  await app.signUp();
});
afterAll(async () => {
  await app.close();
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

type Ended = Promise<{ code: number; out: string }>;

function restore(file: string, url: string): Ended {
  return startRestore(file, url).ended;
}

function startRestore(file: string, url: string): { ended: Ended; child: ChildProcess } {
  const entry = fileURLToPath(new URL('../../src/server/commands/restore.ts', import.meta.url));
  const env = { PATH: process.env.PATH, ...compiled, DATABASE_URL: url, APP_SECRET: key };
  const { promise: ended, resolve } = Promise.withResolvers<{ code: number; out: string }>();
  const child = execFile(execPath, [entry, file], { cwd: folder, env }, (error, stdout, stderr) => {
    resolve({ code: error ? Number(error.code) : 0, out: stdout + stderr });
  });
  return { ended, child };
}

it('nothing is restored where a running process would send what is due', async () => {
  const file = join(folder, 'copy.backup.gz');
  const lines = await linesOf(writeBackup(app.services, [key]));
  await writeFile(file, gzipSync(`${lines.join('\n')}\n`));
  const url = await server.createPreparedDatabase();
  const running = await openDatabase({ database: { engine: 'postgres', url } }, () => {});
  await migrate(running);
  const refused = await restore(file, url);
  const users = await running.sql.selectFrom('users').select('id').execute();
  expect({ ...refused, users }).toEqual({
    ...{ code: 1, users: [] },
    out: expect.stringMatching(/127\.0\.0\.1, connecté depuis le .* UTC.*Rien n'a été changé/s),
  });
  await running.close();
  await expect.poll(() => restore(file, url), { timeout: 20_000 }).toMatchObject({ code: 0 });
}, 60_000);

it('a process that is started meanwhile waits until all is restored and nothing due can leave again', async () => {
  const [first = '', ...rest] = await linesOf(writeBackup(app.services, [key]));
  const url = await server.createPreparedDatabase();
  const { ended, child } = startRestore('-', url);
  const bytes = createGzip();
  if (child.stdin) bytes.pipe(child.stdin);
  bytes.write(`${first}\n`);
  bytes.flush();
  const watching = new pg.Client({ connectionString: url });
  await watching.connect();
  const count = async (which: string) => {
    const { rowCount } = await watching.query(`select from pg_stat_activity
      where application_name = 'tirelire' and datname = current_database() and ${which}`);
    return rowCount;
  };
  await expect
    .poll(() => count("state = 'idle in transaction'"), { timeout: 20_000 })
    .toBeGreaterThan(0);
  const starting = openServices(
    { ...configurationFor('http://127.0.0.1:1'), database: { engine: 'postgres', url } },
    { log: unlogged.log },
  );
  await expect.poll(() => count("wait_event = 'advisory'"), { timeout: 20_000 }).toBe(1);
  bytes.end(`${rest.join('\n')}\n`);
  expect(await ended).toMatchObject({ code: 0 });
  const { services, close } = await starting;
  await requireFinished(services.database);
  expect(await services.database.sql.selectFrom('users').select('id').execute()).toHaveLength(1);
  await close();
  await watching.end();
}, 90_000);

it('a restore whose connection is cut says so in a sentence, and leaves no row', async () => {
  const [first = '', ...rest] = await linesOf(writeBackup(app.services, [key]));
  const url = await server.createPreparedDatabase();
  const { ended, child } = startRestore('-', url);
  const bytes = createGzip();
  if (child.stdin) bytes.pipe(child.stdin);
  child.stdin?.on('error', () => {});
  bytes.write(`${first}\n`);
  bytes.flush();
  const watching = new pg.Client({ connectionString: url });
  await watching.connect();
  // The transaction that waits for more of the file: those before it are idle for moments only, and one
  // that is ended between its last statement and the next transaction is missed by nobody.
  const cut = async () => {
    const { rowCount } = await watching.query(`select pg_terminate_backend(pid)
      from pg_stat_activity where application_name = 'tirelire' and datname = current_database()
        and state = 'idle in transaction' and clock_timestamp() - state_change > interval '1 s'
        and to_regclass('users') is not null`);
    return rowCount;
  };
  await expect.poll(cut, { timeout: 20_000 }).toBeGreaterThan(0);
  bytes.end(`${rest.join('\n')}\n`);
  expect(await ended).toEqual({
    ...{ code: 1, out: expect.stringMatching(/^La connexion à la base a été coupée\. .*\n$/) },
  });
  expect((await watching.query('select from users')).rowCount).toBe(0);
  await watching.end();
}, 60_000);

it('a database that was filled and not prepared, by a restore that was killed, is not started', async () => {
  const lines = await linesOf(writeBackup(app.services, [key]));
  const url = await server.createPreparedDatabase();
  const database = await openDatabase({ database: { engine: 'postgres', url } }, () => {});
  await restoreLines(database, lines);
  await database.close();
  const configuration = configurationFor('http://127.0.0.1:1');
  const starting = startServer(
    { ...configuration, database: { engine: 'postgres', url } },
    { log: unlogged.log },
  );
  const running = starting.then(({ stop }) => stop());
  await expect(running).rejects.toThrow(/restauration.*autre base vide/s);
});

it('the database of another program is left as it is', async () => {
  const file = join(folder, 'foreign.backup.gz');
  const lines = await linesOf(writeBackup(app.services, [key]));
  await writeFile(file, gzipSync(`${lines.join('\n')}\n`));
  const url = await server.createDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('create table invoices as select 1 as number');
  expect(await restore(file, url)).toMatchObject({
    ...{ code: 1, out: expect.stringMatching(/pas vide \(table invoices\). Rien n'a été changé/) },
  });
  const { rows } = await client.query(`select relname from pg_class where relkind in ('r', 'p')
    and relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema')`);
  expect(rows).toEqual([{ relname: 'invoices' }]);
  await client.end();
}, 60_000);

it('a restore that fails after its rows says to begin again in another database', async () => {
  const [first = '', ...rest] = await linesOf(writeBackup(app.services, [key]));
  const header = JSON.stringify({ ...JSON.parse(first), date: 'no date', sealed: [] });
  const file = join(folder, 'undated.backup.gz');
  await writeFile(file, gzipSync(`${[header, ...rest].join('\n')}\n`));
  const failed = await restore(file, await server.createPreparedDatabase());
  expect(failed).toMatchObject({ code: 1, out: expect.stringContaining('autre base vide') });
}, 60_000);

it('a database that takes no writes is told in a sentence', async () => {
  const file = join(folder, 'whole.backup.gz');
  const lines = await linesOf(writeBackup(app.services, [key]));
  await writeFile(file, gzipSync(`${lines.join('\n')}\n`));
  const url = await server.createPreparedDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`alter database ${client.database} set default_transaction_read_only = on`);
  await client.end();
  expect(await restore(file, url)).toEqual({
    ...{ code: 1, out: expect.stringMatching(/^La base .* lecture seule\. .*\n$/) },
  });
}, 60_000);
