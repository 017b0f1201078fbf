import type { PGlite } from '@electric-sql/pglite';

/** What a database holds before a test uses it. */
export interface Original {
  /** Differs as soon as a table, a column, a function or a trigger does. */
  structure: string;
  /** Names that can stand in a statement. */
  tables: string[];
  /** The rows of each table that has some, as JSON. */
  rows: Map<string, string>;
}

export async function describeOriginal(embedded: PGlite): Promise<Original> {
  const { rows } = await embedded.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname in ('public', 'pgboss') order by name`,
  );
  const tables = rows.map(({ name }) => name);
  return {
    structure: await structureOf(embedded),
    tables,
    rows: await rowsOf(embedded, await filled(embedded, tables)),
  };
}

/** Takes away what a test added. False where it changed the structure, which stays as it is. */
export async function restoreOriginal(embedded: PGlite, original: Original): Promise<boolean> {
  await embedded.exec('discard all');
  if ((await structureOf(embedded)) !== original.structure) return false;
  const used = await filled(embedded, original.tables);
  const added = used.filter((table) => !original.rows.has(table));
  if (added.length > 0) await embedded.exec(`truncate ${added} restart identity cascade`);
  const standing = await rowsOf(embedded, [...original.rows.keys()]);
  for (const [table, rows] of original.rows) {
    if (standing.get(table) === rows) continue;
    await embedded.exec(`delete from ${table}`);
    const values = `insert into ${table} select * from json_populate_recordset(null::${table}, $1)`;
    await embedded.query(values, [rows]);
  }
  return true;
}

/** Each of these catalogs' number of rows, and the newest transaction that wrote one. */
async function structureOf(embedded: PGlite): Promise<string> {
  const catalogs = ['attribute', 'constraint', 'namespace', 'proc', 'trigger', 'type'];
  const counts = catalogs.map(
    (catalog) => `(select count(*) || ':' || max(xmin::text::bigint) from pg_${catalog})`,
  );
  const { rows } = await embedded.query<{ structure: string }>(
    `select concat_ws(' ', ${counts}) as structure`,
  );
  return rows[0]?.structure ?? '';
}

async function filled(embedded: PGlite, tables: string[]): Promise<string[]> {
  const each = tables.map((name) => `select '${name}' as name where exists (select from ${name})`);
  const { rows } = await embedded.query<{ name: string }>(each.join(' union all '));
  return rows.map(({ name }) => name);
}

async function rowsOf(embedded: PGlite, tables: string[]): Promise<Map<string, string>> {
  const each = tables.map(
    (name) => `select '${name}' as name, json_agg(one order by one::text)::text as rows
      from ${name} one`,
  );
  const { rows } = await embedded.query<{ name: string; rows: string }>(each.join(' union all '));
  return new Map(rows.map(({ name, rows }) => [name, rows ?? '[]']));
}
