import type { PGlite } from '@electric-sql/pglite';
import { Kysely, PGliteDialect, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Configuration } from '../configuration/configuration.ts';
import { connectionName } from '../secrets/holders.ts';
import { openEmbedded } from './embedded.ts';
import { createMemory, forget, type Remember } from './memory.ts';
import type { Schema } from './schema.ts';
import { parsers } from './types.ts';

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
): Promise<OpenDatabase> {
  const { database, appSecrets = [] } = configuration;
  if (database.engine === 'postgres') {
    return openPostgres(database.url, connectionName(appSecrets), onError);
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

function openPostgres(url: string, name: string, onError: (error: Error) => void): OpenDatabase {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: name,
    // One stays, also where nobody asks for anything: a change of the key looks at their names.
    min: 1,
    max: 10,
    connectionTimeoutMillis: 10_000,
    // Beyond these a connection is taken for dead, and its transaction holds no row any longer.
    statement_timeout: 60_000,
    query_timeout: 65_000,
    idle_in_transaction_session_timeout: 60_000,
    keepAlive: true,
    types: { getTypeParser: (oid, format) => parsers[oid] ?? pg.types.getTypeParser(oid, format) },
  });
  // An idle connection that the server drops is reported here, one in use also to who uses it.
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  const sql = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  return { engine: 'postgres', pool, sql, remember: forget, close: () => sql.destroy() };
}
