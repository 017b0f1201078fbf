import { sql } from 'kysely';
import type { OpenDatabase } from './open.ts';

/**
 * Whether PostgreSQL takes no writes: a replica, or a server that is set so. The embedded database does not count:
 * it has one process, whose pages go on showing what is stored while its disk is too full.
 */
export async function refusesWrites({ engine, sql: database }: OpenDatabase): Promise<boolean> {
  if (engine === 'embedded') return false;
  const { rows } = await sql<{ is_read_only: boolean }>`
    select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as is_read_only`.execute(
    database,
  );
  return rows[0]?.is_read_only ?? false;
}
