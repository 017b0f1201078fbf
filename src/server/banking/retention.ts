import { sql } from 'kysely';
import type { OpenDatabase } from '../platform/database/open.ts';
import type { Steps } from '../platform/upkeep-steps.ts';
import { bankDayOf, keptDays } from './balance-days.ts';

const dayMs = 86_400_000;
/** An account that the provider no longer lists may come back: until then its history is kept. */
const hiddenDays = 30;

/** Removes balances older than 400 days, accounts that are long gone, and limits that have passed. */
export function figureRemovals(database: OpenDatabase, now: Date): Steps {
  const daysAgo = (days: number) => new Date(now.getTime() - days * dayMs);
  return {
    balances: () => removeOldBalances(database, bankDayOf(daysAgo(keptDays))),
    'bank accounts': () =>
      database.sql.deleteFrom('bank_accounts').where('gone_at', '<', daysAgo(hiddenDays)).execute(),
    'bank limits': () => sql`delete from bank_calls where free_at < now()`.execute(database.sql),
  };
}

/** In pieces: no statement holds the embedded database for long. */
async function removeOldBalances(database: OpenDatabase, lastDay: string): Promise<void> {
  for (;;) {
    const { numAffectedRows } = await sql`
      delete from bank_balances where (user_id, account_id, day) in
        (select user_id, account_id, day from bank_balances where day <= ${lastDay}::date limit 1000)`.execute(
      database.sql,
    );
    if (!numAffectedRows || numAffectedRows < 1000n) return;
  }
}
