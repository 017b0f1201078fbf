import { sql } from 'kysely';
import { type ConnectionLimits, openPool } from './connections.ts';
import { type OpenDatabase, wrapPostgres } from './open.ts';

/**
 * Does what takes longer than anybody waits for, on connections of its own with other limits. The
 * embedded database has one connection, and no limits.
 */
export async function withLongStatements<T>(
  database: OpenDatabase,
  limits: ConnectionLimits,
  work: (patient: OpenDatabase) => Promise<T>,
): Promise<T> {
  if (database.engine === 'embedded') return await work(database);
  const options = { ...database.pool.options, min: 0, max: 2 };
  const patient = wrapPostgres(openPool(options, limits, () => {}));
  try {
    return await work(patient);
  } finally {
    await patient.close();
  }
}

/** A change of our schema, and the wait for another process that is at one, take the time they take. */
export const noLimits: ConnectionLimits = { statementMs: 0, answerMs: 0, idleMs: 0 };

/**
 * Runs `work` while no other process of this database does: for what creates schemas, which two
 * processes that start together would both try. The embedded database has one process anyway.
 */
export async function inTurn<T>(database: OpenDatabase, work: () => Promise<T>): Promise<T> {
  if (database.engine === 'embedded') return work();
  return await withLongStatements(database, noLimits, (patient) =>
    patient.sql.connection().execute(async (turn) => {
      // It ends with the connection.
      await sql`select pg_advisory_lock(${sql.lit(startingUp)})`.execute(turn);
      return await work();
    }),
  );
}

/** Any number, as long as nothing else in the database takes it. */
const startingUp = 721_340_118;
