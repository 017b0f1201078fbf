import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { OpenDatabase } from '../../platform/database/open.ts';
import { copyCluster } from './cluster-copy.ts';

/**
 * Returns a function that copies the embedded database once a day. Call it every `checkEveryMs`. A
 * copy takes processor time from everything else, so it waits while messages are being sent or due,
 * for at most an hour.
 */
export function createDailyCopier(deps: {
  database: OpenDatabase;
  clock: Clock;
  /** Breaks off the copy that is being written. */
  stopping?: AbortSignal;
}): () => Promise<void> {
  // After a start, messages that became due while nothing ran are sent first.
  let pausedCalls = callsPerMinute;
  let deferrableCalls = callsPerHour;
  return async () => {
    if (pausedCalls > 0) {
      pausedCalls -= 1;
      return;
    }
    const now = deps.clock.now();
    if (deferrableCalls > 0 && (await isBusy(deps.database, now))) {
      deferrableCalls -= 1;
      return;
    }
    pausedCalls = callsPerHour;
    deferrableCalls = callsPerHour;
    await writeDailyCopy(deps.database, now, deps.stopping);
  };
}

export const checkEveryMs = 10_000;

const callsPerMinute = 60_000 / checkEveryMs;
const callsPerHour = 60 * callsPerMinute;

/** A delivery pending for longer waits for a bank or a chat that does not answer. */
const sendingMs = 5 * 60_000;

async function isBusy({ sql: database }: OpenDatabase, now: Date): Promise<boolean> {
  const soon = new Date(now.getTime() + checkEveryMs);
  const lately = new Date(now.getTime() - sendingMs);
  const { rows } = await sql<{ busy: boolean }>`
    select exists(select from slots where next_at <= ${soon})
      or exists(select from deliveries where created_at > ${lately} and outcome = 'pending')
      as busy`.execute(database);
  return rows[0]?.busy ?? false;
}

/**
 * Writes the copy of the day beside the embedded database, unless it exists, and keeps the newest
 * seven. A copy is a whole cluster, which PGlite opens with `loadDataDir`.
 *
 * Copies of later days, which a clock that ran ahead has named, do not count among the seven. They are
 * removed once there are seven others: until then this clock may be the wrong one, which runs behind.
 */
export async function writeDailyCopy(
  database: OpenDatabase,
  now: Date,
  stopping?: AbortSignal,
): Promise<void> {
  if (database.engine !== 'embedded' || !database.folder) return;
  const folder = join(database.folder, 'dumps');
  const name = `${now.toISOString().slice(0, 10)}.tar.gz`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const existing = await listDailyCopies(folder);
  if (existing.includes(name)) return;
  await removeUnfinished(folder);
  const unfinished = join(folder, name + unfinishedEnd);
  await copyCluster(database, unfinished, stopping).catch(async (error) => {
    await rm(unfinished, { force: true });
    throw error;
  });
  await rename(unfinished, join(folder, name));
  const later = existing.filter((one) => one > name);
  const others = [...existing.filter((one) => one < name), name].sort();
  const removed = others.slice(0, -kept);
  if (others.length >= kept) removed.push(...later);
  for (const one of removed) await rm(join(folder, one));
}

/** The file names of the copies, which are days. Other files of the folder are ignored. */
export async function listDailyCopies(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => /^\d{4}-\d\d-\d\d\.tar\.gz$/.test(name));
}

const kept = 7;
const unfinishedEnd = '.unfinished';

/** Removes the file of a process that was killed while it wrote. */
async function removeUnfinished(folder: string): Promise<void> {
  const names = await readdir(folder);
  for (const name of names.filter((one) => one.endsWith(unfinishedEnd))) {
    await rm(join(folder, name));
  }
}
