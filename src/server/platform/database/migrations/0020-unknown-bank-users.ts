import { type Kysely, sql } from 'kysely';

/** Nothing is erased on one answer: a source that does not know a user must say so later, too. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table bank_refreshes add column unknown_since timestamptz`.execute(database);
}
