import { findDuplicates } from '../../shared/banks/duplicates.ts';
import type { AccountHistory, BankAccount, DailyBalance } from '../../shared/contract/banks.ts';
import { fromMinor, toMinor } from '../../shared/money/minor-units.ts';

/** Of some accounts in one currency, in its main unit. */
interface Sum {
  currency: string;
  balance: number;
}

export interface Totals {
  /** In the order of the accounts. */
  sums: Sum[];
  /** How many accounts have no balance to add. */
  missing: number;
  /** When the oldest of the added balances was given; null when one of them has no date. */
  oldest: Date | null;
}

/**
 * By the number of each duplicate, an account that comes a second time through another source: the one
 * that counts.
 */
export function duplicateAccounts(accounts: readonly BankAccount[]): Map<number, BankAccount> {
  const duplicates = findDuplicates(accounts, (account) => ({
    id: account.id,
    connectionId: account.item.id,
    ibanFingerprint: account.iban_print ?? null,
    currency: account.currency_code,
    hasBalance: account.balance !== null,
    updatedAt: account.updated_at === null ? null : Date.parse(account.updated_at),
  }));
  return new Map([...duplicates].map(([account, original]) => [account.id, original]));
}

/** Whether one of these accounts also comes through a bank that holds none of them. */
export function isAlsoElsewhere(
  accounts: readonly BankAccount[],
  all: readonly BankAccount[],
): boolean {
  const own = new Set(accounts.map(({ id }) => id));
  return [...duplicateAccounts(all)].some(([id, other]) => own.has(id) !== own.has(other.id));
}

/** What all accounts hold together, each counted once; null when no bank gave any balance. */
export function totalsOf(accounts: readonly BankAccount[]): Totals | null {
  const added = addedIn(accounts);
  if (added.length === 0) return null;
  const dates = added.map(({ updated_at }) =>
    updated_at === null ? Number.NaN : Date.parse(updated_at),
  );
  const oldest = Math.min(...dates);
  return {
    sums: [...Map.groupBy(added, ({ currency_code }) => currency_code)].map(
      ([currency, ofCurrency]) => ({
        currency,
        balance: sumOf(
          currency,
          ofCurrency.map(({ minor }) => minor),
        ),
      }),
    ),
    missing: accounts.length - duplicateAccounts(accounts).size - added.length,
    oldest: Number.isNaN(oldest) ? null : new Date(oldest),
  };
}

/** The balances by day of each account, by its number. */
export type Histories = ReadonlyMap<AccountHistory['account']['id'], readonly DailyBalance[]>;

/**
 * The accounts that are in a total: those with a balance, each once, with it in minor units, and with its
 * own number and those of its duplicates.
 */
export function addedIn(accounts: readonly BankAccount[]) {
  const duplicates = duplicateAccounts(accounts);
  const others = Map.groupBy(duplicates.keys(), (id) => duplicates.get(id)?.id);
  return accounts.flatMap((account) => {
    const { id, balance, currency_code } = account;
    if (duplicates.has(id)) return [];
    const minor = balance === null ? null : toMinor(balance, currency_code);
    return minor === null ? [] : [{ ...account, minor, ids: [id, ...(others.get(id) ?? [])] }];
  });
}

export function sumOf(currency: string, minors: readonly number[]): number {
  return fromMinor(
    minors.reduce((sum, minor) => sum + minor, 0),
    currency,
  );
}
