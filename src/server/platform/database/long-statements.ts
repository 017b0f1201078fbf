import { sql } from 'kysely';
import { type ConnectionTimeouts, openPool } from './connections.ts';
import { type OpenDatabase, wrapPostgres } from './open.ts';

/**
 * Runs `work` on connections of its own with other limits, for statements that take longer than a
 * request may wait. The embedded database has one connection, without limits.
 */
export async function withLongStatements<T>(
  database: OpenDatabase,
  timeouts: ConnectionTimeouts,
  work: (separate: OpenDatabase) => Promise<T>,
): Promise<T> {
  if (database.engine === 'embedded') return await work(database);
  const options = { ...database.pool.options, min: 0, max: 2 };
  const separate = wrapPostgres(openPool(options, timeouts, () => {}));
  try {
    return await work(separate);
  } finally {
    await separate.close();
  }
}

/** For a migration, and for waiting until another process has finished one. */
export const noTimeouts: ConnectionTimeouts = { statementMs: 0, answerMs: 0, idleMs: 0 };

/**
 * Runs `work` while no other process of this database runs one of these: for creating schemas, which
 * two processes that start together would both try. The embedded database has one process.
 */
export async function withStartupLock<T>(
  database: OpenDatabase,
  work: () => Promise<T>,
): Promise<T> {
  if (database.engine === 'embedded') return work();
  return await withLongStatements(database, noTimeouts, (separate) =>
    separate.sql.connection().execute(async (connection) => {
      // Released with the connection.
      await sql`select pg_advisory_lock(${sql.lit(startupLockKey)})`.execute(connection);
      return await work();
    }),
  );
}

/** Any number that no other advisory lock of this database has. */
const startupLockKey = 721_340_118;
