import { sql } from 'kysely';
import type { Platform } from '../../platform/platform.ts';

/** The history first, in pieces: no statement holds the embedded database for long. */
export async function eraseRows(
  { database }: Pick<Platform, 'database'>,
  userId: string,
): Promise<void> {
  for (;;) {
    const { numAffectedRows } = await sql`
      delete from deliveries where (user_id, id) in
        (select user_id, id from deliveries where user_id = ${userId} limit 1000)`.execute(
      database.sql,
    );
    if (!numAffectedRows || numAffectedRows < 1000n) break;
  }
  await database.sql.deleteFrom('users').where('id', '=', userId).execute();
}
