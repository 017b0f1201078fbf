import type { PGlite } from '@electric-sql/pglite';
import { Kysely, type LogEvent, PGliteDialect, PostgresDialect, type PostgresPool } from 'kysely';
import type pg from 'pg';
import type { Configuration } from '../configuration/configuration.ts';
import {
  type ConnectionTimeouts,
  openPool,
  requestTimeouts,
  withoutLostConnections,
} from './connections.ts';
import { type EmbeddedOptions, openEmbedded } from './embedded.ts';
import { runWithKeptPlans } from './kept-plans.ts';
import type { Schema } from './schema.ts';
import { lockSecret } from './secret-holders.ts';

/**
 * The database, with the same typed SQL on both engines. The embedded engine has one connection:
 * inside `transaction()` use only the transaction, because any other statement waits for its end.
 */
export type OpenDatabase = {
  sql: Kysely<Schema>;
  /** For what is read on every request. Its results are shared: do not change them. */
  cached: CachedRead;
  /** False while the disk of the embedded database is too full: every write is then refused. */
  takesWrites(): boolean;
  close(): Promise<void>;
} & (
  | { engine: 'embedded'; embedded: PGlite /** Null when held in memory. */; folder: string | null }
  | { engine: 'postgres'; pool: pg.Pool }
);

/**
 * The embedded engine returns the result of an earlier `read` under the same key while it is certainly
 * still true. PostgreSQL, to which other processes write too, reads again by the plan of the last time.
 */
type CachedRead = <T>(key: string, read: (reader: Kysely<Schema>) => Promise<T>) => Promise<T>;

/** `onError` is called for idle connections that were lost; the next statement opens another one. */
export async function openDatabase(
  configuration: Pick<Configuration, 'database'> & Partial<Pick<Configuration, 'appSecrets'>>,
  onError: (error: Error) => void,
  timeouts = requestTimeouts,
  options: EmbeddedOptions = {},
): Promise<OpenDatabase> {
  const { database, appSecrets = [] } = configuration;
  if (database.engine === 'postgres') {
    return openPostgres(database.url, appSecrets, timeouts, onError);
  }
  const { pglite, disk, release } = await openEmbedded(database.folder, options);
  const opened = wrapEmbedded(pglite, database.folder);
  return {
    ...opened,
    takesWrites: disk.takesWrites,
    async close() {
      disk.stop();
      await opened.close();
      release();
    },
  };
}

function openPostgres(
  connectionString: string,
  appSecrets: string[],
  timeouts: ConnectionTimeouts,
  onError: (error: Error) => void,
): OpenDatabase {
  const options = {
    connectionString,
    // One stays open in an idle process as well, so that a rotation of the secret finds its lock.
    min: 1,
    max: 10,
    onConnect: (client: pg.ClientBase) => lockSecret(client, appSecrets),
  };
  return wrapPostgres(openPool(options, timeouts, onError));
}

export function wrapPostgres(pool: pg.Pool): OpenDatabase & { engine: 'postgres' } {
  const on = (connections: PostgresPool) =>
    new Kysely<Schema>({ dialect: new PostgresDialect({ pool: connections }) });
  const sql = on(withoutLostConnections(pool));
  const planned = on(withoutLostConnections(pool, runWithKeptPlans()));
  return {
    ...{ engine: 'postgres', pool, sql, cached: (_key, read) => read(planned) },
    takesWrites: () => true,
    close: () => sql.destroy(),
  };
}

/** Tests hand in an embedded database held in memory. */
export function wrapEmbedded(embedded: PGlite, folder: string | null = null): OpenDatabase {
  const { cached, onQuery } = createReadCache();
  const dialect = new PGliteDialect({ pglite: embedded });
  const sql = new Kysely<Schema>({ dialect, log: onQuery });
  return {
    ...{ engine: 'embedded', embedded, folder, sql },
    cached: (key, read) => cached(key, () => read(sql)),
    takesWrites: () => true,
    close: () => sql.destroy(),
  };
}

/**
 * For the embedded engine, where this process is the only one that writes: a result stays true until
 * any statement other than a select has run, which empties the cache. A read is stored under the
 * state in which it began, so one that overlaps a write is read again.
 */
function createReadCache(limit = 2000) {
  let known = new Map<string, Promise<unknown>>();
  function cached<T>(key: string, read: () => Promise<T>): Promise<T> {
    const kept = known.get(key);
    // A key names one kind of row, so what is stored under it has the requested type.
    if (kept) return kept as Promise<T>;
    const reading = read();
    const memory = known;
    if (memory.size >= limit) memory.clear();
    memory.set(key, reading);
    reading.catch(() => memory.delete(key));
    return reading;
  }
  return {
    cached,
    onQuery(event: LogEvent): void {
      if (event.query.query.kind !== 'SelectQueryNode' && known.size > 0) known = new Map();
    },
  };
}
