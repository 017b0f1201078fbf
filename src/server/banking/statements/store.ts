import type { Transaction } from 'kysely';
import { parisDayOf } from '../../../shared/calendar/wall-clock.ts';
import { type Actor, lockActor } from '../../identity/sessions/queries.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transactions.ts';
import { ApiError } from '../../platform/http/api-error.ts';
import type { StatementAccount } from '../../providers/banks/connect.ts';
import type { BankConnection } from '../../providers/banks/port.ts';
import { accountPart } from '../connections/fingerprints.ts';
import { checkAccountLimit, checkAddedConnections } from '../connections/limits.ts';
import type { StoredAccount } from '../connections/queries.ts';
import {
  tellRenamed,
  type WriteScope,
  writeAccounts,
  writeBalances,
  writeConnections,
} from '../connections/store.ts';
import type { BankingDeps } from '../deps.ts';
import { bankingErrors } from '../errors.ts';
import { balanceRows } from '../history/days.ts';

/** An account of a file under the names that its owner gave it. */
interface GivenStatement {
  account: StatementAccount;
  bank: string;
  name: string;
  /** By which a later file is known to be of the same account. */
  id: string;
}

/**
 * Adds what a file says to what is stored: older figures enter the history and replace no newer one.
 * Throws Too_Many_Banks and Too_Many_Accounts, and Statement_Unreadable for an account that is stored in
 * another currency.
 */
export async function addStatements(
  deps: Pick<BankingDeps, 'database' | 'figureListener'>,
  actor: Actor,
  { source, startedAt }: Pick<WriteScope, 'source' | 'startedAt'>,
  given: GivenStatement[],
): Promise<void> {
  await inTransaction(deps.database.sql, async (transaction) => {
    const { id: userId } = await lockActor(transaction, actor);
    const scope = { userId, source, startedAt };
    const connections = new Map(
      given.map(({ bank }) => [connectionIdOf(bank), connectionOf(bank, startedAt)]),
    );
    await checkAddedConnections(transaction, scope, [...connections.keys()]);
    await checkAccountLimit(
      transaction,
      scope,
      given.map(({ id, bank }) => ({ id, connectionId: connectionIdOf(bank), bank })),
    );
    const stored = await transaction
      .selectFrom('bank_accounts')
      .select(['source_id', 'name', 'currency', 'updated_at'])
      .where('user_id', '=', userId)
      .where('source', '=', source)
      .execute();
    checkCurrencies(given, stored);
    const newest = new Map(
      stored.map((row) => [row.source_id, row.updated_at && parisDayOf(row.updated_at)]),
    );
    const history = await readHistory(transaction, scope, given);
    const numbers = await writeConnections(transaction, scope, [...connections.values()]);
    const accounts = given.map(({ account, bank, name, id }) => {
      const { currency } = account;
      const last = account.balances.at(-1);
      const asOf = last ? momentOf({ day: last.day }, startedAt) : null;
      // By days: what was dated ahead of Paris is stored as of the moment at which it was read.
      const isOlder = (newest.get(id) ?? '') > (last?.day ?? '');
      const balance = {
        minor: last?.minor ?? null,
        currency,
        kind: 'booked' as const,
        asOf,
        isUnrenewed: isOlder || (last !== undefined && history.keeps(id, last)),
      };
      const connectionId = connectionIdOf(bank);
      return {
        ...{ id, connectionId, name, type: 'checking', bank: { id: null, name: bank }, balance },
        number: account.number,
        knownBy: account.number && accountPart(account.number),
      };
    });
    const written = await writeAccounts(transaction, scope, accounts, numbers);
    await history.dropReplaced(transaction);
    const rows = given.flatMap(({ account: { balances, currency }, id }) => {
      const number = written.get(id)?.id ?? 0;
      const days = balances
        .filter((one) => !history.keeps(id, one))
        .map((one) => ({
          minor: one.minor,
          currency,
          kind: 'booked' as const,
          asOf: momentOf(one, startedAt),
        }));
      return balanceRows(
        days.map((balance) => ({ id: number, balance })),
        startedAt,
      );
    });
    await writeBalances(transaction, userId, rows);
    await tellRenamed(deps, transaction, userId, written);
  });
}

type DatedBalance = StatementAccount['balances'][number];

/**
 * What is stored of the days of these accounts. The balance of the end of a day has its first moment, and one
 * in the course of it its own.
 */
async function readHistory(
  transaction: Transaction<Schema>,
  { userId, source, startedAt }: WriteScope,
  given: GivenStatement[],
) {
  const days = given.flatMap(({ account }) => account.balances.map(({ day }) => day)).sort();
  const rows = await transaction
    .selectFrom('bank_balances as b')
    .innerJoin('bank_accounts as a', (join) =>
      join.onRef('a.user_id', '=', 'b.user_id').onRef('a.id', '=', 'b.account_id'),
    )
    .select(['a.source_id', 'b.account_id', 'b.day', 'b.as_of'])
    .where('b.user_id', '=', userId)
    .where('a.source', '=', source)
    .where(
      'a.source_id',
      'in',
      given.map(({ id }) => id),
    )
    .where('b.day', '>=', days[0] ?? '')
    .execute();
  const keyOf = (id: string, day: string) => `${id} ${day}`;
  const stored = new Map(rows.map((row) => [keyOf(row.source_id, row.day), row]));
  const isInDay = ({ day, as_of: asOf }: (typeof rows)[number]) => asOf > firstMomentOf(day);
  const replaced = given.flatMap(({ id, account }) =>
    account.balances.flatMap(({ day, at }) => {
      const row = stored.get(keyOf(id, day));
      return row && at === undefined && isInDay(row) ? [row] : [];
    }),
  );
  return {
    /** Whether the stored balance of its day stays: one of its end, or of later in it, for one in its course. */
    keeps(id: string, one: DatedBalance): boolean {
      const row = stored.get(keyOf(id, one.day));
      if (!row || one.at === undefined) return false;
      return !isInDay(row) || row.as_of > momentOf(one, startedAt);
    },
    /** Those in the course of a day of which the end is told now. */
    async dropReplaced(within: Transaction<Schema>): Promise<void> {
      for (const { account_id: accountId, day } of replaced) {
        await within
          .deleteFrom('bank_balances')
          .where('user_id', '=', userId)
          .where('account_id', '=', accountId)
          .where('day', '=', day)
          .execute();
      }
    },
  };
}

/** An account never changes its currency: its history and its alerts would be of two. */
function checkCurrencies(
  given: GivenStatement[],
  stored: Pick<StoredAccount, 'source_id' | 'name' | 'currency'>[],
): void {
  for (const { id, account } of given) {
    const other = stored.find((row) => row.source_id === id && row.currency !== account.currency);
    if (!other) continue;
    const message = `Ce fichier est en ${account.currency}, et le compte «\u202f${other.name}\u202f» en ${other.currency}. Donnez un autre nom.`;
    throw new ApiError(bankingErrors.Statement_Unreadable, { message });
  }
}

/** A bank that is written in other letters the next time is still the same. */
function connectionIdOf(bank: string): string {
  return bank.toLowerCase();
}

function connectionOf(bank: string, at: Date): BankConnection {
  const told = { code: null, description: null, authenticationExpiresAt: null };
  const id = connectionIdOf(bank);
  return { id, state: 'ok', bank: { id: null, name: bank }, lastSuccessfulRefresh: at, ...told };
}

/**
 * A file says the day of a balance and no hour: its first moment is never later than the bank's. By UTC
 * it may lie ahead of a reading just after midnight in Paris, or where the day begins earlier. A balance with
 * an hour keeps it, and comes a millisecond after that first moment at least.
 */
function momentOf({ day, at }: Pick<DatedBalance, 'day' | 'at'>, startedAt: Date): Date {
  const first = firstMomentOf(day).getTime();
  return new Date(at ? Math.max(at.getTime(), first + 1) : Math.min(first, startedAt.getTime()));
}

function firstMomentOf(day: string): Date {
  return new Date(`${day}T00:00:00Z`);
}
