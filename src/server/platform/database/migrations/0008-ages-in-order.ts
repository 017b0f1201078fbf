import { type Kysely, sql } from 'kysely';

/**
 * The index by which old deliveries are found knows nothing of pages that were written since the
 * table was last cleaned, and reads them all each time: each range is noted as soon as it is full.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter index deliveries_age set (autosummarize = on)`.execute(database);
}
