import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env, execPath } from 'node:process';
import { buffer, text as textOf } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../../src/server/app/server.ts';
import { readConfiguration } from '../../src/server/providers/configuration.ts';
import { compiled } from '../support/compiled.ts';
import { freePort } from '../support/ports.ts';
import { unpackPreparedDatabase } from '../support/prepared-database.ts';
import { newPerson } from '../support/served.ts';

let folder: string;
let environment: Record<string, string>;
let server: RunningServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tirelire-pipe-'));
  environment = {
    ...{ PORT: String(await freePort()), DATA_DIR: folder, LOG_LEVEL: 'silent' },
    ...{ BRIDGE_API_URL: 'http://127.0.0.1:1', BRIDGE_CLIENT_ID: 'x', BRIDGE_CLIENT_SECRET: 'y' },
    ...{ SLACK_API_URL: 'http://127.0.0.1:1', SLACK_CLIENT_ID: 'x', SLACK_CLIENT_SECRET: 'y' },
  };
  await unpackPreparedDatabase(join(folder, 'database/cluster'));
  server = await startServer(readConfiguration(environment, 'serve', folder));
});
afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** More than fits into all that lies between the database and the reader. */
async function fillHistory(userId: string): Promise<void> {
  const { sql: database } = server.services.database;
  await sql`insert into bank_connections (user_id, id, source, source_id, bank_id, bank_name, state,
    status, seen_at) values (${userId}, 1, 'bridge', '1', 1, 'B', 'connected', 0, now())`.execute(
    database,
  );
  await sql`insert into bank_accounts (user_id, id, source, source_id, connection_id, bank_id,
      bank_name, name, type, currency, first_seen_at)
    values (${userId}, 1, 'bridge', '1', 1, 1, 'B', 'c', 'checking', 'EUR', now())`.execute(
    database,
  );
  await sql`insert into bank_balances (user_id, account_id, day, balance_minor, currency, as_of)
    select ${userId}, 1, '1800-01-01'::date + n, (random() * 1e9)::bigint, 'EUR',
      now() + random() * interval '1 year' from generate_series(1, 100000) n`.execute(database);
}

function backup(variables: Record<string, string> = {}) {
  const entry = fileURLToPath(new URL('../../src/server/commands/backup.ts', import.meta.url));
  return spawn(execPath, [entry, '-'], {
    cwd: folder,
    env: { PATH: env.PATH ?? '', ...compiled, ...environment, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

it('a backup keeps nobody waiting where its reader takes its time, and leaves no other file', async () => {
  const ana = await newPerson(`http://127.0.0.1:${environment.PORT}`, 'ana@exemple.fr');
  await fillHistory(ana.id);
  const child = backup();
  const ended = once(child, 'exit');
  await once(child.stdout, 'readable');
  expect((await ana.get('/users/me')).status).toBe(200);
  const text = gunzipSync(await buffer(child.stdout)).toString();
  expect(await ended).toEqual([0, null]);
  expect(text.trimEnd().split('\n').at(-1)).toMatch(/^\{"rows":\d{6}\}$/);
  expect(await readdir(join(folder, 'backups'))).toEqual([]);
}, 90_000);

it('a backup whose reader breaks off says so in a sentence', async () => {
  const child = backup();
  const ended = once(child, 'exit');
  await once(child.stdout, 'readable');
  child.stdout.destroy();
  expect(await textOf(child.stderr)).toMatch(/^Le programme qui lit cette sortie .*\n$/);
  expect(await ended).toEqual([1, null]);
}, 90_000);

it('a backup that fails says why', async () => {
  const keyless = { DATA_DIR: join(folder, 'keyless') };
  await mkdir(join(keyless.DATA_DIR, 'database/cluster'), { recursive: true });
  const child = backup(keyless);
  const ended = once(child, 'exit');
  expect(await textOf(child.stderr)).toMatch(/^La clé manque/);
  expect(await ended).toEqual([1, null]);
}, 90_000);
