import { type Kysely, sql } from 'kysely';

/** Files write the number of one account in several ways, of which only the last one was known. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table bank_accounts add column other_prints text[] not null default '{}'`.execute(
    database,
  );
}
