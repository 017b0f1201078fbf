import type { Transaction } from 'kysely';
import type { Schema } from '../../platform/database/schema.ts';
import type { StatementAccount } from '../../providers/banks/connect.ts';
import type { WriteScope } from '../connections/store.ts';

type DatedBalance = StatementAccount['balances'][number];

export interface StoredDays {
  /** Whether the stored balance of its day stays: one of its end, or of later in it, for one in its course. */
  keeps(id: string, one: DatedBalance): boolean;
  /** Those in the course of a day of which the end is told now. */
  dropReplaced(within: Transaction<Schema>): Promise<void>;
}

/**
 * What is stored of the days of these accounts. The balance of the end of a day has its first moment, and one
 * in the course of it its own.
 */
export async function readStoredDays(
  transaction: Transaction<Schema>,
  { userId, source, startedAt }: WriteScope,
  given: { id: string; account: StatementAccount }[],
): Promise<StoredDays> {
  const days = given.flatMap(({ account }) => account.balances.map(({ day }) => day)).sort();
  const rows = await transaction
    .selectFrom('bank_balances as b')
    .innerJoin('bank_accounts as a', (join) =>
      join.onRef('a.user_id', '=', 'b.user_id').onRef('a.id', '=', 'b.account_id'),
    )
    .select(['a.source_id', 'b.account_id', 'b.day', 'b.as_of'])
    .where('b.user_id', '=', userId)
    .where('a.source', '=', source)
    .where(
      'a.source_id',
      'in',
      given.map(({ id }) => id),
    )
    .where('b.day', '>=', days[0] ?? '')
    .execute();
  const keyOf = (id: string, day: string) => `${id} ${day}`;
  const stored = new Map(rows.map((row) => [keyOf(row.source_id, row.day), row]));
  const isInDay = ({ day, as_of: asOf }: (typeof rows)[number]) => asOf > firstMomentOf(day);
  const replaced = given.flatMap(({ id, account }) =>
    account.balances.flatMap(({ day, at }) => {
      const row = stored.get(keyOf(id, day));
      return row && at === undefined && isInDay(row) ? [row] : [];
    }),
  );
  return {
    keeps(id, one) {
      const row = stored.get(keyOf(id, one.day));
      if (!row || one.at === undefined) return false;
      return !isInDay(row) || row.as_of > momentOf(one, startedAt);
    },
    async dropReplaced(within) {
      for (const { account_id: accountId, day } of replaced) {
        await within
          .deleteFrom('bank_balances')
          .where('user_id', '=', userId)
          .where('account_id', '=', accountId)
          .where('day', '=', day)
          .execute();
      }
    },
  };
}

/**
 * A file says the day of a balance and no hour: its first moment is never later than the bank's. By UTC
 * it may lie ahead of a reading just after midnight in Paris, or where the day begins earlier. A balance with
 * an hour keeps it, and comes a millisecond after that first moment at least.
 */
export function momentOf({ day, at }: Pick<DatedBalance, 'day' | 'at'>, startedAt: Date): Date {
  const first = firstMomentOf(day).getTime();
  return new Date(at ? Math.max(at.getTime(), first + 1) : Math.min(first, startedAt.getTime()));
}

function firstMomentOf(day: string): Date {
  return new Date(`${day}T00:00:00Z`);
}
