import { type Selectable, sql } from 'kysely';
import type { DailyBalance } from '../../../shared/contract/banks.ts';
import { fromMinor } from '../../../shared/money/minor-units.ts';
import { deleteInSlices } from '../../platform/database/records.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { Platform } from '../../platform/platform.ts';
import { deletionBefore, present, type UpkeepStep } from '../../platform/upkeep.ts';
import { bankDayOf, dayMs, keptDays } from './days.ts';

/** One per account and day since `firstDay` (YYYY-MM-DD), by account and day; of one account alone if asked. */
export async function listBalances(
  { database }: Pick<Platform, 'database'>,
  ownerId: string,
  firstDay: string,
  accountId: number | null = null,
) {
  return await database.sql
    .selectFrom('bank_balances as b')
    .innerJoin('bank_accounts as a', (on) =>
      on.onRef('a.user_id', '=', 'b.user_id').onRef('a.id', '=', 'b.account_id'),
    )
    .select(['b.account_id', 'b.day', 'b.balance_minor', 'b.currency', 'b.as_of'])
    .where('b.user_id', '=', ownerId)
    .where('b.day', '>=', firstDay)
    .where('a.gone_at', 'is', null)
    .$if(accountId !== null, (query) => query.where('b.account_id', '=', accountId))
    .orderBy('b.account_id')
    .orderBy('b.day')
    .execute();
}

export function presentBalance(
  row: Pick<Selectable<Schema['bank_balances']>, 'day' | 'balance_minor' | 'currency' | 'as_of'>,
): DailyBalance {
  return {
    day: row.day,
    balance: fromMinor(row.balance_minor, row.currency),
    currency_code: row.currency,
    as_of: row.as_of.toISOString(),
  };
}

/** An account that its source no longer lists may come back: until then its history is kept. */
const hiddenDays = 30;

export const bankingUpkeep: UpkeepStep[] = [
  {
    name: 'balances',
    async run(deps) {
      const lastDay = bankDayOf(daysBefore(deps, keptDays));
      await deleteInSlices(
        deps.database,
        (limit) => sql`
          delete from bank_balances where (user_id, account_id, day) in (
            select user_id, account_id, day from bank_balances
            where day <= ${lastDay}::date limit ${limit})`,
      );
    },
  },
  {
    name: 'bank accounts',
    run: (deps) =>
      sql`delete from bank_accounts where gone_confirmed
        and gone_at < ${daysBefore(deps, hiddenDays)}`.execute(deps.database.sql),
  },
  deletionBefore('bank connect sessions', 'bank_connect_sessions', 'expires_at', present),
  {
    name: 'bank limits',
    run: ({ database }) => sql`delete from bank_calls where free_at < now()`.execute(database.sql),
  },
];

function daysBefore({ clock }: Pick<Platform, 'clock'>, days: number): Date {
  return new Date(clock.now().getTime() - days * dayMs);
}
