import { type Kysely, sql } from 'kysely';

/** Those made before are not known: they count as none. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table bank_refreshes
    add column unattended_at timestamptz[] not null default '{}'`.execute(database);
}
