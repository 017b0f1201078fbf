import type { MessageAccount } from './figures.ts';
import { fold } from './parse.ts';

type Named = Pick<MessageAccount, 'id' | 'name' | 'bank'>;

/** What an account is called on screen: one line, no control or direction signs, cut when long. */
export function nameOf(account: Named): string {
  return shown(account.name, 80) || 'Compte sans nom';
}

export function bankNameOf(account: Pick<MessageAccount, 'bank'>): string {
  return shown(account.bank.name, 60) || 'Banque';
}

/**
 * The shortest name by which `{{solde:…}}` means this account alone: its own, with its bank's, or
 * with its place among those of the same bank and name, by their ids.
 */
export function labelsOf<Account extends Named>(
  accounts: readonly Account[],
): Map<Account, string> {
  const byName = Map.groupBy(accounts, (account) => fold(nameOf(account)));
  const byBank = Map.groupBy(accounts, (account) => fold(withBank(account)));
  return new Map(
    accounts.map((account) => {
      if (byName.get(fold(nameOf(account)))?.length === 1) return [account, nameOf(account)];
      const alike = byBank.get(fold(withBank(account))) ?? [];
      if (alike.length === 1) return [account, withBank(account)];
      const place = alike.filter(({ id }) => id < account.id).length + 1;
      return [account, `${withBank(account)} (${place})`];
    }),
  );
}

/** The accounts that a name in `{{solde:…}}` can mean: one when it is clear. */
export function accountsNamed<Account extends Named>(
  name: string,
  accounts: readonly Account[],
): Account[] {
  const wanted = fold(name);
  const named = accounts.filter((account) => fold(nameOf(account)) === wanted);
  if (named.length > 0) return named;
  const inBank = accounts.filter((account) => fold(withBank(account)) === wanted);
  if (inBank.length > 0) return inBank;
  return [...labelsOf(accounts)].flatMap(([account, label]) =>
    fold(label) === wanted ? [account] : [],
  );
}

function withBank(account: Named): string {
  return `${bankNameOf(account)}/${nameOf(account)}`;
}

/** Braces would end the variable that names it. */
function shown(name: string, most: number): string {
  if (name.length <= most && /^[!-zÀ-ÿ](?: ?[!-zÀ-ÿ])*$/.test(name)) return name;
  const clean = name
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, '')
    .replace(/\{\{|\}\}/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const letters = [...clean];
  return letters.length > most
    ? `${letters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
    : clean;
}
