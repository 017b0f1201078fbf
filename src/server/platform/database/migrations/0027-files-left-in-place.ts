import { type Kysely, sql } from 'kysely';

/** A file that was left in its place had its sentence behind that of its refusal, or alone when it was read. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table statement_folders add column left_at timestamptz, add column left_file text`.execute(
    database,
  );
  await sql`update statement_folders set left_at = refused_at,
      left_file = substring(refusal from ${leftInPlace}),
      refused_at = case when refusal ~ ${`^${leftInPlace}`} then null else refused_at end,
      refusal = nullif(regexp_replace(refusal, ${` ?${leftInPlace}`}, ''), '')
    where refusal ~ ${leftInPlace}`.execute(database);
}

/** Up to the end: a name of a file may hold any sign. */
const leftInPlace = "Le fichier «\u202f(.*)\u202f» n'a pas pu être rangé\\.$";
