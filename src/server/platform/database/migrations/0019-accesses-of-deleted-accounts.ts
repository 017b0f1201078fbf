import { type Kysely, sql } from 'kysely';

/** The credentials with which the accesses of a deleted account to its banks are still to be ended. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`create table deletion_banks (
    user_id uuid not null,
    source text not null,
    sealed_secret text not null,
    primary key (user_id, source)
  )`.execute(database);
}
