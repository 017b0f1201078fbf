import type { PGlite } from '@electric-sql/pglite';
import { Kysely, type LogEvent, PGliteDialect, PostgresDialect } from 'kysely';
import type pg from 'pg';
import type { Configuration } from '../configuration/configuration.ts';
import { connectionName } from '../vault/holders.ts';
import { type ConnectionLimits, openPool, promptLimits, withoutLost } from './connections.ts';
import { openEmbedded } from './embedded.ts';
import type { Schema } from './schema.ts';

/**
 * One typed door to the data, the same SQL on both engines. On the embedded engine there is one
 * connection: inside `transaction()` use only the transaction, or the call waits for itself.
 */
export type OpenDatabase = {
  sql: Kysely<Schema>;
  /** For what is read on every request. What it gives is shared: never change it. */
  remember: Remember;
  close(): Promise<void>;
} & (
  | { engine: 'embedded'; embedded: PGlite /** Null when held in memory. */; folder: string | null }
  | { engine: 'postgres'; pool: pg.Pool }
);

/** `onError` hears of idle connections that were lost; what is asked next opens another. */
export async function openDatabase(
  configuration: Pick<Configuration, 'database'> & Partial<Pick<Configuration, 'appSecrets'>>,
  onError: (error: Error) => void,
  limits = promptLimits,
): Promise<OpenDatabase> {
  const { database, appSecrets = [] } = configuration;
  if (database.engine === 'postgres') {
    return openPostgres(database.url, connectionName(appSecrets), limits, onError);
  }
  const { pglite, release } = await openEmbedded(database.folder);
  const opened = wrapEmbedded(pglite, database.folder);
  return {
    ...opened,
    async close() {
      await opened.close();
      release();
    },
  };
}

/** Also how tests hand in an embedded database held in memory. */
export function wrapEmbedded(embedded: PGlite, folder: string | null = null): OpenDatabase {
  const { remember, notice } = createMemory();
  const dialect = new PGliteDialect({ pglite: embedded });
  const sql = new Kysely<Schema>({ dialect, log: notice });
  return { engine: 'embedded', embedded, folder, sql, remember, close: () => sql.destroy() };
}

function openPostgres(
  url: string,
  name: string,
  limits: ConnectionLimits,
  onError: (error: Error) => void,
): OpenDatabase {
  // One stays, also where nobody asks for anything: a change of the key looks at their names.
  const options = { connectionString: url, application_name: name, min: 1, max: 10 };
  return wrapPostgres(openPool(options, limits, onError));
}

export function wrapPostgres(pool: pg.Pool): OpenDatabase & { engine: 'postgres' } {
  const sql = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: withoutLost(pool) }) });
  return { engine: 'postgres', pool, sql, remember: forget, close: () => sql.destroy() };
}

/** Gives what `read` gave before under the same key, as long as it is surely still true. */
export type Remember = <T>(key: string, read: () => Promise<T>) => Promise<T>;

/** On a server that other processes write to, nothing stays true for sure. */
export const forget: Remember = (_key, read) => read();

/**
 * For the embedded engine, where this process is the only one that writes: what was read stays true
 * until any statement but a select has run, which empties the memory whole. A read is kept under the
 * state it began in: one that overlaps a write is asked again.
 */
export function createMemory(limit = 2000): { remember: Remember; notice(event: LogEvent): void } {
  let known = new Map<string, Promise<unknown>>();
  const remember: Remember = (key, read) => {
    const kept = known.get(key);
    // The key names one kind of row, so what is kept under it has the type that is asked for.
    if (kept) return kept as ReturnType<typeof read>;
    const reading = read();
    const memory = known;
    if (memory.size >= limit) memory.clear();
    memory.set(key, reading);
    reading.catch(() => memory.delete(key));
    return reading;
  };
  return {
    remember,
    notice(event) {
      if (event.query.query.kind !== 'SelectQueryNode' && known.size > 0) known = new Map();
    },
  };
}
