import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { expect, test } from 'vitest';
import { startPostgres } from '../support/postgres.ts';

const at = (path: string) =>
  JSON.stringify(new URL(`../../src/server/${path}`, import.meta.url).href);

/**
 * A program that is told to end, and once more before it has ended, so many milliseconds later by its own
 * clock.
 */
function program(laterMs: number): string {
  return `
    const { runUntilSignal } = await import(${at('app/lifetime.ts')});
    let now = 0;
    const toldAgain = Promise.withResolvers();
    await runUntilSignal(async () => {
      const running = setInterval(() => {}, 1000);
      process.once('SIGTERM', () => {
        now += ${laterMs};
        process.once('SIGTERM', toldAgain.resolve);
        process.kill(process.pid, 'SIGTERM');
      });
      process.kill(process.pid, 'SIGTERM');
      return {
        async stop() {
          await toldAgain.promise;
          clearInterval(running);
        },
      };
    }, () => now);`;
}

async function endOf(code: string): Promise<{ exitCode: number | null; errors: string }> {
  const args = ['--input-type=module', '-e', code];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const [errors, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  return { exitCode, errors };
}

test('a signal that comes twice at one moment, as from a service manager and from npm, ends it well', async () => {
  expect(await endOf(program(100))).toEqual({ exitCode: 0, errors: '' });
});

test('a second signal later ends it at once', async () => {
  expect(await endOf(program(1000))).toEqual({ exitCode: 1, errors: '' });
});

test('a terminal that is closed ends it well', async () => {
  const { exitCode } = await endOf(`
    const { runUntilSignal } = await import(${at('app/lifetime.ts')});
    await runUntilSignal(async () => {
      const running = setInterval(() => {}, 1000);
      process.kill(process.pid, 'SIGHUP');
      return { stop: async () => clearInterval(running) };
    });`);
  expect(exitCode).toBe(0);
});

test('a folder in use is told in its sentences, without a stack', async () => {
  const { exitCode, errors } = await endOf(`
    const { runUntilSignal } = await import(${at('app/lifetime.ts')});
    const { FolderInUse } = await import(${at('platform/database/folder-lock.ts')});
    await runUntilSignal(() => Promise.reject(new FolderInUse('/data', '42')));`);
  expect({ exitCode, lines: errors.trim().split('\n') }).toEqual({
    exitCode: 1,
    lines: [expect.stringMatching(/^Le dossier .*42/), expect.stringMatching(/^The data .*42/)],
  });
});

test('a folder without the right to write is told in a sentence', async () => {
  const { exitCode, errors } = await endOf(`
    const { runUntilSignal } = await import(${at('app/lifetime.ts')});
    const refusal = { code: 'EACCES', path: '/data/app-secret', syscall: 'open' };
    await runUntilSignal(() => Promise.reject(Object.assign(new Error('EACCES: open'), refusal)));`);
  const lines = errors.trim().split('\n');
  expect({ exitCode, lines }).toEqual({
    exitCode: 1,
    lines: [expect.stringMatching(/^Accès refusé à \/data\/app-secret : vérifiez les droits/)],
  });
});

test('a file in the place of the data folder is told before anything is made', async () => {
  const file = JSON.stringify(fileURLToPath(import.meta.url));
  const { exitCode, errors } = await endOf(`
    const { runUntilSignal } = await import(${at('app/lifetime.ts')});
    const { startServer } = await import(${at('app/server.ts')});
    const { readConfiguration } = await import(${at('providers/configuration.ts')});
    const variables = { PORT: '1', DATA_DIR: ${file}, CHATS: 'teams', LOG_LEVEL: 'silent' };
    await runUntilSignal(() =>
      startServer({ ...readConfiguration(variables, 'serve', '/'), port: 0 }));`);
  expect({ exitCode, errors }).toEqual({
    ...{
      exitCode: 1,
      errors: expect.stringMatching(/^\n.*\n.* DATA_DIR .*n'est pas un dossier.*\n$/),
    },
  });
});

function openingOf(url: string): string {
  return `
    const { runUntilSignal } = await import(${at('app/lifetime.ts')});
    const { openDatabase } = await import(${at('platform/database/open.ts')});
    const { migrate } = await import(${at('platform/database/migrate.ts')});
    await runUntilSignal(async () => {
      const database = { engine: 'postgres', url: '${url}' };
      await migrate(await openDatabase({ database }, () => {}));
    });`;
}

test('a database that does not answer is told in a sentence, without a stack', async () => {
  const { exitCode, errors } = await endOf(openingOf('postgres://tirelire@127.0.0.1:1/none'));
  const lines = errors.trim().split('\n');
  expect({ exitCode, lines }).toEqual({
    ...{ exitCode: 1, lines: [expect.stringMatching(/^La base PostgreSQL ne répond pas\. /)] },
  });
});

test('so is one that does not exist, and a server that does not take the account, another one, or encryption', async () => {
  const server = await startPostgres();
  const none = new URL('/none', await server.createDatabase());
  const stranger = new URL(await server.createDatabase());
  stranger.username = 'stranger';
  const crowded = new URL(await server.createDatabase());
  crowded.username = 'crowded';
  const owner = new pg.Client(await server.createDatabase());
  await owner.connect();
  await owner.query('create role crowded login connection limit 0');
  const plain = new URL(await server.createDatabase());
  plain.searchParams.set('sslmode', 'verify-full');
  const ends: Awaited<ReturnType<typeof endOf>>[] = [];
  for (const { href } of [none, stranger, crowded, plain]) ends.push(await endOf(openingOf(href)));
  await owner.query('drop role crowded');
  await owner.end();
  expect(ends).toEqual([
    { exitCode: 1, errors: expect.stringMatching(/^\nLa base que nomme DATABASE_URL .*\n$/) },
    { exitCode: 1, errors: expect.stringMatching(/^\nLe serveur PostgreSQL refuse .*\n$/) },
    { exitCode: 1, errors: expect.stringMatching(/^\nPostgreSQL n'a plus de connexion .*\n$/) },
    { exitCode: 1, errors: expect.stringMatching(/^\nLe serveur .* connexion chiffrée.*\n$/) },
  ]);
  await server.close();
});
