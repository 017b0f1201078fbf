import type { MessageAccount } from './figures.ts';
import { oneLine } from './one-line.ts';

/** What an account is named by. */
export type Named = Pick<MessageAccount, 'id' | 'name' | 'bank'>;

/** The form in which names are compared: without case, accents and repeated spaces. */
export function fold(name: string): string {
  if (plain.test(name)) return name.toLowerCase();
  const known = folded.get(name);
  if (known !== undefined) return known;
  const characters = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  const result = characters.replace(/\s+/g, ' ').trim();
  if (folded.size >= 2000) folded.clear();
  folded.set(name, result);
  return result;
}

/** ASCII, in words that a single space parts: nothing but its case is to be changed. */
const plain = /^[!-~]+(?: [!-~]+)*$/;

/** A cache: accounts of many users share a few hundred names. */
const folded = new Map<string, string>();

/** An account's name for display: one line of at most 80 characters, without control characters. */
export function nameOf({ name }: Pick<Named, 'name'>): string {
  return oneLine(name, 80) || 'Compte sans nom';
}

export function bankNameOf(account: Pick<MessageAccount, 'bank'>): string {
  return oneLine(account.bank.name, 60) || 'Banque';
}

/** The accounts that a name in `{{solde:…}}` can mean: exactly one unless it is faulty. */
export function accountsNamed<Account extends Named>(
  name: string,
  accounts: readonly Account[],
): readonly Account[] {
  const written = fold(name);
  // The accounts of an index are those of the list that it was made of.
  const named = indexOf(accounts).get(written) as Account[] | undefined;
  return named ?? accounts.filter((account) => wasNumbered(written, account));
}

/**
 * Whether this was the account's form with the id: its name or that of its bank may be another since then,
 * but not both, as other names end in a number too.
 */
function wasNumbered(written: string, account: Named): boolean {
  const ending = ` (${account.id})`;
  if (!written.endsWith(ending)) return false;
  const isOfBank = written.startsWith(`${fold(bankNameOf(account))}/`);
  return isOfBank || written.endsWith(`/${fold(nameOf(account))}${ending}`);
}

/**
 * The shortest name by which `{{solde:…}}` means this account only: its own name, with its bank's
 * name, or with its id too. The form with the id is valid in any case, also once one of the two names is
 * another.
 */
export const labelsOf = memoizePerList((accounts): Map<Named, string> => {
  const index = indexOf(accounts);
  return new Map(
    accounts.map((account) => {
      const forms = formsOf(account);
      const label = forms.find((form) => index.get(fold(form))?.length === 1);
      return [account, label ?? forms[2]];
    }),
  );
});

/** The accounts by each name that can mean them. */
const indexOf = memoizePerList((accounts): Map<string, Named[]> => {
  const index = new Map<string, Named[]>();
  for (const account of accounts) {
    for (const form of new Set(formsOf(account).map(fold))) {
      const meant = index.get(form);
      if (meant) meant.push(account);
      else index.set(form, [account]);
    }
  }
  return index;
});

/**
 * Derives something from a list of accounts once, for every variable and every fault of a message. It
 * is kept as long as the list, which must not change.
 */
export function memoizePerList<Result>(
  derive: (accounts: readonly Named[]) => Result,
): (accounts: readonly Named[]) => Result {
  const known = new WeakMap<readonly Named[], { result: Result }>();
  return (accounts) => {
    const kept = known.get(accounts) ?? { result: derive(accounts) };
    known.set(accounts, kept);
    return kept.result;
  };
}

function formsOf(account: Named): [name: string, withBank: string, numbered: string] {
  const name = nameOf(account);
  const withBank = `${bankNameOf(account)}/${name}`;
  return [name, withBank, `${withBank} (${account.id})`];
}
