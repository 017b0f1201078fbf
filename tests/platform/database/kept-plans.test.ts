import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type OpenDatabase, openDatabase } from '../../../src/server/platform/database/open.ts';
import { type PostgresServer, startPostgres } from '../../support/postgres.ts';

let server: PostgresServer;
let database: OpenDatabase;

beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());

beforeEach(async () => {
  const url = await server.createDatabase();
  database = await openDatabase({ database: { engine: 'postgres', url } }, () => {});
  await sql`create table pages (id integer)`.execute(database.sql);
  await sql`insert into pages values (1), (2)`.execute(database.sql);
  return () => database.close();
});

const readPage = (id: number) =>
  database.cached(`page:${id}`, async (reader) => {
    const { rows } = await sql`select * from pages where id = ${id}`.execute(reader);
    return rows;
  });

test('a read is planned under one name, whatever its values are', async () => {
  for (const id of [1, 2, 1, 2]) expect(await readPage(id)).toEqual([{ id }]);
  const { rows } = await sql<{ runs: number }>`
    select (generic_plans + custom_plans)::integer as runs from pg_prepared_statements
    where statement like 'select * from pages%'`.execute(database.sql);
  expect(rows).toEqual([{ runs: 4 }]);
});

test('a column that another version adds does not fail the reads that know the old ones', async () => {
  await readPage(1);
  await sql`alter table pages add column title text not null default 'sans titre'`.execute(
    database.sql,
  );
  const read = { id: 1, title: 'sans titre' };
  for (const _ of ['first', 'second']) expect(await readPage(1)).toEqual([read]);
});

test('a read that fails for another reason says so', async () => {
  await sql`drop table pages`.execute(database.sql);
  await expect(readPage(1)).rejects.toMatchObject({ code: '42P01' });
});
