import { ApiError } from '../../platform/http/api-error.ts';
import type { StatementAccount } from '../../providers/banks/connect.ts';
import type { StoredAccount } from '../connections/queries.ts';
import { bankingErrors } from '../errors.ts';
import { isOfOtherIban, isSame, type Names, namesOf } from './matching.ts';
import { otherCurrency } from './store.ts';

interface Named {
  names: Names;
  currency: string;
}

/** Names that no other account has, with its currency or the end of its number where it has. Null for none. */
export function namesForNew(
  { name: given, type, currency, number }: StatementAccount,
  bank: string,
  taken: Named[],
): Names | null {
  const name = given ?? usualNames[type];
  const namesakes = taken.filter(({ names }) => isSame(names, { bank, name }));
  const isToldByCurrency = namesakes.every((one) => one.currency !== currency);
  const named = isToldByCurrency ? `${name} (${currency})` : name;
  const ended = number === null ? [] : [`${named} …${number.slice(-4)}`];
  const free = [name, named, ...ended]
    .map((one) => ({ bank, name: one }))
    .find((one) => !taken.some(({ names }) => isSame(names, one)));
  return free ?? null;
}

const usualNames: Record<StatementAccount['type'], string> = {
  checking: 'Compte courant',
  savings: "Compte d'épargne",
  card: 'Carte',
  loan: 'Crédit',
};

interface GivenNames {
  account: StatementAccount;
  /** The account that it continues. */
  stored: StoredAccount | undefined;
  names: Names;
}

/**
 * Two accounts of the same names could be told apart nowhere. Throws Statement_Unreadable where two of a file get
 * the same, or one gets those of an account that it does not continue; accounts that have the same names from before
 * keep them. `known`: those of the owner that they are compared with.
 */
export function checkNames(userId: string, given: GivenNames[], known: StoredAccount[]): void {
  const renamed = given.filter(({ stored, names }) => !stored || !isSame(namesOf(stored), names));
  for (const one of renamed) {
    const { names } = one;
    if (given.some((other) => other !== one && isSame(other.names, names))) throw sameNames();
    // One of this file may get other names at the same time.
    const isOther = (row: StoredAccount) => !given.some(({ stored: own }) => own === row);
    const namesakes = known.filter((row) => isSame(namesOf(row), names) && isOther(row));
    if (namesakes.length > 0) throw namesTaken(userId, one, namesakes);
  }
}

export function sameNames(): ApiError {
  const message = 'Donnez un nom différent à chaque compte.';
  return new ApiError(bankingErrors.Statement_Unreadable, { message });
}

function namesTaken(
  userId: string,
  { account, stored }: GivenNames,
  namesakes: StoredAccount[],
): ApiError {
  const { currency } = account;
  const [namesake] = namesakes;
  if (namesake && namesake.currency !== currency) return otherCurrency(currency, namesake);
  const called = `«\u202f${namesake?.name}\u202f»`;
  const possible = namesakes.filter(
    (row) => row.currency === currency && !isOfOtherIban(row, userId, account),
  );
  const ofNew = possible.length > 1 ? severalCalled(called) : otherNumber(called);
  const message = stored ? `Un autre compte s'appelle ${called}. Donnez un autre nom.` : ofNew;
  return new ApiError(bankingErrors.Statement_Unreadable, { message });
}

const otherNumber = (called: string) =>
  `Le compte ${called} existe déjà, et son numéro n'est pas celui de ce fichier. Donnez un autre nom.`;
/** A file finds the account whose number it writes in the same way, whatever its names. */
const severalCalled = (called: string) =>
  `Plusieurs comptes s'appellent ${called}, et rien ne dit duquel ce fichier vient. Importez d'abord, sous un autre nom, un fichier avec le numéro de l'un d'eux. Pour un nouveau compte, donnez un autre nom.`;
