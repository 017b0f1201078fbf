import { sql } from 'kysely';
import { noLimits, withLongStatements } from './long-statements.ts';
import type { OpenDatabase } from './open.ts';

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
