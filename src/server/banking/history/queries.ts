import type { Selectable } from 'kysely';
import type { DailyBalance } from '../../../shared/contract/banks.ts';
import { fromMinor } from '../../../shared/money/minor-units.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { Platform } from '../../platform/platform.ts';

/** One per day since `firstDay` (YYYY-MM-DD) of each of these accounts, by account and day. */
export async function listBalances(
  { database }: Pick<Platform, 'database'>,
  userId: string,
  firstDay: string,
  accountIds: number[],
) {
  return await database.sql
    .selectFrom('bank_balances as b')
    .innerJoin('bank_accounts as a', (on) =>
      on.onRef('a.user_id', '=', 'b.user_id').onRef('a.id', '=', 'b.account_id'),
    )
    .select(['b.account_id', 'b.day', 'b.balance_minor', 'b.currency', 'b.as_of'])
    .where('b.user_id', '=', userId)
    .where('b.day', '>=', firstDay)
    .where('a.gone_at', 'is', null)
    .where('b.account_id', 'in', accountIds)
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
