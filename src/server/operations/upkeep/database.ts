import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '../../platform/clock.ts';
import type { OpenDatabase } from '../../platform/database/open.ts';
import type { Watchdog } from '../../platform/watchdog.ts';
import { checkEveryMs, createDailyCopier } from '../backup/daily-copy.ts';

/**
 * Maintains the embedded database: vacuum, analyze and checkpoints, which a PostgreSQL server does by
 * itself, and a copy once a day. Does nothing on PostgreSQL, and nothing while the disk is too full.
 */
export function startDatabaseUpkeep(deps: UpkeepDeps): { stop(): Promise<void> } {
  const { database, log, watchdog } = deps;
  if (database.engine === 'postgres') return { stop: async () => {} };
  const stopping = new AbortController();
  let round = Promise.resolve();
  const enqueue = (work: () => Promise<void>): void => {
    const ifPossible = async () => {
      if (!stopping.signal.aborted && database.takesWrites()) await watchdog.pausedFor(work);
    };
    round = round.then(ifPossible).catch((error) => {
      if (!stopping.signal.aborted) log.warn({ err: error }, 'database upkeep failed');
    });
  };
  const copyWhenQuiet = createDailyCopier({ ...deps, stopping: stopping.signal });
  const timers = [
    setInterval(() => {
      enqueue(() => clean(database, stopping.signal));
      enqueue(() => shortenLog(database));
    }, cleanEveryMs),
    setInterval(() => enqueue(copyWhenQuiet), checkEveryMs),
  ];
  for (const timer of timers) timer.unref();
  return {
    async stop() {
      stopping.abort();
      for (const timer of timers) clearTimeout(timer);
      await round;
    },
  };
}

interface UpkeepDeps {
  database: OpenDatabase;
  clock: Clock;
  log: Logger;
  /** A statement over a large table, and a checkpoint on a slow disk, block for as long as it takes. */
  watchdog: Watchdog;
}

const cleanEveryMs = 10 * 60_000;

/** Table by table, so that other statements can run in between. */
async function clean({ sql: database }: OpenDatabase, stopping: AbortSignal): Promise<void> {
  const { rows: tables } = await sql<{ name: string }>`
    select relid::regclass::text as name from pg_stat_user_tables`.execute(database);
  for (const { name } of tables) {
    stopping.throwIfAborted();
    await sql`vacuum (analyze) ${sql.raw(name)}`.execute(database);
  }
}

/** Without checkpoints the log grows without limit and is replayed as a whole after a kill. */
async function shortenLog({ sql: database }: OpenDatabase): Promise<void> {
  await sql`checkpoint`.execute(database);
}
