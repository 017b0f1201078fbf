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
 * Whether each transaction counts as told already. One whose id is unknown is told when more of its kind
 * (the same account, day and amount) were told than are there under a known id: an access that was linked
 * anew, another source and a bank that withdraws one and gives it again have other ids for the same. The
 * label is no part of it, because sources write it each in its own way.
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
  return alike.flatMap(({ given, ofRanks }) => {
    // Those whose ids are known take the first ranks: those that are left say what else was told.
    const ranked = given
      .map((one) => ({ ...one, told: find(one.ofId) }))
      .toSorted((one, other) => placeOf(one.told) - placeOf(other.told));
    return ranked.map(({ transaction, ofId, told }, rank) => {
      const ofRank = ofRanks[rank] ?? [];
      const limit = toldBefore(transaction.accountId);
      const isOld = limit !== null && transaction.day < limit;
      return {
        transaction,
        fingerprints: [ofId, ofRank].flatMap(([newest]) => newest ?? []),
        isTold: told ?? find(ofRank) ?? isOld,
      };
    });
  });
}

function placeOf(told: boolean | undefined): number {
  if (told === undefined) return 2;
  return told ? 0 : 1;
}
