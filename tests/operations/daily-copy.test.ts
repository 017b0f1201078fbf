import { openAsBlob } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { PGlite } from '@electric-sql/pglite';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { claimNextDue } from '../../src/server/notifications/deliveries/due.ts';
import { deliverySettings } from '../../src/server/notifications/deliveries/settings.ts';
import {
  createDailyCopier,
  listDailyCopies,
  writeDailyCopy,
} from '../../src/server/operations/backup/daily-copy.ts';
import { startDatabaseUpkeep } from '../../src/server/operations/upkeep/database.ts';
import { createLog } from '../../src/server/platform/log.ts';
import { noWatchdog } from '../../src/server/platform/watchdog.ts';
import { type Fixture, openFixture } from '../notifications/deliveries/fixture.ts';
import { addMessenger, addPerson } from '../notifications/deliveries/people.ts';
import { openPreparedDatabase } from '../support/memory-database.ts';
import { trustedClock } from '../support/trusted-clock.ts';

let fixture: Fixture;
let folder: string;
let services: Parameters<typeof createDailyCopier>[0];
let check: () => Promise<void>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tirelire copies '));
  const database = await openPreparedDatabase();
  fixture = await openFixture(database);
  services = { database: { ...database, folder } as typeof database, clock: fixture.clock };
  check = createDailyCopier(services);
});
afterEach(async () => {
  vi.useRealTimers();
  await fixture.close();
  await rm(folder, { recursive: true, force: true });
});

const copies = () => listDailyCopies(join(folder, 'dumps'));

/** As many times as an open database does in that time. */
async function checkFor({ minutes }: { minutes: number }): Promise<void> {
  for (let times = 0; times < minutes * 6; times += 1) await check();
}

/** Nine o'clock in Paris, an hour after the clock's start, comes in five seconds. */
async function waitForNine(): Promise<void> {
  await addMessenger(fixture, await addPerson(fixture));
  fixture.clock.advance({ minutes: 59, seconds: 55 });
}

/** Which has checked for 80 seconds whether a copy is to be made. */
function startUpkeep(): ReturnType<typeof startDatabaseUpkeep> {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  const upkeep = startDatabaseUpkeep({
    ...services,
    ...{ log: createLog('silent'), watchdog: noWatchdog },
  });
  vi.advanceTimersByTime(80_000);
  vi.useRealTimers();
  return upkeep;
}

describe('the daily copy of the embedded database', () => {
  it('is made after the first minute, and each day', async () => {
    await checkFor({ minutes: 1 });
    expect(await copies()).toEqual([]);
    await check();
    expect(await copies()).toEqual(['2026-01-12.tar.gz']);
    fixture.clock.advance({ days: 1 });
    await checkFor({ minutes: 61 });
    expect((await copies()).sort()).toEqual(['2026-01-12.tar.gz', '2026-01-13.tar.gz']);
  });

  it('is a part of the upkeep', async () => {
    const upkeep = startUpkeep();
    await vi.waitFor(async () => expect(await copies()).toHaveLength(1), { timeout: 15_000 });
    await upkeep.stop();
  });

  it('is broken off when the program stops, and leaves nothing', async () => {
    const upkeep = startUpkeep();
    const dumps = join(folder, 'dumps');
    const names = () => readdir(dumps).catch(() => []);
    await vi.waitFor(async () => expect(await names()).toHaveLength(1), { timeout: 15_000 });
    await upkeep.stop();
    expect(await names()).toEqual([]);
  });

  it('waits while a message is about to leave, or leaving', async () => {
    await waitForNine();
    await checkFor({ minutes: 2 });
    expect(await copies()).toEqual([]);
    const { sql } = fixture.services.database;
    fixture.clock.advance({ seconds: 5 });
    await claimNextDue(fixture.services, 10, deliverySettings, trustedClock);
    await check();
    expect(await copies()).toEqual([]);
    await sql.updateTable('deliveries').set({ outcome: 'delivered' }).execute();
    await check();
    expect(await copies()).toEqual(['2026-01-12.tar.gz']);
  });

  it('is made all the same where messages leave without a pause', async () => {
    await waitForNine();
    await checkFor({ minutes: 61 });
    expect(await copies()).toEqual([]);
    await check();
    expect(await copies()).toEqual(['2026-01-12.tar.gz']);
  });

  it('keeps nobody waiting, and has whole what was written while it was made', async () => {
    const { database } = services;
    if (database.engine !== 'embedded') throw new Error('wrong engine');
    await sql`create table numbers (n int primary key)`.execute(database.sql);
    let isCopied = false;
    const copying = writeDailyCopy(database, fixture.clock.now()).finally(() => {
      isCopied = true;
    });
    let written = 0;
    while (!isCopied) {
      // A database in memory answers without a turn of the event loop.
      await nextTurn();
      written += 1;
      await sql`insert into numbers values (${written})`.execute(database.sql);
    }
    await copying;
    expect(written).toBeGreaterThan(20);
    const copy = await openAsBlob(join(folder, 'dumps/2026-01-12.tar.gz'), {
      type: 'application/gzip',
    });
    const opened = await PGlite.create({ loadDataDir: copy });
    const { rows } = await opened.query<{ count: number; last: number }>(
      'select count(*)::int as count, max(n) as last from numbers',
    );
    await opened.close();
    await sql`drop table numbers`.execute(database.sql);
    expect(rows[0]?.count).toBeGreaterThan(10);
    expect(rows[0]?.last).toBe(rows[0]?.count);
  });
});
