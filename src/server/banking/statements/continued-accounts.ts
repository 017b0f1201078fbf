import type { StatementAccount } from '../../providers/banks/connect.ts';
import type { StoredAccount } from '../connections/queries.ts';
import type { BankingDeps } from '../deps.ts';
import { type DayBalance, likenessOf } from './likeness.ts';
import { findStored, isSame, isWithoutNumber, type Names, namesOf } from './matching.ts';
import type { TableMemory } from './remembered-tables.ts';

interface GivenAccount {
  ownerId: string;
  kind: string;
  /** All stored accounts of the owner. */
  known: StoredAccount[];
  account: StatementAccount;
  /** Its balances are counted from one that the person typed, which may be wrong. */
  isCounted: boolean;
  /** The connection that is edited; null where a bank is added. */
  connectionId: number | null;
}

interface Continued {
  /** How it is called; undefined for a new account, and where several may be meant. */
  names: Names | undefined;
  /** Accounts are stored that it may be, and nothing says which: the person has to say it. */
  isUncertain: boolean;
}

/**
 * Which stored account a table without an account number goes on with, of those that earlier tables with its
 * header were. What the file calls it says most, then its days, then the bank that is edited.
 */
export async function continuedAccount(
  deps: Pick<BankingDeps, 'database'>,
  given: GivenAccount,
  { namesElsewhere, ...memory }: TableMemory,
  index: number,
): Promise<Continued> {
  const { ownerId, kind, known, account, connectionId } = given;
  const earlierNames = memory.earlierNames[index] ?? [];
  const [first] = earlierNames;
  // Its number says more than any name.
  if (account.number !== null) return { names: first, isUncertain: false };
  const stored = (names: Names) => findStored(known, ownerId, kind, account, names);
  const earlier = new Set(earlierNames.flatMap((names) => stored(names) ?? []));
  // An earlier version remembered the last account of a header alone.
  const forgotten = known.filter(
    (one) =>
      one.source === kind &&
      one.currency === account.currency &&
      isWithoutNumber(one) &&
      !namesElsewhere.some((names) => isSame(names, namesOf(one))),
  );
  const isCalled = account.name !== null && earlier.size === 1;
  const hasHeader = memory.earlierNames.length > 0 && account.name === null;
  const candidates = [...new Set([...earlier, ...(hasHeader ? forgotten : [])])];
  // Those of its name are all deleted: it is called so again.
  if (candidates.length === 0) {
    return { names: earlierNames.length === 1 ? first : undefined, isUncertain: false };
  }
  const likenesses = await likenessesOf(deps, given, candidates);
  const alike = candidates.filter((one) => likenesses.get(one) === 'same');
  const possible = candidates.filter((one) => likenesses.get(one) !== 'other');
  const isOfBank = (one: StoredAccount) =>
    isCalled || connectionId === null || one.connection_id === connectionId;
  const [certain, another] = alike.length > 0 ? alike : possible.filter(isOfBank);
  return certain && !another
    ? { names: namesOf(certain), isUncertain: false }
    : { names: undefined, isUncertain: true };
}

async function likenessesOf(
  { database }: Pick<BankingDeps, 'database'>,
  { ownerId, account, isCounted }: GivenAccount,
  candidates: StoredAccount[],
): Promise<Map<StoredAccount, ReturnType<typeof likenessOf>>> {
  const rows = await database.sql
    .selectFrom('bank_balances')
    .select(['account_id', 'day', 'balance_minor as minor'])
    .where('user_id', '=', ownerId)
    .where(
      'account_id',
      'in',
      candidates.map(({ id }) => id),
    )
    .orderBy('day')
    .execute();
  const days: ReadonlyMap<number, DayBalance[]> = Map.groupBy(rows, ({ account_id: id }) => id);
  return new Map(
    candidates.map((one) => [one, likenessOf(account.balances, days.get(one.id) ?? [], isCounted)]),
  );
}
