import { type RawBuilder, sql } from 'kysely';
import type { OpenDatabase } from './open.ts';

/**
 * Rows handed to a statement as one parameter, to be used as a table: the statement's text stays
 * the same for any number of rows, on both engines. `shape` is the column list of a recordset.
 */
export function records(rows: object[], shape: string): RawBuilder<unknown> {
  return sql`json_to_recordset(${JSON.stringify(rows)}::text::json) as given(${sql.raw(shape)})`;
}

/**
 * One column of such a table, to be unnested. The planner takes it for a few rows, where it takes a
 * recordset for a hundred, so each is looked up and no table is read whole.
 */
export function column(
  values: (string | number)[],
  type: 'uuid' | 'tid' | 'int',
): RawBuilder<unknown> {
  const list = `{${values.map((value) => `"${value}"`).join(',')}}`;
  return sql`${list}::text::${sql.raw(type)}[]`;
}

/**
 * After many rows of `tables` changed at once, so that the next statements find their indexes. A
 * PostgreSQL server does it by itself.
 */
export async function refreshStatistics(database: OpenDatabase, tables: string[]): Promise<void> {
  if (database.engine === 'postgres') return;
  for (const table of tables) await sql`analyze ${sql.table(table)}`.execute(database.sql);
}
