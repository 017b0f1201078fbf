import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeBackup } from '../../src/server/operations/backup/writing.ts';
import { migrate } from '../../src/server/platform/database/migrate.ts';
import { openDatabase } from '../../src/server/platform/database/open.ts';
import { type Application, startApplication } from '../support/application.ts';
import { compiled } from '../support/compiled.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { linesOf } from './restoration.ts';

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

function restore(file: string, url: string): Promise<{ code: number; out: string }> {
  const entry = fileURLToPath(new URL('../../src/server/commands/restore.ts', import.meta.url));
  const env = { PATH: process.env.PATH, ...compiled, DATABASE_URL: url, APP_SECRET: key };
  return new Promise((resolve) => {
    execFile(execPath, [entry, file], { cwd: folder, env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, out: stdout + stderr });
    });
  });
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
    out: expect.stringMatching(/127\.0\.0\.1, connecté depuis le 2\d{3}-.*Rien n'a été changé/s),
  });
  await running.close();
  await expect.poll(() => restore(file, url), { timeout: 20_000 }).toMatchObject({ code: 0 });
}, 60_000);
