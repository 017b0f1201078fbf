import type { StoredAccount } from '../connections/queries.ts';
import {
  type Candidates,
  candidatesOf,
  earlierNamesOf,
  type FileAccount,
  isNewLabel,
  namesOfDeleted,
} from './candidates.ts';
import type { ReadBalances } from './known-balances.ts';
import { likenessOf } from './likeness.ts';
import { findNamed, findStored, type Names, namesOf } from './matching.ts';

interface GivenAccount extends FileAccount {
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
 * Which stored account an account of a file goes on with. Its number says more than any name. Where it tells none,
 * its days say most, then the header of its table and the bank that is edited; that it is none of the others says
 * nothing. Where it tells the days of an account of another number, its owner is asked: a bank may write one number
 * in two ways.
 */
export async function continuedAccount(
  readBalances: ReadBalances,
  given: GivenAccount,
): Promise<Continued> {
  const { userId, source, known, account } = given;
  const numbered = findStored(known, userId, source, account, undefined);
  if (numbered) return { account: numbered, isUncertain: false };
  const candidates = candidatesOf(given);
  const { earlier, others, otherNumbers } = candidates;
  const { likenessTo, isCompared } = await compare(readBalances, given, candidates);
  const isAlike = (one: StoredAccount) => likenessTo(one) === 'same';
  const isLikeOther = otherNumbers.some(isAlike);
  const all = [...earlier, ...others];
  if (all.length === 0) {
    // One that is deleted is called so again.
    return { names: isLikeOther ? undefined : namesOfDeleted(given), isUncertain: isLikeOther };
  }
  const alike = all.filter(isAlike);
  // A bank that is edited and has none of them speaks against them.
  const possible = given.connectionId === null ? all : all.filter((one) => isOfBank(given, one));
  const isOfNone = isNewLabel(given) || possible.every((one) => likenessTo(one) === 'other');
  if (isOfNone && earlierNamesOf(given).length === 0 && alike.length === 0) {
    return { isUncertain: isLikeOther };
  }
  const [only, another] = alike.length > 0 ? alike : possible;
  if (!only || another || !isFoundByNames(given, only)) return { isUncertain: true };
  // One that was not compared may be alike too.
  const isOnlyAlike = isCompared([...all, ...otherNumbers]) || isLikely(given, candidates, only);
  const isExpected = likenessTo(only) === 'unknown' && earlier.includes(only);
  return (isAlike(only) ? isOnlyAlike : isExpected)
    ? { account: only, isUncertain: false }
    : { isUncertain: true };
}

/** Whether something else than its days points to that account. */
function isLikely(given: GivenAccount, { earlier }: Candidates, one: StoredAccount): boolean {
  return earlier.includes(one) || isOfBank(given, one);
}

function isOfBank({ connectionId }: GivenAccount, one: StoredAccount): boolean {
  return one.connection_id === connectionId;
}

/** The form sends its names: they have to lead to it again. */
function isFoundByNames(
  { userId, source, known, account }: GivenAccount,
  one: StoredAccount,
): boolean {
  const meant = { names: namesOf(one), announced: one.id };
  return findNamed(known, userId, source, account, meant) === one;
}

interface Comparison {
  /** To the stored days of an account. */
  likenessTo(one: StoredAccount): ReturnType<typeof likenessOf>;
  /** Whether the days of all of these were looked at. */
  isCompared(accounts: StoredAccount[]): boolean;
}

/** The likeliest of them: the others may be meant or not. */
const mostCompared = 200;

async function compare(
  readBalances: ReadBalances,
  given: GivenAccount,
  candidates: Candidates,
): Promise<Comparison> {
  const { account, isCounted, memory } = given;
  const { earlier, others, otherNumbers } = candidates;
  const expected = memory.forgets ? [...earlier, ...others] : earlier;
  const likely = others.filter((one) => isOfBank(given, one));
  const compared = [...new Set([...earlier, ...likely, ...others, ...otherNumbers])].slice(
    0,
    mostCompared,
  );
  const days = await readBalances(compared);
  const likenesses = new Map(
    compared.map((one) => {
      const isExpected = expected.includes(one);
      const stored = days.get(one.id) ?? [];
      return [one, likenessOf(account.balances, stored, { isCounted, isExpected })] as const;
    }),
  );
  return {
    likenessTo: (one) => likenesses.get(one) ?? 'unknown',
    isCompared: (accounts) => accounts.every((one) => likenesses.has(one)),
  };
}
