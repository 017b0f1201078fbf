import { inTransaction } from '../../platform/database/transactions.ts';
import { ApiError } from '../../platform/http/api-error.ts';
import type { Platform } from '../../platform/platform.ts';
import type { StatementAccount } from '../../providers/banks/connect.ts';
import type { BankConnection } from '../../providers/banks/port.ts';
import { accountPart } from '../connections/fingerprints.ts';
import { checkAccountLimit, checkAddedConnections } from '../connections/limits.ts';
import type { StoredAccount } from '../connections/queries.ts';
import {
  type WriteScope,
  writeAccounts,
  writeBalances,
  writeConnections,
} from '../connections/store.ts';
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
  { database }: Pick<Platform, 'database'>,
  scope: WriteScope,
  given: GivenStatement[],
): Promise<void> {
  const { userId, source, startedAt } = scope;
  await inTransaction(database.sql, async (transaction) => {
    const connections = new Map(
      given.map(({ bank }) => [bank.toLowerCase(), connectionOf(bank, startedAt)]),
    );
    await checkAddedConnections(transaction, scope, [...connections.keys()]);
    await checkAccountLimit(
      transaction,
      scope,
      given.map(({ id, bank }) => ({ id, connectionId: bank.toLowerCase(), bank })),
    );
    const stored = await transaction
      .selectFrom('bank_accounts')
      .select(['source_id', 'name', 'currency', 'updated_at'])
      .where('user_id', '=', userId)
      .where('source', '=', source)
      .execute();
    checkCurrencies(given, stored);
    const newest = new Map(stored.map((row) => [row.source_id, row.updated_at?.getTime() ?? 0]));
    const numbers = await writeConnections(transaction, scope, [...connections.values()]);
    const accounts = given.map(({ account, bank, name, id }) => {
      const { currency } = account;
      const last = account.balances.at(-1);
      const asOf = last ? momentOf(last.day, startedAt) : null;
      const isUnrenewed = (newest.get(id) ?? 0) > (asOf?.getTime() ?? 0);
      const balance = {
        minor: last?.minor ?? null,
        currency,
        kind: 'booked' as const,
        asOf,
        isUnrenewed,
      };
      const connectionId = bank.toLowerCase();
      return {
        ...{ id, connectionId, name, type: 'checking', bank: { id: null, name: bank }, balance },
        number: account.number,
        knownBy: account.number && accountPart(account.number),
      };
    });
    const written = await writeAccounts(transaction, scope, accounts, numbers);
    const rows = given.flatMap(({ account: { balances, currency }, id }) => {
      const number = written.get(id)?.id ?? 0;
      const days = balances.map(({ day, minor }) => ({
        minor,
        currency,
        kind: 'booked' as const,
        asOf: momentOf(day, startedAt),
      }));
      return balanceRows(
        days.map((balance) => ({ id: number, balance })),
        startedAt,
      );
    });
    await writeBalances(transaction, userId, rows);
  });
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

function connectionOf(bank: string, at: Date): BankConnection {
  const told = { code: null, description: null, authenticationExpiresAt: null };
  const id = bank.toLowerCase();
  return { id, state: 'ok', bank: { id: null, name: bank }, lastSuccessfulRefresh: at, ...told };
}

/**
 * A file says the day of a balance and no hour: its first moment is never later than the bank's. By UTC
 * it may lie ahead of a reading just after midnight in Paris.
 */
function momentOf(day: string, startedAt: Date): Date {
  return new Date(Math.min(Date.parse(`${day}T00:00:00Z`), startedAt.getTime()));
}
