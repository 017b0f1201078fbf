import type { StatementAccount } from '../../providers/banks/connect.ts';
import type { StoredAccount } from '../connections/queries.ts';
import type { ReadBalances } from './known-balances.ts';
import { likenessOf } from './likeness.ts';
import {
  findNamed,
  findStored,
  isOfOtherIban,
  isSame,
  isWithoutNumber,
  type Names,
  namesOf,
} from './matching.ts';
import type { TableMemory } from './remembered-tables.ts';

interface GivenAccount {
  userId: string;
  source: string;
  /** All stored accounts of the owner. */
  known: StoredAccount[];
  account: StatementAccount;
  /** Its balances are counted from one that the person typed, which may be wrong. */
  isCounted: boolean;
  /** The connection that is edited; null where a bank is added. */
  connectionId: number | null;
}

interface Continued {
  /** Undefined for a new account, and where several may be meant. */
  account?: StoredAccount;
  /** How an account that is deleted was called. */
  names?: Names | undefined;
  /** Accounts are stored that it may be, and nothing says which: the person has to say it. */
  isUncertain: boolean;
}

/**
 * Which stored account a file goes on with that its number does not tell: of those that earlier tables with its
 * header were, or of all where its form is new. Its days say most, then the bank that is edited; that it is none
 * of the others says nothing. Where it tells the days of an account of another number, its owner is asked: a bank
 * may write one number in two ways.
 */
export async function continuedAccount(
  readBalances: ReadBalances,
  given: GivenAccount,
  memory: TableMemory,
  index: number,
): Promise<Continued> {
  const { userId, source, known, account, connectionId } = given;
  const [first, second] = memory.earlierNames[index] ?? [];
  // Its number says more than any name.
  const numbered = findStored(known, userId, source, account, undefined);
  if (numbered) return { account: numbered, isUncertain: false };
  const { earlier, others } = candidatesOf(given, memory, index);
  const candidates = [...new Set([...earlier, ...others])];
  const otherNumbers = ofOtherNumbers(given).filter((one) => !candidates.includes(one));
  const expected = memory.forgets ? candidates : earlier;
  const isOfBank = (one: StoredAccount) => one.connection_id === connectionId;
  const likely = [...earlier, ...others.filter(isOfBank)];
  const compared = [...new Set([...likely, ...others, ...otherNumbers])];
  const likenesses = await likenessesOf(readBalances, given, compared, expected);
  const isLikeOther = otherNumbers.some((one) => likenesses.get(one) === 'same');
  if (candidates.length === 0) {
    // One that is deleted is called so again.
    const isDeleted = first && !second && !isNameOfAny(given, first) && !isLikeOther;
    return { names: isDeleted ? first : undefined, isUncertain: isLikeOther };
  }
  const alike = candidates.filter((one) => likenesses.get(one) === 'same');
  const ofBank = candidates.filter(isOfBank);
  // A bank that is edited and has none of them speaks against them.
  const possible = connectionId === null ? candidates : ofBank;
  const isOfNone =
    isNewLabel(given, memory, index) || possible.every((one) => likenesses.get(one) === 'other');
  if (isOfNone && !first && alike.length === 0) return { isUncertain: isLikeOther };
  const [only, another] = alike.length > 0 ? alike : possible;
  // One that was not compared may be alike too.
  const isOnlyAlike = (one: StoredAccount) =>
    likenesses.get(one) === 'same' && (compared.length <= mostCompared || likely.includes(one));
  const isPossible = (one: StoredAccount) =>
    isOnlyAlike(one) || (likenesses.get(one) === 'unknown' && earlier.includes(one));
  const isFound = (one: StoredAccount) => {
    const meant = { names: namesOf(one), announced: one.id };
    return findNamed(known, userId, source, account, meant) === one;
  };
  return only && !another && isPossible(only) && isFound(only)
    ? { account: only, isUncertain: false }
    : { isUncertain: true };
}

/** Whether tables with its header name each account, and none called one so. */
function isNewLabel({ account }: GivenAccount, memory: TableMemory, index: number): boolean {
  return memory.earlierNames[index]?.length === 0 && account.name !== null && !memory.hasUnnamed;
}

/**
 * `earlier`: the accounts of earlier tables with this header. `others`: where one of these may be known by other
 * names, all those that no other header names; where there were none, or a number is new, all.
 */
function candidatesOf(
  given: GivenAccount,
  { earlierNames, forgets, namesElsewhere }: TableMemory,
  index: number,
): { earlier: StoredAccount[]; others: StoredAccount[] } {
  const { userId, source, known, account } = given;
  const names = earlierNames[index] ?? [];
  const comparable = known.filter(
    (one) =>
      one.source === source &&
      one.currency === account.currency &&
      (account.number === null || isWithoutNumber(one)),
  );
  const earlier = names.flatMap((one) => {
    const found = findStored(known, userId, source, account, one);
    // Of several with these names its days may tell which one.
    if (found || account.number !== null) return found ?? [];
    return comparable.filter((stored) => isSame(namesOf(stored), one));
  });
  if (names.length === 0 || account.number !== null) return { earlier, others: comparable };
  // A file with a number gives an account other names.
  const isRenamed = names.some((one) => !isNameOfAny(given, one));
  if (!isRenamed && !(forgets && account.name === null)) return { earlier, others: [] };
  const others = comparable.filter(
    (one) =>
      (isRenamed || isWithoutNumber(one)) &&
      !namesElsewhere.some((elsewhere) => isSame(elsewhere, namesOf(one))),
  );
  return { earlier, others };
}

/** Those of which only the days can say that a file with a number is theirs. */
function ofOtherNumbers({ userId, source, known, account }: GivenAccount): StoredAccount[] {
  if (account.number === null) return [];
  return known.filter(
    (one) =>
      one.source === source &&
      one.currency === account.currency &&
      !isWithoutNumber(one) &&
      !isOfOtherIban(one, userId, account),
  );
}

function isNameOfAny({ source, known }: GivenAccount, names: Names): boolean {
  return known.some((one) => one.source === source && isSame(namesOf(one), names));
}

/** The first of them: the others may be meant or not. */
const mostCompared = 200;

async function likenessesOf(
  readBalances: ReadBalances,
  { account, isCounted }: GivenAccount,
  candidates: StoredAccount[],
  expected: StoredAccount[],
): Promise<Map<StoredAccount, ReturnType<typeof likenessOf>>> {
  const compared = candidates.slice(0, mostCompared);
  const days = await readBalances(compared);
  const likenessTo = (one: StoredAccount) =>
    likenessOf(account.balances, days.get(one.id) ?? [], {
      isCounted,
      isExpected: expected.includes(one),
    });
  const others = candidates.slice(mostCompared).map((one) => [one, 'unknown'] as const);
  return new Map([...compared.map((one) => [one, likenessTo(one)] as const), ...others]);
}
