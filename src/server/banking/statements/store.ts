import { sql, type Transaction } from 'kysely';
import { parisDayOf } from '../../../shared/calendar/wall-clock.ts';
import { type Actor, lockActor } from '../../identity/sessions/queries.ts';
import { records } from '../../platform/database/records.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transactions.ts';
import { ApiError } from '../../platform/http/api-error.ts';
import type { StatementAccount } from '../../providers/banks/connect.ts';
import type { Balance, BankConnection } from '../../providers/banks/port.ts';
import { accountPart, numberFingerprint } from '../connections/fingerprints.ts';
import { checkAccountLimit, checkAddedConnections } from '../connections/limits.ts';
import type { StoredAccount } from '../connections/queries.ts';
import {
  type GivenAccount,
  tellRenamed,
  type WriteScope,
  writeAccounts,
  writeBalances,
  writeConnections,
} from '../connections/store.ts';
import type { BankingDeps } from '../deps.ts';
import { bankingErrors } from '../errors.ts';
import { balanceRows } from '../history/days.ts';
import { momentOf, readStoredDays, type StoredDays } from './stored-days.ts';

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
      .select(['source_id', 'name', 'type', 'currency', 'updated_at'])
      .where('user_id', '=', userId)
      .where('source', '=', source)
      .execute();
    checkCurrencies(given, stored);
    const storedDays = await readStoredDays(transaction, scope, given);
    const numbers = await writeConnections(transaction, scope, [...connections.values()]);
    const accounts = given.map((one) => accountOf(one, stored, storedDays, startedAt));
    await keepOtherNumbers(transaction, scope, given);
    const written = await writeAccounts(transaction, scope, accounts, numbers);
    await storedDays.dropReplaced(transaction);
    const balances = given.flatMap((one) => {
      const number = written.get(one.id)?.id ?? 0;
      return newBalancesOf(one, storedDays, startedAt).map((balance) => ({ id: number, balance }));
    });
    await writeBalances(transaction, userId, balanceRows(balances, startedAt));
    await tellRenamed(deps, transaction, userId, written);
  });
}

/** The writing of a number that a file said before stays beside the one that takes its place. */
async function keepOtherNumbers(
  transaction: Transaction<Schema>,
  { userId, source }: WriteScope,
  given: GivenStatement[],
): Promise<void> {
  const rows = given.map(({ id, account: { number } }) => ({
    source_id: id,
    told: numberFingerprint(userId, number && accountPart(number)),
  }));
  await sql`
    update bank_accounts a
    set other_prints = array_append(array_remove(a.other_prints, told), a.print)
    from ${records(rows, 'source_id text, told text')}
    where a.user_id = ${userId} and a.source = ${source} and a.source_id = given.source_id
      and a.print <> told`.execute(transaction);
}

/** The account with its last balance. One that is not newer than what is stored renews nothing. */
function accountOf(
  { account, bank, name, id }: GivenStatement,
  stored: Pick<StoredAccount, 'source_id' | 'type' | 'updated_at'>[],
  storedDays: StoredDays,
  startedAt: Date,
): GivenAccount {
  const { balances, currency, number } = account;
  const last = balances.at(-1);
  const known = stored.find((row) => row.source_id === id);
  const updatedAt = known?.updated_at;
  // Messages and alerts may speak of one that is shown.
  const type = known?.type === 'checking' ? known.type : account.type;
  // By days: what was dated ahead of Paris is stored as of the moment at which it was read.
  const isOlder = (updatedAt ? parisDayOf(updatedAt) : '') > (last?.day ?? '');
  const balance = {
    minor: last?.minor ?? null,
    currency,
    kind: 'booked' as const,
    asOf: last ? momentOf({ day: last.day }, startedAt) : null,
    isUnrenewed: isOlder || (last !== undefined && storedDays.keeps(id, last)),
  };
  const connectionId = connectionIdOf(bank);
  return {
    ...{ id, connectionId, name, type, bank: { id: null, name: bank }, balance },
    number,
    knownBy: number && accountPart(number),
  };
}

/** The balances of an account that enter its history. */
function newBalancesOf(
  { account: { balances, currency }, id }: GivenStatement,
  storedDays: StoredDays,
  startedAt: Date,
): Balance[] {
  return balances
    .filter((one) => !storedDays.keeps(id, one))
    .map((one) => ({
      minor: one.minor,
      currency,
      kind: 'booked',
      asOf: momentOf(one, startedAt),
    }));
}

/** An account never changes its currency: its history and its alerts would be of two. */
function checkCurrencies(
  given: GivenStatement[],
  stored: Pick<StoredAccount, 'source_id' | 'name' | 'currency'>[],
): void {
  for (const { id, account } of given) {
    const other = stored.find((row) => row.source_id === id && row.currency !== account.currency);
    if (other) throw otherCurrency(account.currency, other);
  }
}

export function otherCurrency(
  currency: string,
  other: Pick<StoredAccount, 'name' | 'currency'>,
): ApiError {
  const message = `Ce fichier est en ${currency}, et le compte «\u202f${other.name}\u202f» en ${other.currency}. Donnez un autre nom.`;
  return new ApiError(bankingErrors.Statement_Unreadable, { message });
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
