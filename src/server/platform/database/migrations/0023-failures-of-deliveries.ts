import { type Kysely, sql } from 'kysely';

/** `attempts` counts claims as well whose delivery was returned before its post. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table deliveries add column failures smallint not null default 0`.execute(
    database,
  );
}
