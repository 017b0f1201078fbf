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
