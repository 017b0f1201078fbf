import type { OpenDatabase } from './open.ts';

/**
 * Runs `work` while no other process of this database does: for what creates schemas, which two
 * processes that start together would both try. The embedded database has one process anyway.
 */
export async function inTurn<T>(database: OpenDatabase, work: () => Promise<T>): Promise<T> {
  if (database.engine === 'embedded') return work();
  const client = await database.pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [startingUp]);
    return await work();
  } finally {
    await client.query('select pg_advisory_unlock($1)', [startingUp]).catch(() => {});
    client.release();
  }
}

/** Any number, as long as nothing else in the database takes it. */
const startingUp = 721_340_118;
