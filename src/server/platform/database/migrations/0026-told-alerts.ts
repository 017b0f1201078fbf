import { type Kysely, sql } from 'kysely';

/**
 * When an alert last told something that may have arrived, of what is forgotten by now. One that still has
 * crossings knows it by these.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table alerts add column told_at timestamptz`.execute(database);
  await sql`update alerts w set told_at = crossed_at where not exists (
    select from alert_crossings c where c.user_id = w.user_id and c.alert_id = w.id
      and c.created_at = w.crossed_at)`.execute(database);
}
