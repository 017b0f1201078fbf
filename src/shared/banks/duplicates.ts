/** What decides whether an account is a duplicate of another, and which of the two counts. */
export interface ComparedAccount {
  id: number;
  connectionId: number;
  /** The same for one account through every source that tells its IBAN; null without one. */
  ibanFingerprint: string | null;
  /** ISO 4217. */
  currency: string;
  hasBalance: boolean;
  /** When the bank gave the balance, in milliseconds since 1970; null when it did not say. */
  updatedAt: number | null;
}

/**
 * The duplicates of a list: each account that is there a second time through another connection, with
 * the one that counts in its place: the one with the newest balance, else the one that came first.
 * Accounts without an IBAN or in different currencies are never one, and neither are two of one
 * connection: a bank may give its sub-accounts the number of the account.
 */
export function findDuplicates<Account>(
  accounts: readonly Account[],
  comparedOf: (account: Account) => ComparedAccount,
): Map<Account, Account> {
  const duplicates = new Map<Account, Account>();
  const known = accounts.map((account) => ({ account, ...comparedOf(account) }));
  const withIban = known.filter(({ ibanFingerprint }) => ibanFingerprint !== null);
  if (new Set(withIban.map(({ ibanFingerprint }) => ibanFingerprint)).size === withIban.length)
    return duplicates;
  const groups = Map.groupBy(
    withIban,
    ({ ibanFingerprint, currency }) => `${ibanFingerprint} ${currency}`,
  );
  for (const same of groups.values()) {
    if (new Set(same.map(({ connectionId }) => connectionId)).size < same.length) continue;
    const [first, ...others] = same.toSorted(byFreshness);
    for (const { account } of others) if (first) duplicates.set(account, first.account);
  }
  return duplicates;
}

function byFreshness(one: ComparedAccount, other: ComparedAccount): number {
  return (
    Number(other.hasBalance) - Number(one.hasBalance) ||
    (other.updatedAt ?? 0) - (one.updatedAt ?? 0) ||
    one.id - other.id
  );
}
