import { sql } from 'kysely';
import type { OpenDatabase } from './open.ts';

/**
 * After many rows of `tables` changed at once, so that the next statements find their indexes. A
 * PostgreSQL server does it by itself.
 */
export async function refreshStatistics(database: OpenDatabase, tables: string[]): Promise<void> {
  if (database.engine === 'postgres') return;
  for (const table of tables) await sql`analyze ${sql.table(table)}`.execute(database.sql);
}
