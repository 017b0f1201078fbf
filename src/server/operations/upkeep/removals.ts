import { sql } from 'kysely';
import { figureRemovals } from '../../banking/retention.ts';
import type { OpenDatabase } from '../../platform/database/open.ts';
import type { Steps } from '../../platform/upkeep-steps.ts';

/**
 * Removes what has no use any more: deliveries, balances, mails and receipts older than 400 days,
 * expired sessions, links, authorisations, bank visits, and limits that have passed.
 */
export function removals(database: OpenDatabase, now: Date): Steps {
  const remembered = new Date(now.getTime() - 400 * 86_400_000);
  const old = (table: 'mails' | 'operator_mails') =>
    database.sql.deleteFrom(table).where('created_at', '<', remembered).execute();
  const expired = (
    table: 'sessions' | 'account_links' | 'workspace_authorizations' | 'bank_visits',
  ) => database.sql.deleteFrom(table).where('expires_at', '<', now).execute();
  return {
    deliveries: () => removeOldDeliveries(database, remembered),
    ...figureRemovals(database, now),
    mails: () => old('mails'),
    'operator mails': () => old('operator_mails'),
    receipts: () =>
      database.sql.deleteFrom('deletions').where('mailed_at', '<', remembered).execute(),
    sessions: () => expired('sessions'),
    links: () => expired('account_links'),
    authorisations: () => expired('workspace_authorizations'),
    'bank visits': () => expired('bank_visits'),
    'chat limits': () =>
      sql`delete from chat_limits where blocked_until < now()`.execute(database.sql),
  };
}

/** In pieces: no statement holds the embedded database for long. */
async function removeOldDeliveries({ sql: database }: OpenDatabase, before: Date): Promise<void> {
  for (;;) {
    const { numAffectedRows } = await sql`
      delete from deliveries where (user_id, id) in
        (select user_id, id from deliveries where created_at < ${before} limit 1000)`.execute(
      database,
    );
    if (!numAffectedRows || numAffectedRows < 1000n) return;
  }
}
