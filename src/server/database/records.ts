import { type RawBuilder, sql } from 'kysely';

/**
 * Rows handed to a statement as one parameter, to be used as a table: the statement's text stays
 * the same for any number of rows, on both engines. `shape` is the column list of a recordset.
 */
export function records(rows: object[], shape: string): RawBuilder<unknown> {
  return sql`json_to_recordset(${JSON.stringify(rows)}::text::json) as given(${sql.raw(shape)})`;
}
