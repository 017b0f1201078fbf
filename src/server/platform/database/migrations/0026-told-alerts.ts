import { type Kysely, sql } from 'kysely';

/**
 * The date of the last alert outlives its crossing, which is erased after three days. Where that crossing is
 * still there, it is the one that holds the date.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table alerts add column told_at timestamptz`.execute(database);
  await sql`update alerts w set told_at = crossed_at where not exists (
    select from alert_crossings c where c.user_id = w.user_id and c.alert_id = w.id
      and c.created_at = w.crossed_at)`.execute(database);
}
