import type { MessageAccount } from '../../../shared/message/figures.ts';
import { accountsNamed, bankNameOf, fold, nameOf } from '../../../shared/message/names.ts';
import { parseMessage } from '../../../shared/message/variables.ts';

/** The figures that a text shows to its channel: nothing else is told to who asks there. */
export interface VisibleFigures {
  /** That of the accounts that it covers, where there are any. */
  total: boolean;
  /** The accounts whose balances it names, one by one or in the list of those it covers. */
  accounts: MessageAccount[];
}

export function visibleFiguresOf(
  text: string,
  accounts: readonly MessageAccount[],
): VisibleFigures {
  const parts = parseMessage(text);
  const has = (name: string) =>
    parts.some((part) => part.kind === 'variable' && part.name === name);
  const named = new Set(
    parts.flatMap((part) => {
      const meant = part.kind === 'account' ? accountsNamed(part.account, accounts) : [];
      // A name that means several is not filled in.
      return meant.length === 1 ? meant : [];
    }),
  );
  const listed = has('soldes');
  return {
    total: has('total') && accounts.some(({ covered }) => covered),
    accounts: accounts.filter((one) => named.has(one) || (listed && one.covered)),
  };
}

/**
 * The part of the shown figures that a command asks for: all of them without words, a shown total for
 * "total", else the accounts of that name, or whose name and bank hold the beginnings of all the words that
 * were typed. Null when no shown figure has that name: the asker cannot tell an account that the text does
 * not show from one that does not exist.
 */
export function requestedFigures(
  { total, accounts }: VisibleFigures,
  asked: string,
): VisibleFigures | null {
  const word = fold(asked);
  const found =
    word === ''
      ? { total, accounts }
      : word === 'total' && total
        ? { total, accounts: [] }
        : { total: false, accounts: accountsMeant(asked, accounts) };
  return found.total || found.accounts.length > 0 ? found : null;
}

function accountsMeant(asked: string, accounts: readonly MessageAccount[]): MessageAccount[] {
  const named = accountsNamed(asked, accounts);
  if (named.length > 0) return [...named];
  const begun = wordsOf(asked);
  if (begun.length === 0) return [];
  return accounts.filter((account) => {
    const words = wordsOf(`${bankNameOf(account)} ${nameOf(account)}`);
    return begun.every((start) => words.some((word) => word.startsWith(start)));
  });
}

function wordsOf(text: string): string[] {
  return fold(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}
