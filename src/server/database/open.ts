import type { PGlite } from '@electric-sql/pglite';
import { Kysely, PGliteDialect, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Configuration } from '../configuration/configuration.ts';
import { openEmbedded } from './embedded.ts';
import type { Schema } from './schema.ts';
import { parsers } from './types.ts';

/**
 * One typed door to the data, the same SQL on both engines. On the embedded engine there is one
 * connection: inside `transaction()` use only the transaction, or the call waits for itself.
 */
export type OpenDatabase = {
  sql: Kysely<Schema>;
  close(): Promise<void>;
} & ({ engine: 'embedded'; embedded: PGlite } | { engine: 'postgres'; pool: pg.Pool });

export async function openDatabase(
  configuration: Pick<Configuration, 'database'>,
  onError: (error: Error) => void,
): Promise<OpenDatabase> {
  return configuration.database.engine === 'embedded'
    ? wrapEmbedded(await openEmbedded(configuration.database.folder))
    : openPostgres(configuration.database.url, onError);
}

/** Also how tests hand in an embedded database held in memory. */
export function wrapEmbedded(embedded: PGlite): OpenDatabase {
  const sql = new Kysely<Schema>({ dialect: new PGliteDialect({ pglite: embedded }) });
  return { engine: 'embedded', embedded, sql, close: () => sql.destroy() };
}

function openPostgres(url: string, onError: (error: Error) => void): OpenDatabase {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 10_000,
    types: { getTypeParser: (oid, format) => parsers[oid] ?? pg.types.getTypeParser(oid, format) },
  });
  // An idle connection that the server drops is reported here and nowhere else.
  pool.on('error', onError);
  const sql = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  return { engine: 'postgres', pool, sql, close: () => sql.destroy() };
}
