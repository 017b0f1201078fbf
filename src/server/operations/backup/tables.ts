import { sql } from 'kysely';
import type { OpenDatabase } from '../../platform/database/open.ts';

/**
 * The tables of the program in an order in which they can be filled: each after the tables that its
 * foreign keys reference. Partitions stand under the name of their table. The jobs of the queue are in
 * another schema. What they are about follows from the rows (see preparing.ts), but for
 * `forgotten-passwords`, whose links a restore would delete, and `bank-late-users`: a restored
 * installation does not ask again.
 */
export async function listTables(database: OpenDatabase['sql']): Promise<string[]> {
  const { rows } = await sql<{ name: string; parents: string[] }>`
    select c.relname as name, coalesce(array_agg(p.relname::text)
      filter (where p.relname <> c.relname), '{}') as parents
    from pg_class c
    left join pg_constraint f on f.conrelid = c.oid and f.contype = 'f'
    left join pg_class p on p.oid = f.confrelid and p.relnamespace = c.relnamespace
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
      and not c.relispartition
      and c.relname not like 'kysely_%'
    group by c.relname order by c.relname`.execute(database);
  const parents = new Map(rows.map((row) => [row.name, row.parents]));
  const begun = new Set<string>();
  const ordered: string[] = [];
  const add = (table: string): void => {
    // Tables that somebody made beside may reference each other.
    if (begun.has(table)) return;
    begun.add(table);
    for (const parent of parents.get(table) ?? []) add(parent);
    ordered.push(table);
  };
  for (const table of parents.keys()) add(table);
  return ordered;
}
