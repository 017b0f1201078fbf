import { sql } from 'kysely';
import { dayMs } from '../../shared/calendar/durations.ts';
import { parisDayOf } from '../../shared/calendar/wall-clock.ts';
import { deleteInBatches } from '../platform/database/records.ts';
import { inTransaction } from '../platform/database/transactions.ts';
import type { Platform } from '../platform/platform.ts';
import { currentTime, deletionBefore, type UpkeepStep } from '../platform/upkeep.ts';
import { eraseAccounts } from './connections/erasing.ts';
import type { BankingDeps } from './deps.ts';
import { keptDays } from './history/days.ts';
import { scheduleConfirmations, scheduleRetries } from './refreshing/work.ts';

/** An account that its source no longer lists may come back: until then its history is kept. */
const hiddenDays = 30;

type Needed = Pick<BankingDeps, 'database' | 'clock' | 'figureListener' | 'queue' | 'bankSources'>;

export const bankingUpkeep: UpkeepStep<Needed>[] = [
  {
    name: 'balances',
    async run(deps) {
      const lastDay = parisDayOf(daysBefore(deps, keptDays));
      await deleteInBatches(
        deps.database,
        (limit) => sql`
          delete from bank_balances where (user_id, account_id, day) in (
            select user_id, account_id, day from bank_balances
            where day <= ${lastDay}::date limit ${limit})`,
      );
    },
  },
  { name: 'bank accounts', run: eraseGoneAccounts },
  { name: 'forgotten bank users', run: scheduleConfirmations },
  { name: 'silent banks', run: scheduleRetries },
  deletionBefore('bank connect sessions', 'bank_connect_sessions', 'expires_at', currentTime),
  {
    name: 'bank limits',
    run: ({ database }) => sql`delete from bank_calls where free_at < now()`.execute(database.sql),
  },
];

/** Each person's in a transaction of its own, with what is kept of their figures elsewhere. */
async function eraseGoneAccounts(deps: Needed): Promise<void> {
  const isGone = sql<boolean>`gone_confirmed and gone_at < ${daysBefore(deps, hiddenDays)}`;
  const users = await deps.database.sql
    .selectFrom('bank_accounts')
    .select('user_id')
    .distinct()
    .where(isGone)
    .execute();
  for (const { user_id: userId } of users) {
    await inTransaction(deps.database.sql, (transaction) =>
      eraseAccounts(deps, transaction, userId, isGone),
    );
  }
}

function daysBefore({ clock }: Pick<Platform, 'clock'>, days: number): Date {
  return new Date(clock.now().getTime() - days * dayMs);
}
