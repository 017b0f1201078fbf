import { countedOnce } from '../../shared/banks/counted-once.ts';
import type { BankAccount } from '../../shared/contract/banks.ts';
import { fromMinor, toMinor } from '../../shared/money/minor-units.ts';

export interface Totals {
  /** In each currency's main unit, in the order of the accounts. */
  sums: { currency: string; balance: number }[];
  /** How many accounts have no balance to add. */
  missing: number;
  /** When the oldest of the added balances was given; null when one of them has no date. */
  oldest: Date | null;
}

/** By the number of an account that is there a second time through another source: the one that counts. */
export function repeatedAccounts(accounts: readonly BankAccount[]): Map<number, BankAccount> {
  const repeated = countedOnce(accounts, (account) => ({
    id: account.id,
    connectionId: account.item.id,
    ibanPrint: account.iban_print ?? null,
    currency: account.currency_code,
    hasBalance: account.balance !== null,
    updatedAt: account.updated_at === null ? null : Date.parse(account.updated_at),
  }));
  return new Map([...repeated].map(([account, counted]) => [account.id, counted]));
}

/** What all accounts hold together, each counted once; null when no bank gave any balance. */
export function totalsOf(all: readonly BankAccount[]): Totals | null {
  const repeated = repeatedAccounts(all);
  const accounts = all.filter((account) => !repeated.has(account.id));
  const sums = new Map<string, number>();
  const dates: number[] = [];
  for (const { balance, currency_code, updated_at } of accounts) {
    const minor = balance === null ? null : toMinor(balance, currency_code);
    if (minor === null) continue;
    sums.set(currency_code, (sums.get(currency_code) ?? 0) + minor);
    dates.push(updated_at === null ? Number.NaN : Date.parse(updated_at));
  }
  if (dates.length === 0) return null;
  const oldest = Math.min(...dates);
  return {
    sums: [...sums].map(([currency, minor]) => ({ currency, balance: fromMinor(minor, currency) })),
    missing: accounts.length - dates.length,
    oldest: Number.isNaN(oldest) ? null : new Date(oldest),
  };
}
