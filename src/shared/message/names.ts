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
 * with its number too, which stays when another of the same bank and name goes away.
 */
export function labelsOf<Account extends Named>(
  accounts: readonly Account[],
): Map<Account, string> {
  const meant = new Map<string, number>();
  for (const account of accounts) {
    for (const form of foldedForms(account)) meant.set(form, (meant.get(form) ?? 0) + 1);
  }
  return new Map(
    accounts.map((account) => {
      const forms = formsOf(account);
      const label = forms.find((form) => meant.get(fold(form)) === 1);
      return [account, label ?? forms[2]];
    }),
  );
}

/** The accounts that a name in `{{solde:…}}` can mean: one when it is clear. */
export function accountsNamed<Account extends Named>(
  name: string,
  accounts: readonly Account[],
): Account[] {
  const wanted = fold(name);
  return accounts.filter((account) => foldedForms(account).has(wanted));
}

function foldedForms(account: Named): Set<string> {
  return new Set(formsOf(account).map(fold));
}

function formsOf(account: Named): [name: string, withBank: string, numbered: string] {
  const name = nameOf(account);
  const withBank = `${bankNameOf(account)}/${name}`;
  return [name, withBank, `${withBank} (${account.id})`];
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
