import { findDuplicates } from '../banks/duplicates.ts';
import type { MessageAccount } from './figures.ts';
import { bankNameOf } from './names.ts';
import { neutralize } from './neutralize.ts';

/** An account that a total adds, and its duplicates through other sources, which the total leaves out. */
interface DistinctAccount {
  account: MessageAccount;
  duplicates: MessageAccount[];
}

/** The covered accounts, each once, through whichever sources it comes. */
export function distinctAccounts(accounts: readonly MessageAccount[]): DistinctAccount[] {
  const covered = accounts.filter((account) => account.covered);
  const duplicates = duplicatesIn(covered);
  const duplicatesOf = Map.groupBy(duplicates.keys(), (account) => duplicates.get(account));
  return covered
    .filter((account) => !duplicates.has(account))
    .map((account) => ({ account, duplicates: duplicatesOf.get(account) ?? [] }));
}

/** "déjà compté avec LCL", of each covered account that a total leaves out. */
export function duplicateNotes(accounts: readonly MessageAccount[]): Map<MessageAccount, string> {
  const duplicates = duplicatesIn(accounts.filter((account) => account.covered));
  return new Map(
    [...duplicates].map(([account, original]) => [
      account,
      `déjà compté avec ${neutralize(bankNameOf(original))}`,
    ]),
  );
}

function duplicatesIn(accounts: readonly MessageAccount[]): Map<MessageAccount, MessageAccount> {
  return findDuplicates(
    accounts,
    ({ id, itemId, ibanFingerprint, currency, balanceMinor, updatedAt }) => ({
      ...{ id, connectionId: itemId, ibanFingerprint: ibanFingerprint ?? null, currency },
      hasBalance: balanceMinor !== null,
      updatedAt: updatedAt?.getTime() ?? null,
    }),
  );
}
