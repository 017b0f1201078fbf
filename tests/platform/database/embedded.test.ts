import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { chown, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  listDailyCopies,
  writeDailyCopy,
} from '../../../src/server/operations/backup/daily-copy.ts';
import { startDatabaseUpkeep } from '../../../src/server/operations/upkeep/database.ts';
import { FolderInUse } from '../../../src/server/platform/database/folder-lock.ts';
import { FolderOfOther } from '../../../src/server/platform/database/folder-owner.ts';
import { migrate } from '../../../src/server/platform/database/migrate.ts';
import { type OpenDatabase, openDatabase } from '../../../src/server/platform/database/open.ts';
import { createLog } from '../../../src/server/platform/log.ts';
import { noWatchdog } from '../../../src/server/platform/watchdog.ts';
import { manualClock } from '../../support/clock.ts';
import { unpackEmptyDatabase } from '../../support/empty-database.ts';
import { openPreparedDatabase } from '../../support/memory-database.ts';

// A database on the disk, syncing, takes its time on a busy machine.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

let parent: string;
let folder: string;
const opened: OpenDatabase[] = [];
const children: ChildProcess[] = [];

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'tirelire database '));
  folder = join(parent, 'database');
});
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const database of opened.splice(0)) await database.close();
  await rm(parent, { recursive: true, force: true });
});

async function open(): Promise<OpenDatabase> {
  const database = await openDatabase({ database: { engine: 'embedded', folder } }, () => {});
  opened.push(database);
  return database;
}

/** With a cluster of its own already, as from the second opening on. */
async function openAgain(): Promise<OpenDatabase> {
  await unpackEmptyDatabase(join(folder, 'cluster'));
  return open();
}

/** Another process that holds the folder until it is killed. */
async function holdElsewhere(): Promise<ChildProcess> {
  const lock = new URL('../../../src/server/platform/database/folder-lock.ts', import.meta.url)
    .href;
  const code = `const { mkdirSync } = await import('node:fs'); mkdirSync(${JSON.stringify(folder)}, { recursive: true });
    (await import(${JSON.stringify(lock)})).lockFolder(${JSON.stringify(folder)});
    process.stdout.write('held'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  await once(child.stdout, 'data');
  return child;
}

const mebibyte = 2 ** 20;

/** Three times what one of its files holds. */
async function fillLog(database: OpenDatabase): Promise<void> {
  for (let times = 0; times < 48; times += 1) {
    await sql`select pg_logical_emit_message(false, 'test', repeat('x', ${sql.lit(mebibyte)}))`.execute(
      database.sql,
    );
  }
}

async function logFiles(): Promise<string[]> {
  const names = await readdir(join(folder, 'cluster', 'pg_wal'));
  return names.filter((name) => /^[0-9A-F]{24}$/.test(name));
}

/** How many bytes had been logged when what is replayed after a kill began. */
async function lastCheckpoint(database: OpenDatabase): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select (redo_lsn - '0/0')::float8 as bytes from pg_control_checkpoint()`.execute(database.sql);
  return rows[0]?.bytes ?? Number.NaN;
}

describe('the folder of the embedded database', () => {
  it('is refused while another process works in it, in a sentence that names it', async () => {
    const other = await holdElsewhere();
    const refusal = await open().catch((error) => error);
    expect(refusal).toBeInstanceOf(FolderInUse);
    expect(refusal.message).toContain(`pid ${other.pid}`);
    expect(refusal.message).toContain('déjà utilisé');
    expect(await readdir(folder)).not.toContain('cluster');
  });

  it('is refused to a second opening in the same process, and readable by its owner alone', async () => {
    await open();
    await expect(open()).rejects.toBeInstanceOf(FolderInUse);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });

  it('is free again after kill -9, also when the pid in it belongs to somebody else now', async () => {
    const other = await holdElsewhere();
    other.kill('SIGKILL');
    await once(other, 'exit');
    await writeFile(join(folder, 'lock.pid'), '1');
    await openAgain();
    expect(await readFile(join(folder, 'lock.pid'), 'utf8')).toBe(String(process.pid));
  });

  it.runIf(process.geteuid?.() === 0)(
    'is refused to whoever may do everything, where it is of another account, and stays as it was',
    async () => {
      await (await open()).close();
      opened.length = 0;
      const other = 65_534;
      const made = [folder, ...(await readdir(folder, { recursive: true }))];
      for (const name of made) await chown(resolve(folder, name), other, other);
      const before = await readdir(folder, { recursive: true });
      const refusal = await open().catch((error) => error);
      expect(refusal).toBeInstanceOf(FolderOfOther);
      expect(refusal.message).toContain(`(uid ${other})`);
      expect(await readdir(folder, { recursive: true })).toEqual(before);
      for (const name of before) expect((await stat(join(folder, name))).uid, name).toBe(other);
      // While its own account has it open, a command asks the service.
      const holder = await holdElsewhere();
      await expect(open()).rejects.toBeInstanceOf(FolderInUse);
      holder.kill('SIGKILL');
    },
  );

  it.runIf(process.geteuid?.() === 0)(
    'is not made in a data folder of another account, and is in one that does not exist yet',
    async () => {
      await chown(parent, 65_534, 65_534);
      const refusal = await open().catch((error) => error);
      expect(refusal).toBeInstanceOf(FolderOfOther);
      expect(refusal.message).toContain(`${parent} est à un autre compte`);
      expect(await readdir(parent)).toEqual([]);
      await mkdir(folder);
      await chown(folder, 65_534, 65_534);
      await expect(open()).rejects.toBeInstanceOf(FolderOfOther);
      expect(await readdir(folder)).toEqual([]);
      folder = join(parent, 'new', 'database');
      await open();
    },
  );

  it('is cleaned while it is open, whatever table rows come and go in', async () => {
    const database = await openPreparedDatabase();
    opened.push(database);
    await migrate(database);
    await sql`insert into attempts (counter, counted_at, expires_at)
      select n::text, now(), now() from generate_series(1, 2000) n`.execute(database.sql);
    await sql`delete from attempts`.execute(database.sql);
    vi.useFakeTimers({ toFake: ['setInterval', 'setTimeout'] });
    const upkeep = startDatabaseUpkeep({
      database,
      clock: manualClock(),
      log: createLog('silent'),
      watchdog: noWatchdog,
    });
    vi.advanceTimersByTime(600_000);
    vi.useRealTimers();
    await vi.waitFor(
      async () => {
        const size = sql`select pg_relation_size('attempts') as bytes`;
        expect((await size.execute(database.sql)).rows).toEqual([{ bytes: 0 }]);
      },
      { timeout: 15_000 },
    );
    await upkeep.stop();
  });

  it('keeps a short log while it is open, also where it was long', async () => {
    const database = await openAgain();
    await fillLog(database);
    expect(await logFiles()).toHaveLength(4);
    const before = await lastCheckpoint(database);
    const sync = vi.spyOn(fs, 'fsyncSync');
    syncBuiltinESMExports();
    vi.useFakeTimers({ toFake: ['setInterval', 'setTimeout'] });
    const upkeep = startDatabaseUpkeep({
      database,
      clock: manualClock(),
      log: createLog('silent'),
      watchdog: noWatchdog,
    });
    vi.advanceTimersByTime(600_000);
    vi.useRealTimers();
    await vi.waitFor(async () => expect(await logFiles()).toHaveLength(2), { timeout: 15_000 });
    await upkeep.stop();
    expect(await lastCheckpoint(database)).toBeGreaterThan(before + 48 * mebibyte);
    expect(sync).toHaveBeenCalled();
  });

  it('keeps what was committed, and syncs each commit', async () => {
    const first = await openAgain();
    await migrate(first);
    if (first.engine !== 'embedded') throw new Error('wrong engine');
    const { rows } = await first.embedded.query('show fsync');
    expect(rows).toEqual([{ fsync: 'on' }]);
    await opened.splice(0)[0]?.close();
    const again = await open();
    await migrate(again);
    expect(await again.sql.selectFrom('users').select('id').execute()).toEqual([]);
  });
});

describe('the daily copy', () => {
  it('is one a day, seven are kept, and a new database opened from it has everything', async () => {
    const database = await openAgain();
    await migrate(database);
    const now = new Date('2026-01-09T08:00:00Z');
    const person = { email: 'ana@exemple.fr', email_key: 'ana@exemple.fr', password_hash: '' };
    const id = '0f7cc0f8-3c3a-4c5c-8f0e-1d7a2f6f9b11';
    const dates = { terms_accepted_at: now, created_at: now };
    await database.sql
      .insertInto('users')
      .values({ id, ...person, firstname: 'Ana', lastname: 'Durand', ...dates })
      .execute();
    const dumps = join(folder, 'dumps');
    await mkdir(dumps);
    for (let day = 1; day <= 8; day += 1)
      await writeFile(join(dumps, `2026-01-0${day}.tar.gz`), '');
    // A process that was killed while it copied left this.
    await writeFile(join(dumps, '2026-01-08.tar.gz.unfinished'), 'half of it');
    await writeDailyCopy(database, now);
    expect((await readdir(dumps)).filter((name) => name.endsWith('.unfinished'))).toEqual([]);
    const names = [3, 4, 5, 6, 7, 8, 9].map((day) => `2026-01-0${day}.tar.gz`);
    expect((await listDailyCopies(dumps)).sort()).toEqual(names);
    const { mtimeMs } = await stat(join(dumps, '2026-01-09.tar.gz'));
    await writeDailyCopy(database, new Date('2026-01-09T18:00:00Z'));
    expect((await stat(join(dumps, '2026-01-09.tar.gz'))).mtimeMs).toBe(mtimeMs);

    const copy = await readFile(join(dumps, '2026-01-09.tar.gz'));
    const restored = await PGlite.create({ loadDataDir: new Blob([copy]) });
    const { rows } = await restored.query('select id, firstname from users');
    await restored.close();
    expect(rows).toEqual([{ id, firstname: 'Ana' }]);
  });

  it('is kept beside those of a clock that ran ahead, which end once seven others are there', async () => {
    const database = await openAgain();
    const dumps = join(folder, 'dumps');
    await mkdir(dumps);
    const names = (days: number[]) => days.map((day) => `2026-01-${day}.tar.gz`);
    const later = [20, 21, 22, 23, 24, 25, 26];
    for (const name of names([10, ...later])) await writeFile(join(dumps, name), '');
    const listed = async () => (await listDailyCopies(dumps)).sort();
    await writeDailyCopy(database, new Date('2026-01-11T08:00:00Z'));
    expect(await listed()).toEqual(names([10, 11, ...later]));
    for (const name of names([12, 13, 14, 15])) await writeFile(join(dumps, name), '');
    await writeDailyCopy(database, new Date('2026-01-16T08:00:00Z'));
    expect(await listed()).toEqual(names([10, 11, 12, 13, 14, 15, 16]));
  });

  it('holds little of the log', async () => {
    const database = await openAgain();
    await fillLog(database);
    const before = await lastCheckpoint(database);
    await writeDailyCopy(database, new Date('2026-01-09T08:00:00Z'));
    expect(await lastCheckpoint(database)).toBeGreaterThan(before + 48 * mebibyte);
    expect(await logFiles()).toHaveLength(2);
  });
});
