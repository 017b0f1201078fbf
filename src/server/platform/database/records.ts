import { type RawBuilder, sql } from 'kysely';
import type { OpenDatabase } from './open.ts';

/**
 * Rows passed to a statement as one parameter, to be used as a table: the text of the statement is
 * the same for any number of rows, on both engines. `shape` is the column list of the recordset.
 */
export function records(rows: object[], shape: string): RawBuilder<unknown> {
  return sql`json_to_recordset(${JSON.stringify(rows)}::text::json) as given(${sql.raw(shape)})`;
}

/**
 * One column of such a table, to be unnested. The planner expects a few rows of it, and a hundred of
 * a recordset: it then looks each row up by index instead of scanning the table.
 */
export function column(values: (string | number)[], type: 'uuid' | 'int'): RawBuilder<unknown> {
  const list = `{${values.map((value) => `"${value}"`).join(',')}}`;
  return sql`${list}::text::${sql.raw(type)}[]`;
}

/**
 * Updates the planner's statistics after many rows of `tables` changed at once, so that the next
 * statements use the indexes. A PostgreSQL server does so by itself.
 */
export async function refreshStatistics(database: OpenDatabase, tables: string[]): Promise<void> {
  if (database.engine === 'postgres') return;
  for (const table of tables) await sql`analyze ${sql.table(table)}`.execute(database.sql);
}

/**
 * Repeats a statement that deletes at most `limit` rows until it deletes fewer, so that none of them
 * blocks the embedded database for long.
 */
export async function deleteInSlices(
  { sql: database }: OpenDatabase,
  statement: (limit: number) => RawBuilder<unknown>,
): Promise<void> {
  for (;;) {
    const { numAffectedRows = 0n } = await statement(slice).execute(database);
    if (numAffectedRows < BigInt(slice)) return;
  }
}

const slice = 1000;
