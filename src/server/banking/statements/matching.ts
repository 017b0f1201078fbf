import { createHash } from 'node:crypto';
import type { StatementNames } from '../../../shared/contract/statements.ts';
import type { StatementAccount } from '../../providers/banks/connect.ts';
import {
  accountPart,
  fileAccountId,
  ibanFingerprint,
  numberFingerprint,
} from '../connections/fingerprints.ts';
import type { StoredAccount } from '../connections/queries.ts';

export type Names = StatementNames[number];
type Numbered = Pick<StatementAccount, 'number' | 'currency'>;

/**
 * The account of this source and currency that a file goes on with: by its number; else, where the file or
 * the stored account has none, by the names that their owner gave both.
 */
export function findStored(
  known: StoredAccount[],
  userId: string,
  source: string,
  account: StatementAccount,
  names: Names | undefined,
): StoredAccount | undefined {
  const mine = known.filter((one) => one.source === source && one.currency === account.currency);
  const byNames = names && mine.find((one) => isStoredBy(one, names));
  if (account.number === null) {
    const named = names ? mine.filter((one) => isSame(namesOf(one), names)) : [];
    return byNames ?? (named.length === 1 ? named[0] : undefined);
  }
  return (
    findNumbered(mine, userId, account) ??
    (byNames && isWithoutNumber(byNames) ? byNames : undefined)
  );
}

/**
 * The account that its owner means by these names, which the form has announced: also one of another number, since
 * a bank may write it in two ways, but for that of another IBAN. `announced`: which one of several of these names.
 */
export function findNamed(
  known: StoredAccount[],
  userId: string,
  source: string,
  account: StatementAccount,
  { names, announced }: { names: Names; announced: number | null },
): StoredAccount | undefined {
  const named = namesakesOf(known, userId, source, account, names);
  const chosen = account.number === null && named.find(({ id }) => id === announced);
  const only = named.length === 1 ? named[0] : undefined;
  return chosen || (findStored(known, userId, source, account, names) ?? only);
}

/** The accounts of these names, of which a file in the same currency may be: not those of another IBAN. */
export function namesakesOf(
  known: StoredAccount[],
  userId: string,
  source: string,
  account: StatementAccount,
  names: Names,
): StoredAccount[] {
  return known.filter(
    (one) =>
      one.source === source &&
      one.currency === account.currency &&
      isSame(namesOf(one), names) &&
      !isOfOtherIban(one, userId, account),
  );
}

/** Whether both have an IBAN, and these are two. */
export function isOfOtherIban(
  { iban_print: print }: StoredAccount,
  userId: string,
  { number }: Pick<StatementAccount, 'number'>,
): boolean {
  const iban = ibanFingerprint(userId, number);
  return print !== null && iban !== null && print !== iban;
}

/** Among stored accounts, the one of this number. A number may be that of accounts in several currencies. */
export function findNumbered(
  stored: StoredAccount[],
  userId: string,
  account: Numbered,
): StoredAccount | undefined {
  const { number } = account;
  if (number === null) return undefined;
  const part = accountPart(number);
  const print = numberFingerprint(userId, part);
  const ids = [
    ...idsOfNumber(userId, account),
    ...idsOfNumber(userId, { ...account, number: part }),
  ];
  // Two banks may give two accounts the same number.
  const candidates = stored.filter((one) => !isOfOtherIban(one, userId, account));
  const [byId] = ids.flatMap((id) => candidates.find(({ source_id }) => source_id === id) ?? []);
  return (
    byId ??
    candidates.find((one) => print !== null && [one.print, ...one.other_prints].includes(print))
  );
}

/** Whether no file has said its number yet. */
export function isWithoutNumber(stored: StoredAccount): boolean {
  return stored.print === null && isStoredBy(stored, namesOf(stored));
}

/**
 * By which the account of a number may be stored: with its currency where the number stands for several.
 * Accounts that were imported by earlier versions are stored by the number itself.
 */
function idsOfNumber(userId: string, { number, currency }: Numbered): string[] {
  if (number === null) return [];
  const ids = [fileAccountId(userId, number), number];
  return ids.flatMap((id) => [`${id}/${currency}`, id]);
}

/**
 * The number, else the names: a later file of the same account must be found by it. A number that
 * stands for an account of another currency already gets its currency too. `taken`: the ids in use.
 */
export function newId(
  { number, currency }: Numbered,
  userId: string,
  names: Names,
  taken: string[],
): string {
  if (number === null) return idOfNames(names);
  const id = fileAccountId(userId, number);
  return taken.includes(id) || taken.includes(number) ? `${id}/${currency}` : id;
}

export function namesOf({ bank_name: bank, name }: StoredAccount): Names {
  return { bank, name };
}

/** Of an account that is known by its names, not by a number. */
function isStoredBy(stored: StoredAccount, names: Names): boolean {
  if (stored.source_id === idOfNames(names)) return true;
  // Earlier versions had one id for "A/B" with "C" and for "A" with "B/C".
  const earlierId = hashOf(`${names.bank}/${names.name}`);
  return stored.source_id === earlierId && isSame(namesOf(stored), names);
}

/** Whether they name one account, in whatever letters. */
export function isSame(one: Names, other: Names): boolean {
  return idOfNames(one) === idOfNames(other);
}

function idOfNames({ bank, name }: Names): string {
  return hashOf(JSON.stringify([bank, name]));
}

function hashOf(text: string): string {
  return createHash('sha256').update(text.toLowerCase()).digest('hex').slice(0, 32);
}
