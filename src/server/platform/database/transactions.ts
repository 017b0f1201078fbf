import type { Kysely, Transaction } from 'kysely';
import { hasErrorCode } from '../error-code.ts';
import type { Schema } from './schema.ts';

/**
 * Runs `work` in a transaction, and again where the database undid it because another transaction and it
 * waited for each other. `work` therefore changes nothing but the database, through its transaction: what
 * it has sent, told or counted would be so twice. Nothing is waited for between two runs: the other one
 * was let through, and the next run waits for its locks, unless it is there first and is undone once more.
 */
export async function inTransaction<Result>(
  database: Kysely<Schema>,
  work: (transaction: Transaction<Schema>) => Promise<Result>,
): Promise<Result> {
  for (let run = 1; ; run += 1) {
    try {
      return await database.transaction().execute(work);
    } catch (error) {
      if (run === maxRuns || !isUndoneForOthers(error)) throw error;
    }
  }
}

/** PostgreSQL notices a deadlock after a second: a request is answered within some seconds. */
const maxRuns = 5;

/** SQLSTATE serialization_failure and deadlock_detected: postgresql.org/docs/current/mvcc-serialization-failure-handling.html */
function isUndoneForOthers(error: unknown): boolean {
  return hasErrorCode(error, '40001', '40P01');
}
