import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCopier } from '../../src/server/database/copier.ts';
import { listDumps } from '../../src/server/database/dumps.ts';
import { addMessenger, addPerson } from '../deliveries/people.ts';
import { openWorld, type World } from '../deliveries/world.ts';
import { openMemoryDatabase } from '../support/memory-database.ts';

let world: World;
let folder: string;
let look: () => Promise<void>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tirelire copies '));
  const database = await openMemoryDatabase();
  world = await openWorld(database);
  look = createCopier({ database: { ...database, folder } as typeof database, clock: world.clock });
});
afterEach(async () => {
  await world.close();
  await rm(folder, { recursive: true, force: true });
});

const copies = () => listDumps(join(folder, 'dumps'));

/** As many times as an open database does in that time. */
async function lookFor({ minutes }: { minutes: number }): Promise<void> {
  for (let times = 0; times < minutes * 6; times += 1) await look();
}

/** Nine o'clock in Paris, an hour after the clock's start, comes in five seconds. */
async function waitForNine(): Promise<void> {
  await addMessenger(world, await addPerson(world));
  world.clock.advance({ minutes: 59, seconds: 55 });
}

describe('the daily copy of the embedded database', () => {
  it('is made a minute after the start, once', async () => {
    await lookFor({ minutes: 1 });
    expect(await copies()).toEqual([]);
    await lookFor({ minutes: 120 });
    expect(await copies()).toEqual(['2026-01-12.tar.gz']);
  });

  it('delays no message: it waits while one is about to leave', async () => {
    await waitForNine();
    await lookFor({ minutes: 2 });
    expect(await copies()).toEqual([]);
    await world.parts.database.sql.updateTable('messengers').set({ next_at: null }).execute();
    await look();
    expect(await copies()).toEqual(['2026-01-12.tar.gz']);
  });

  it('is made all the same where messages leave without a pause', async () => {
    await waitForNine();
    await lookFor({ minutes: 61 });
    expect(await copies()).toEqual([]);
    await look();
    expect(await copies()).toEqual(['2026-01-12.tar.gz']);
  });
});
