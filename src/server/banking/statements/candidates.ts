import type { StatementAccount } from '../../providers/banks/connect.ts';
import type { StoredAccount } from '../connections/queries.ts';
import {
  findStored,
  isOfOtherIban,
  isSame,
  isWithoutNumber,
  type Names,
  namesOf,
} from './matching.ts';
import type { TableMemory } from './remembered-tables.ts';

/** An account of a file, with what may tell which stored one it is. */
export interface FileAccount {
  userId: string;
  source: string;
  /** All stored accounts of the owner. */
  known: StoredAccount[];
  account: StatementAccount;
  /** What earlier tables say. */
  memory: TableMemory;
  /** Which account of its table it is. */
  index: number;
}

/** The stored accounts that it may be, none of them in two lists. */
export interface Candidates {
  /** Those of earlier tables with its header. */
  earlier: StoredAccount[];
  /** Those that no other header names. */
  others: StoredAccount[];
  /** Those of other numbers: only their days can say that it is one of them. */
  otherNumbers: StoredAccount[];
}

/**
 * Where an earlier table with its header names its account, there are no others, unless that account may have other
 * names by now; for a new header or a new number, all are others.
 */
export function candidatesOf(given: FileAccount): Candidates {
  const ofCurrency = given.known.filter(
    (one) => one.source === given.source && one.currency === given.account.currency,
  );
  const isNumbered = given.account.number !== null;
  const comparable = ofCurrency.filter((one) => !isNumbered || isWithoutNumber(one));
  const earlier = [...new Set(earlierOf(given, comparable))];
  const others = othersOf(given, comparable).filter((one) => !earlier.includes(one));
  const otherNumbers = ofCurrency.filter(
    (one) =>
      isNumbered &&
      !isWithoutNumber(one) &&
      !isOfOtherIban(one, given.userId, given.account) &&
      !earlier.includes(one),
  );
  return { earlier, others, otherNumbers };
}

function earlierOf(given: FileAccount, comparable: StoredAccount[]): StoredAccount[] {
  const { userId, source, known, account } = given;
  return earlierNamesOf(given).flatMap((names) => {
    const found = findStored(known, userId, source, account, names);
    // Of several with these names its days may tell which one.
    if (found || account.number !== null) return found ?? [];
    return comparable.filter((stored) => isSame(namesOf(stored), names));
  });
}

function othersOf(given: FileAccount, comparable: StoredAccount[]): StoredAccount[] {
  const { account, memory } = given;
  const names = earlierNamesOf(given);
  if (names.length === 0 || account.number !== null) return comparable;
  // A file with a number gives an account other names.
  const isRenamed = names.some((one) => !isNameOfAny(given, one));
  if (!isRenamed && !(memory.forgets && account.name === null)) return [];
  return comparable.filter(
    (one) =>
      (isRenamed || isWithoutNumber(one)) &&
      !memory.namesElsewhere.some((elsewhere) => isSame(elsewhere, namesOf(one))),
  );
}

/** How an account that is deleted was called, where earlier tables with its header knew that one alone. */
export function namesOfDeleted(given: FileAccount): Names | undefined {
  const [only, another] = earlierNamesOf(given);
  return only && !another && !isNameOfAny(given, only) ? only : undefined;
}

/** Whether tables with its header name each account, and none called one so. */
export function isNewLabel(given: FileAccount): boolean {
  const { account, memory, index } = given;
  return memory.earlierNames[index]?.length === 0 && account.name !== null && !memory.hasUnnamed;
}

/** None for a new header. */
export function earlierNamesOf({ memory, index }: FileAccount): Names[] {
  return memory.earlierNames[index] ?? [];
}

function isNameOfAny({ source, known }: FileAccount, names: Names): boolean {
  return known.some((one) => one.source === source && isSame(namesOf(one), names));
}
