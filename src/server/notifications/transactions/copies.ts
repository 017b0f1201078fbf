import { distinctAccounts } from '../../../shared/message/duplicates.ts';
import type { MessageAccount } from '../../../shared/message/figures.ts';
import { isCutOff } from '../../../shared/message/waiting.ts';
import { readTransactions, type TransactionsReading } from '../../banking/transactions/reading.ts';
import type { NotificationsDeps } from '../deps.ts';
import { type Figures, withChoice } from '../messages/figures.ts';

/**
 * The covered accounts, each by the numbers of ours through which it can be read, the best first: one whose
 * source reaches the bank, as another gives what it had before; of these the one that was read last,
 * else the one that came first, and not the freshest, which may be another one every day: the same payment may
 * have another day there. `readUntil`: empty for one that was not read.
 */
export function copiesOf(
  { bankSources }: Pick<NotificationsDeps, 'bankSources'>,
  { connections, accounts }: Figures,
  chosen: number[] | null,
  readUntil: (id: number) => string,
): number[][] {
  const sources = new Map(connections.map(({ id, source }) => [id, source]));
  const isAble = ({ connectionId }: MessageAccount) =>
    bankSources.get(sources.get(connectionId) ?? '')?.readTransactions !== undefined;
  return distinctAccounts(withChoice(accounts, chosen)).map(({ account, duplicates }) => {
    const able = [account, ...duplicates].filter(isAble).map((one) => ({
      ...{ id: one.id, rank: Number(isCutOff(one, connections)), until: readUntil(one.id) },
    }));
    if (able.length === 0) return [account.id];
    const best = able.toSorted(
      (one, other) =>
        one.rank - other.rank || other.until.localeCompare(one.until) || one.id - other.id,
    );
    return best.map(({ id }) => id);
  });
}

/** Each account by the first of its copies that can be read; by none, the first one counts as failed. */
export async function readCopies(
  deps: Parameters<typeof readTransactions>[0],
  userId: string,
  copies: number[][],
  firstDayOf: (id: number) => string,
): Promise<TransactionsReading> {
  const since = new Map(copies.flatMap(([id]) => (id === undefined ? [] : [[id, firstDayOf(id)]])));
  const first = await readTransactions(deps, userId, since);
  const isFailed = (id: number | undefined) => first.failed.some((one) => one.id === id);
  const unread = copies.filter(([id, ...others]) => others.length > 0 && isFailed(id));
  if (unread.length === 0) return first;
  const others = await readCopies(
    deps,
    userId,
    unread.map((ids) => ids.slice(1)),
    firstDayOf,
  );
  const replaced = unread.filter((ids) => ids.some((id) => others.read.includes(id))).flat();
  const isReplaced = (id: number) => replaced.includes(id);
  return {
    ...first,
    transactions: [
      ...first.transactions.filter(({ accountId }) => !isReplaced(accountId)),
      ...others.transactions.filter(({ accountId }) => isReplaced(accountId)),
    ],
    read: [...first.read, ...others.read],
    failed: first.failed.filter(({ id }) => !isReplaced(id)),
  };
}
