import type { StatementNames } from '../../../shared/contract/statements.ts';
import type { StatementAccount } from '../../providers/banks/connect.ts';
import type { StoredAccount } from '../connections/queries.ts';
import type { BankingDeps } from '../deps.ts';
import { findStored } from './matching.ts';

type Names = StatementNames[number];

interface GivenAccount {
  ownerId: string;
  kind: string;
  known: StoredAccount[];
  account: StatementAccount;
  /** Its balances are counted from one that the person typed, which may be wrong. */
  isCounted: boolean;
  /** The connection that is edited; null where a bank is added. */
  connectionId: number | null;
}

/**
 * How the account of a file is called, of these names that earlier files like it had: of several, the one whose
 * stored days have the same balances as the file. Undefined where that is not certain, and where the stored days
 * have other balances: the file may be of another account.
 */
export async function continuedName(
  { database }: Pick<BankingDeps, 'database'>,
  { ownerId, kind, known, account, isCounted, connectionId }: GivenAccount,
  earlierNames: readonly Names[],
): Promise<Names | undefined> {
  const named = earlierNames
    .map((names) => ({ names, stored: findStored(known, ownerId, kind, account, names) }))
    .filter(({ stored }) => connectionId === null || stored?.connection_id === connectionId);
  // Its number says more than its days.
  if (account.number !== null) return named[0]?.names;
  const ids = named.flatMap(({ stored }) => stored?.id ?? []);
  const days = await readDays(database, ownerId, ids);
  const compared = named.map(({ names, stored }) => ({
    names,
    likeness: likenessOf(account.balances, (stored && days.get(stored.id)) ?? []),
  }));
  const alike = compared.filter(({ likeness }) => likeness === 'same');
  if (alike.length > 0) return alike.length === 1 ? alike[0]?.names : undefined;
  const [only] = compared;
  const isPossible = only && (isCounted || only.likeness !== 'other');
  return isPossible && compared.length === 1 ? only.names : undefined;
}

type DayBalance = Pick<StatementAccount['balances'][number], 'day' | 'minor'>;

async function readDays(
  { sql }: BankingDeps['database'],
  ownerId: string,
  accountIds: number[],
): Promise<Map<number, DayBalance[]>> {
  if (accountIds.length === 0) return new Map();
  const rows = await sql
    .selectFrom('bank_balances')
    .select(['account_id', 'day', 'balance_minor as minor'])
    .where('user_id', '=', ownerId)
    .where('account_id', 'in', accountIds)
    .orderBy('day')
    .execute();
  return Map.groupBy(rows, ({ account_id }) => account_id);
}

/**
 * Whether a file says of a day what is stored of it, or of days only something else; both in the order of days.
 * The last day of either may have gone on after its file was made.
 */
function likenessOf(
  file: readonly DayBalance[],
  stored: readonly DayBalance[],
): 'same' | 'other' | 'unknown' {
  const known = new Map(stored.map(({ day, minor }) => [day, minor]));
  const common = file.filter(({ day }) => known.has(day));
  if (common.some(({ day, minor }) => known.get(day) === minor)) return 'same';
  const lastDays = [file.at(-1)?.day, stored.at(-1)?.day];
  return common.some(({ day }) => !lastDays.includes(day)) ? 'other' : 'unknown';
}
