import type { AccountTransaction } from '../../banking/transactions/reading.ts';
import type { NotificationsDeps } from '../deps.ts';
import { findFingerprints } from './queries.ts';
import type { Reach } from './reach.ts';

interface ComparedTransaction {
  transaction: AccountTransaction;
  /** Of its id at its source and of what it is. */
  fingerprints: string[];
  isTold: boolean;
}

/**
 * Whether each transaction counts as told already. As many of a kind (the same account, day and amount) are as
 * were told, under whichever ids: an access that was linked anew, another source and a bank that withdraws one
 * and gives it again have other ids for the same. The label is no part of it, because sources write it each in
 * its own way.
 */
export async function compareWithTold(
  { database, vault }: Pick<NotificationsDeps, 'database' | 'vault'>,
  { user_id: userId, id: messengerId }: { user_id: string; id: string },
  transactions: AccountTransaction[],
  { nameOf, toldBefore }: Pick<Reach, 'nameOf' | 'toldBefore'>,
): Promise<ComparedTransaction[]> {
  const printsOf = (text: string) => vault.fingerprints(`${userId} ${messengerId} ${text}`);
  const kinds = Map.groupBy(transactions, ({ accountId, day, minor, currency }) =>
    ['like', nameOf(accountId), day, minor, currency].join(' '),
  );
  const alike = [...kinds].map(([kind, ofKind]) => ({
    given: ofKind.map((transaction) => ({ transaction, ofId: printsOf(transaction.key) })),
    ofRanks: ofKind.map((_transaction, rank) => printsOf(`${kind} ${rank}`)),
  }));
  const all = alike.flatMap(({ given, ofRanks }) => [...given.map(({ ofId }) => ofId), ...ofRanks]);
  const stored = await findFingerprints(database.sql, userId, messengerId, all.flat());
  const find = (prints: string[]) =>
    prints.map((one) => stored.get(one)).find((told) => told !== undefined);
  const compared = alike.flatMap(({ given, ofRanks }) => {
    const toldOfKind = ofRanks.filter((prints) => find(prints)).length;
    const ranked = given
      .map((one) => ({ ...one, told: find(one.ofId) }))
      .toSorted((one, other) => placeOf(one.told) - placeOf(other.told));
    return ranked.map(({ transaction, ofId, told }, rank) => ({
      transaction,
      fingerprints: [ofId, ofRanks[rank] ?? []].flatMap(([newest]) => newest ?? []),
      isTold: told === true || rank < toldOfKind,
      isKnown: told !== undefined || rank < toldOfKind,
    }));
  });
  const isOld = oldOnes(compared, toldBefore);
  return compared.map((one) => ({ ...one, isTold: one.isTold || isOld(one) }));
}

type Known = Pick<ComparedTransaction, 'transaction'> & { isKnown: boolean };

/** Unknown ones of the days that count as told, unless most others of these days are known. */
function oldOnes(compared: Known[], toldBefore: Reach['toldBefore']): (one: Known) => boolean {
  const byAccount = Map.groupBy(compared, ({ transaction }) => transaction.accountId);
  const limits = new Map(
    [...byAccount].map(([id, all]) => {
      const limit = toldBefore(id);
      const ofDays = limit ? all.filter(({ transaction }) => transaction.day < limit.day) : [];
      const known = ofDays.filter(({ isKnown }) => isKnown).length;
      const isKnown = limit?.unlessKnown && known > 0 && known >= ofDays.length / 2;
      return [id, isKnown ? null : limit];
    }),
  );
  return ({ transaction: { accountId, day }, isKnown }) => {
    const limit = limits.get(accountId);
    return !isKnown && limit != null && day < limit.day;
  };
}

/** Known ones take the first ranks, those that were told before all others. */
function placeOf(told: boolean | undefined): number {
  if (told === undefined) return 2;
  return told ? 0 : 1;
}
