import type { StoredAccount } from '../connections/queries.ts';
import type { BankingDeps } from '../deps.ts';
import type { DayBalance } from './likeness.ts';

/** The stored balances of these accounts by our numbers, in the order of their days. */
export type ReadBalances = (
  accounts: readonly StoredAccount[],
) => Promise<ReadonlyMap<number, DayBalance[]>>;

/** Each has up to 400 days: others are served between. */
const mostAtOnce = 20;

/** Each account is read once, however many accounts of a file are compared with it. */
export function readingBalances(
  { database }: Pick<BankingDeps, 'database'>,
  userId: string,
): ReadBalances {
  const read = new Map<number, DayBalance[]>();
  return async (accounts) => {
    const missing = accounts.flatMap(({ id }) => (read.has(id) ? [] : [id]));
    for (let at = 0; at < missing.length; at += mostAtOnce) {
      const ids = missing.slice(at, at + mostAtOnce);
      const rows = await database.sql
        .selectFrom('bank_balances')
        .select(['account_id', 'day', 'balance_minor as minor'])
        .where('user_id', '=', userId)
        .where('account_id', 'in', ids)
        .orderBy('day')
        .execute();
      for (const id of ids) read.set(id, []);
      for (const { account_id: id, ...balance } of rows) read.get(id)?.push(balance);
    }
    return read;
  };
}
