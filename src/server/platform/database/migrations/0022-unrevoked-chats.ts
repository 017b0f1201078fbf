import { type Kysely, sql } from 'kysely';

/** A receipt says which chats kept what was opened there. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table deletions add column unrevoked_chats text[] not null default '{}'`.execute(
    database,
  );
}
