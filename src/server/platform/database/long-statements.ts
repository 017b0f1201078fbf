import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type ConnectionTimeouts, openPool } from './connections.ts';
import { type OpenDatabase, wrapPostgres } from './open.ts';
import type { Schema } from './schema.ts';

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
 * two processes that start together would both try.
 */
export function withStartupLock<T>(database: OpenDatabase, work: () => Promise<T>): Promise<T> {
  return withLock(database, sql`pg_advisory_lock(${sql.lit(startupLockKey)})`, work);
}

/** Runs `work`, which starts a process, while no backup is being restored. */
export function withoutRestore<T>(database: OpenDatabase, work: () => Promise<T>): Promise<T> {
  return withLock(database, sql`pg_advisory_lock_shared(${sql.lit(restoreLockKey)})`, work);
}

/**
 * Runs `work`, which restores a backup, while no process starts. `connection` is that of the lock: the only
 * one of this process if none was needed before.
 */
export function withoutStarts<T>(
  database: OpenDatabase,
  work: (connection: Kysely<Schema>) => Promise<T>,
): Promise<T> {
  return withLock(database, sql`pg_advisory_lock(${sql.lit(restoreLockKey)})`, work);
}

/** On a connection of its own, with which the lock ends. The embedded database has one process. */
async function withLock<T>(
  database: OpenDatabase,
  lock: RawBuilder<unknown>,
  work: (connection: Kysely<Schema>) => Promise<T>,
): Promise<T> {
  if (database.engine === 'embedded') return await work(database.sql);
  return await withLongStatements(database, noTimeouts, (separate) =>
    separate.sql.connection().execute(async (connection) => {
      await sql`select ${lock}`.execute(connection);
      return await work(connection);
    }),
  );
}

/** Any numbers that no other advisory lock of this database has. */
const startupLockKey = 721_340_118;
const restoreLockKey = 721_340_120;
