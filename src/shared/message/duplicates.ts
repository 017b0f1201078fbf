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
  const { originalOf, duplicatesOf } = duplicatesIn(covered);
  const counted =
    originalOf.size === 0 ? covered : covered.filter((account) => !originalOf.has(account));
  return counted.map((account) => ({ account, duplicates: duplicatesOf.get(account) ?? [] }));
}

/** What a total leaves out of a list of accounts. */
export interface Duplicates {
  /** The account that counts in the place of each duplicate. */
  originalOf: ReadonlyMap<MessageAccount, MessageAccount>;
  duplicatesOf: ReadonlyMap<MessageAccount, MessageAccount[]>;
}

export function duplicatesIn(accounts: readonly MessageAccount[]): Duplicates {
  if (!isAnyIbanRepeated(accounts)) return none;
  const originalOf = findDuplicates(
    accounts,
    ({ id, connectionId, ibanFingerprint, currency, balanceMinor, updatedAt }) => ({
      ...{ id, connectionId, ibanFingerprint: ibanFingerprint ?? null, currency },
      hasBalance: balanceMinor !== null,
      updatedAt: updatedAt?.getTime() ?? null,
    }),
  );
  const duplicatesOf = Map.groupBy(
    originalOf.keys(),
    (account) => originalOf.get(account) ?? account,
  );
  return { originalOf, duplicatesOf };
}

const none: Duplicates = { originalOf: new Map(), duplicatesOf: new Map() };

/** Hardly any list has one, and each message asks several times. */
function isAnyIbanRepeated(accounts: readonly MessageAccount[]): boolean {
  const found = new Set<string>();
  for (const { ibanFingerprint } of accounts) {
    if (typeof ibanFingerprint !== 'string') continue;
    if (found.has(ibanFingerprint)) return true;
    found.add(ibanFingerprint);
  }
  return false;
}

/** "déjà compté avec LCL", of an account in whose place `original` counts. */
export function duplicateNote(original: MessageAccount): string {
  return `déjà compté avec ${neutralize(bankNameOf(original))}`;
}
