import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openServices } from '../../../src/server/app/services.ts';
import { runTask } from '../../../src/server/operations/commands/task-client.ts';
import { openTaskServer } from '../../../src/server/operations/commands/task-server.ts';
import { requestTimeouts } from '../../../src/server/platform/database/connections.ts';
import {
  DiskTooFull,
  type DiskWatch,
  watchDisk,
} from '../../../src/server/platform/database/disk.ts';
import { lockFolder } from '../../../src/server/platform/database/folder-lock.ts';
import { type OpenDatabase, openDatabase } from '../../../src/server/platform/database/open.ts';
import { DatabaseOutage } from '../../../src/server/platform/database/outage.ts';
import { storageErrorOf } from '../../../src/server/platform/http/storage-errors.ts';
import { createLog } from '../../../src/server/platform/log.ts';
import { eventually, type Fixture, openFixture } from '../../notifications/deliveries/fixture.ts';
import {
  addMessenger,
  addPerson,
  bonnard,
  deliveriesOf,
} from '../../notifications/deliveries/people.ts';
import { startApplication } from '../../support/application.ts';
import { configurationFor } from '../../support/configuration.ts';
import { openPreparedDatabase } from '../../support/memory-database.ts';

const mebibyte = 2 ** 20;

/** A database on a disk whose free space the test sets. */
interface Disk {
  database: OpenDatabase;
  states: boolean[];
  fill(): Promise<void>;
  empty(): Promise<void>;
}

let watch: DiskWatch | null = null;

afterEach(() => {
  watch?.stop();
  watch = null;
});

async function openOnDisk(): Promise<Disk> {
  let free = 500 * mebibyte;
  const states: boolean[] = [];
  const opened = await openPreparedDatabase();
  if (opened.engine !== 'embedded') throw new Error('wrong engine');
  const { embedded } = opened;
  const listener = ({ takesWrites }: { takesWrites: boolean }) => void states.push(takesWrites);
  const own = await watchDisk(embedded, () => free, listener);
  watch = own;
  const become = async (mebibytes: number, takesWrites: boolean) => {
    free = mebibytes * mebibyte;
    const isSo = () => expect(own.takesWrites()).toBe(takesWrites);
    await vi.waitFor(isSo, { timeout: 15_000 });
    await embedded.query('select 1');
  };
  return {
    database: { ...opened, takesWrites: own.takesWrites },
    states,
    fill: () => become(63, false),
    empty: () => become(500, true),
  };
}

describe('on a disk that is nearly full', () => {
  it('a command that the service carries out is told so in a sentence', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tirelire-full-'));
    const { database, fill } = await openOnDisk();
    const app = await startApplication({ database });
    await app.signUp({ email: 'ana@exemple.fr' });
    const embedded = { engine: 'embedded', folder } as const;
    const server = await openTaskServer({
      ...app.services,
      database: { ...database, ...embedded } as OpenDatabase,
    });
    const lock = lockFolder(folder);
    await fill();
    const configuration = { ...app.services.configuration, database: embedded };
    const reset = runTask(configuration, 'user', ['reset-link', 'ana@exemple.fr']);
    await expect(reset.next()).rejects.toThrow(/^La base refuse les écritures/);
    lock.release();
    await server.close();
    await app.close();
    await rm(folder, { recursive: true });
  });

  it('writes are refused with a sentence, what is there is read, and both end by themselves', async () => {
    const disk = await openOnDisk();
    const app = await startApplication({ database: disk.database });
    const ana = await app.signUp();
    await disk.fill();
    // The last use of a session is noted once an hour.
    app.clock.advance({ hours: 2 });
    expect((await ana.get('/users/me')).status).toBe(200);
    expect((await ana.get('/bridge/items')).status).toBe(200);
    const refused = await ana.patch('/users/me', { firstname: 'Anaïs' });
    expect(refused).toMatchObject({ status: 507, body: { code: 'Storage_Full' } });
    expect(refused.body.message).toContain('Le disque du serveur est presque plein');
    expect(refused.headers.get('retry-after')).toBe('60');
    expect((await fetch(`${app.url}/healthz`)).status).toBe(200);
    await disk.empty();
    expect((await ana.patch('/users/me', { firstname: 'Anaïs' })).status).toBe(200);
    expect(disk.states).toEqual([false, true]);
    watch?.stop();
    await app.close();
  });

  describe('messages that become due', () => {
    let disk: Disk;
    let fixture: Fixture;

    async function dueAtNine() {
      disk = await openOnDisk();
      fixture = await openFixture(disk.database);
      const messenger = await addMessenger(fixture, await addPerson(fixture));
      const worker = await fixture.startWorker();
      await disk.fill();
      fixture.clock.set('2026-01-12T08:00:00Z');
      return { worker, id: messenger.id };
    }
    const posts = () => fixture.slack.control.messages(bonnard.team, bonnard.general).length;
    const ended = (id: string) =>
      eventually(
        () => deliveriesOf(fixture, id),
        (rows) => rows.length > 0 && rows.every(({ outcome }) => outcome !== 'pending'),
      );
    /** Planning has looked at what is due, in vain. */
    const looked = async () => {
      const next = fixture.services.database.sql.selectFrom('slots').select('next_at');
      for (let times = 0; times < 20; times += 1) await next.execute();
    };

    it('are sent once when there is room again in time', async () => {
      const { worker, id } = await dueAtNine();
      await looked();
      expect(posts()).toBe(0);
      await disk.empty();
      expect((await ended(id)).map(({ outcome }) => outcome)).toEqual(['delivered']);
      expect(posts()).toBe(1);
      await worker.stop();
      watch?.stop();
      await fixture.close();
    });

    it('are missed when there is none for too long', async () => {
      const { worker, id } = await dueAtNine();
      await looked();
      fixture.clock.advance({ hours: 7 });
      await disk.empty();
      expect((await ended(id)).map(({ outcome }) => outcome)).toEqual(['missed']);
      expect(posts()).toBe(0);
      await worker.stop();
      watch?.stop();
      await fixture.close();
    });
  });

  it('a database is neither created nor opened, and the sentence says what is missing', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tirelire disk '));
    const open = (free: number) =>
      openDatabase(
        { database: { engine: 'embedded', folder: join(folder, 'database') } },
        () => {},
        requestTimeouts,
        { measureDisk: () => free * mebibyte, memory: 512 * mebibyte },
      ).catch((error) => error);
    const refusal = await open(100);
    expect(refusal).toBeInstanceOf(DiskTooFull);
    expect(refusal.message).toContain('100 Mio libres');
    expect(refusal.message).toContain('il en faut 128');
    expect(existsSync(join(folder, 'database'))).toBe(false);
    const opened = await open(500);
    await opened.close();
    expect((await open(20)).message).toContain('il en faut 32');
    const configuration = configurationFor('http://127.0.0.1:1');
    const database = { engine: 'embedded', folder: join(folder, 'database') } as const;
    const overrides = { measureDisk: () => 50 * mebibyte, log: createLog('silent') };
    const start = openServices({ ...configuration, database }, overrides);
    await expect(start).rejects.toThrow('il en faut 64');
    await rm(folder, { recursive: true });
  });

  it('the log says so once, whichever engine refuses', () => {
    const [full, readOnly] = ['53100', '25006'].map((code) =>
      Object.assign(new Error('refused'), { code }),
    );
    const linesOf = (takesWrites: boolean) => {
      const lines: string[] = [];
      const outage = new DatabaseOutage();
      const write = (line: string) => void lines.push(JSON.parse(line).code);
      const log = createLog('info', { write }, (error) => outage.note(error));
      const probe = () => Promise.resolve();
      outage.watch({ log, probe, database: { takesWrites: () => takesWrites } });
      for (const err of [full, full, readOnly, readOnly]) log.warn({ err }, 'queue');
      return lines;
    };
    // Of the disk of the embedded database, `onDisk` in services.ts writes the line.
    expect(linesOf(false)).toEqual([]);
    expect(linesOf(true)).toEqual(['53100', '25006']);
  });

  it('a server that is read-only is away, one without room is full', () => {
    const codesOf = (code: string) =>
      (['embedded', 'postgres'] as const).map((engine) => storageErrorOf({ code }, engine)?.code);
    expect(codesOf('25006')).toEqual(['Storage_Full', undefined]);
    expect(codesOf('53100')).toEqual(['Storage_Full', 'Storage_Full']);
  });
});
