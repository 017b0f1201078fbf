import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { OpenDatabase } from '../../platform/database/open.ts';

/**
 * A copy takes a second or more of everybody's time, so it waits while messages are leaving or about
 * to, though not for ever. To be called every ten seconds: `lookEveryMs`.
 */
export function createCopier(deps: { database: OpenDatabase; clock: Clock }): () => Promise<void> {
  // First goes what was due while nothing ran.
  let restLooks = aMinuteOfLooks;
  let patienceLooks = anHourOfLooks;
  return async () => {
    if (restLooks > 0) {
      restLooks -= 1;
      return;
    }
    const now = deps.clock.now();
    if (patienceLooks > 0 && (await isBusy(deps.database, now))) {
      patienceLooks -= 1;
      return;
    }
    restLooks = anHourOfLooks;
    patienceLooks = anHourOfLooks;
    await dumpDaily(deps.database, now);
  };
}

export const lookEveryMs = 10_000;

const aMinuteOfLooks = 60_000 / lookEveryMs;
const anHourOfLooks = 60 * aMinuteOfLooks;

/** What is pending for longer waits for a bank or a chat that does not answer. */
const leavingMs = 5 * 60_000;

async function isBusy({ sql: database }: OpenDatabase, now: Date): Promise<boolean> {
  const soon = new Date(now.getTime() + lookEveryMs);
  const lately = new Date(now.getTime() - leavingMs);
  const { rows } = await sql<{ busy: boolean }>`
    select exists(select from messengers where next_at <= ${soon})
      or exists(select from deliveries where created_at > ${lately} and outcome = 'pending')
      as busy`.execute(database);
  return rows[0]?.busy ?? false;
}

/**
 * Writes today's copy of the embedded database beside it, unless it is there, and keeps the last
 * seven. A copy is a whole cluster: PGlite opens it with `loadDataDir`.
 */
export async function dumpDaily(database: OpenDatabase, now: Date): Promise<void> {
  if (database.engine !== 'embedded' || !database.folder) return;
  const folder = join(database.folder, 'dumps');
  const name = `${now.toISOString().slice(0, 10)}.tar.gz`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const existing = await listDumps(folder);
  if (existing.includes(name)) return;
  await removeUnfinished(folder);
  // Its log then holds nothing that the copy needs.
  await database.embedded.exec('checkpoint');
  const dump = await database.embedded.dumpDataDir('gzip');
  const unfinished = join(folder, name + unfinishedEnd);
  await writeFile(unfinished, dump.stream(), { mode: 0o600, flush: true });
  await rename(unfinished, join(folder, name));
  for (const old of [...existing, name].sort().slice(0, -kept)) await rm(join(folder, old));
}

/** Their names, which are days; nothing else in the folder counts. */
export async function listDumps(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => /^\d{4}-\d\d-\d\d\.tar\.gz$/.test(name));
}

const kept = 7;
const unfinishedEnd = '.unfinished';

/** What a process that was killed left behind: no other writes here. */
async function removeUnfinished(folder: string): Promise<void> {
  const names = await readdir(folder);
  for (const name of names.filter((one) => one.endsWith(unfinishedEnd))) {
    await rm(join(folder, name));
  }
}
