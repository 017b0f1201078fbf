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
 * Rows as an array for each column, to be unnested: cheaper than a recordset, and the planner expects
 * few rows, which it looks up by index. `types` names the columns; null becomes NULL.
 */
export function unnested<Row extends object>(
  rows: Row[],
  types: { [Name in keyof Row & string]: string },
): RawBuilder<unknown> {
  const columns = Object.entries<string>(types);
  const arrays = columns.map(([name, type]) => {
    const values = rows.map((row) => literalOf(row[name as keyof Row]));
    return sql`${`{${values.join(',')}}`}::text::${sql.raw(type)}[]`;
  });
  const names = columns.map(([name]) => `"${name}"`).join(', ');
  return sql`unnest(${sql.join(arrays)}) as given(${sql.raw(names)})`;
}

/**
 * An element of an array in PostgreSQL's notation. Of a JSON text, JSON escapes what PostgreSQL asks for,
 * quotes and backslashes, and nothing else.
 */
function literalOf(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value instanceof Date) return `"${value.toISOString()}"`;
  if (typeof value === 'object') return JSON.stringify(JSON.stringify(value));
  const text = String(value);
  const hasSigns = text.includes('"') || text.includes('\\');
  return `"${hasSigns ? text.replaceAll(/["\\]/g, '\\$&') : text}"`;
}

/**
 * Repeats a statement that deletes at most `limit` rows until it deletes fewer, so that none of them
 * blocks the embedded database for long.
 */
export async function deleteInBatches(
  { sql: database }: OpenDatabase,
  statement: (limit: number) => RawBuilder<unknown>,
): Promise<void> {
  for (;;) {
    const { numAffectedRows = 0n } = await statement(slice).execute(database);
    if (numAffectedRows < BigInt(slice)) return;
  }
}

const slice = 1000;
