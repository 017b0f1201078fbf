import { sql } from 'kysely';
import { removeOutdatedFigures } from '../banks/retention.ts';
import type { Parts } from '../parts.ts';

/**
 * Removes what has no use any more: deliveries, balances, mails and receipts older than 400 days,
 * expired sessions, links, authorisations, bank visits, and limits that have passed.
 */
export async function removeOutdated({
  database,
  clock,
}: Pick<Parts, 'database' | 'clock'>): Promise<void> {
  const now = clock.now();
  const remembered = new Date(now.getTime() - 400 * 86_400_000);
  await removeOldDeliveries(database, remembered);
  await removeOutdatedFigures(database, now);
  await database.sql.deleteFrom('mails').where('created_at', '<', remembered).execute();
  await database.sql.deleteFrom('operator_mails').where('created_at', '<', remembered).execute();
  await database.sql.deleteFrom('deletions').where('mailed_at', '<', remembered).execute();
  await database.sql.deleteFrom('sessions').where('expires_at', '<', now).execute();
  await database.sql.deleteFrom('account_links').where('expires_at', '<', now).execute();
  await database.sql.deleteFrom('workspace_authorizations').where('expires_at', '<', now).execute();
  await database.sql.deleteFrom('bank_visits').where('expires_at', '<', now).execute();
  await sql`delete from chat_limits where blocked_until < now()`.execute(database.sql);
}

/** In pieces: no statement holds the embedded database for long. */
async function removeOldDeliveries(database: Parts['database'], before: Date): Promise<void> {
  for (;;) {
    const { numAffectedRows } = await sql`
      delete from deliveries where (user_id, id) in
        (select user_id, id from deliveries where created_at < ${before} limit 1000)`.execute(
      database.sql,
    );
    if (!numAffectedRows || numAffectedRows < 1000n) return;
  }
}
