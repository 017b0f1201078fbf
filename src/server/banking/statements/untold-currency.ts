import { decimalsOf } from '../../../shared/money/minor-units.ts';
import type { StatementAccount } from '../../providers/banks/connect.ts';
import type { StoredAccount } from '../connections/queries.ts';
import { findNumbered, isSame, type Names, namesOf } from './matching.ts';

/**
 * An account of a file in the currency of the stored account of this source that it is, where the file names none:
 * of the one with its number, else of the one with these names. `announced`: which of several that is.
 */
export function inStoredCurrency(
  ofSource: StoredAccount[],
  userId: string,
  account: StatementAccount,
  { names, announced }: { names: Names; announced: number | null },
): StatementAccount {
  const possible = inEachCurrency(ofSource, account);
  const numbered = possible.filter((one) => {
    const sameCurrency = ofSource.filter(({ currency }) => currency === one.currency);
    return findNumbered(sameCurrency, userId, one);
  });
  const named = ofSource.filter((one) => isSame(namesOf(one), names));
  const meant = named.filter(({ id }) => id === announced);
  const isNamed = ({ currency }: StatementAccount) =>
    (meant.length > 0 ? meant : named).some((one) => one.currency === currency);
  return numbered.find(isNamed) ?? numbered[0] ?? possible.find(isNamed) ?? account;
}

/** In each currency in which it may be, of those that are stored; the one in which it was read is first. */
export function inEachCurrency(
  ofSource: StoredAccount[],
  account: StatementAccount,
): [StatementAccount, ...StatementAccount[]] {
  const currencies = new Set(ofSource.map(({ currency }) => currency));
  currencies.delete(account.currency);
  return [account, ...[...currencies].flatMap((currency) => inCurrency(account, currency) ?? [])];
}

/** Null where the file names another one, or amounts that the currency does not have. */
export function inCurrency(account: StatementAccount, currency: string): StatementAccount | null {
  if (account.currency === currency) return account;
  if (!account.isCurrencyUntold) return null;
  const factor = 10 ** (decimalsOf(currency) - decimalsOf(account.currency));
  const balances = account.balances.map((one) => ({ ...one, minor: one.minor * factor }));
  // Of francs there are no cents.
  if (balances.some(({ minor }) => !Number.isSafeInteger(minor))) return null;
  return { ...account, currency, balances };
}
