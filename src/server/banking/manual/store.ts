import { sql, type Transaction } from 'kysely';
import { type Actor, lockActor } from '../../identity/sessions/queries.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transactions.ts';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import type { Platform } from '../../platform/platform.ts';
import { eraseAccounts, eraseConnections } from '../connections/erasing.ts';
import { checkAccountLimit, checkAddedConnections } from '../connections/limits.ts';
import {
  tellRenamed,
  type WriteScope,
  writeAccounts,
  writeConnections,
} from '../connections/store.ts';
import type { BankingDeps } from '../deps.ts';
import { bankingErrors } from '../errors.ts';

/** A figure with its day in Paris (YYYY-MM-DD), and the moment from which it is true. */
export interface DatedFigure {
  day: string;
  minor: number;
  asOf: Date;
}

interface NewAccount {
  id: string;
  name: string;
  bank: string;
  currency: string;
  figure: DatedFigure;
}

/** One card holds them all. */
const connectionId = 'manual';

/** Throws Too_Many_Banks, Too_Many_Accounts and Manual_Account_Exists. Returns our number of the account. */
export async function addManualAccount(
  deps: Pick<BankingDeps, 'database' | 'figureListener'>,
  actor: Actor,
  { source, startedAt }: Pick<WriteScope, 'source' | 'startedAt'>,
  account: NewAccount,
): Promise<number> {
  const { id, name, currency, figure } = account;
  const bank = { id: null, name: account.bank };
  return await inTransaction(deps.database.sql, async (transaction) => {
    const { id: userId } = await lockActor(transaction, actor);
    const scope = { userId, source, startedAt };
    await checkAddedConnections(transaction, scope, [connectionId]);
    await checkAccountLimit(transaction, scope, [{ id, connectionId, bank: bank.name }]);
    await requireOther(transaction, scope, account);
    const told = { code: null, description: null, authenticationExpiresAt: null };
    const connections = await writeConnections(transaction, scope, [
      { id: connectionId, state: 'ok', bank, lastSuccessfulRefresh: null, ...told },
    ]);
    const balance = { minor: figure.minor, currency, kind: 'booked' as const, asOf: figure.asOf };
    const accounts = [{ id, connectionId, name, type: 'checking', bank, balance }];
    const written = await writeAccounts(transaction, scope, accounts, connections);
    const number = written.get(id)?.id ?? 0;
    await writeFigure(transaction, userId, { id: number, currency }, figure);
    await tellRenamed(deps, transaction, userId, written);
    return number;
  });
}

/** The same account is sent again where the first answer was lost. The user must be locked. */
async function requireOther(
  transaction: Transaction<Schema>,
  { userId, source }: WriteScope,
  { name, currency, figure }: NewAccount,
): Promise<void> {
  const same = await transaction
    .selectFrom('bank_accounts as a')
    .innerJoin('bank_balances as b', (join) =>
      join.onRef('b.user_id', '=', 'a.user_id').onRef('b.account_id', '=', 'a.id'),
    )
    .select('a.id')
    .where('a.user_id', '=', userId)
    .where('a.source', '=', source)
    .where('a.name', '=', name)
    .where('a.currency', '=', currency)
    .where('b.day', '=', figure.day)
    .where('b.balance_minor', '=', figure.minor)
    .executeTakeFirst();
  if (same) throw new ApiError(bankingErrors.Manual_Account_Exists);
}

/** What is known of an account while it is changed. */
interface ManualAccountRow {
  id: number;
  connection_id: number;
  bank_name: string;
  name: string;
  currency: string;
}

/**
 * Changes one account of the owner's under a lock. `before` takes the locks that come before it. Throws
 * Not_Found.
 */
export async function changeManualAccount<Result>(
  { database }: Pick<Platform, 'database'>,
  actor: Actor,
  source: string,
  id: number,
  change: (transaction: Transaction<Schema>, account: ManualAccountRow) => Promise<Result>,
  before?: (transaction: Transaction<Schema>) => Promise<void>,
): Promise<Result> {
  return await inTransaction(database.sql, async (transaction) => {
    await before?.(transaction);
    const { id: userId } = await lockActor(transaction, actor);
    const account = await transaction
      .selectFrom('bank_accounts')
      .select(['id', 'connection_id', 'bank_name', 'name', 'currency'])
      .where('user_id', '=', userId)
      .where('source', '=', source)
      .where('id', '=', id)
      .executeTakeFirst();
    if (!account) throw new ApiError(httpErrors.Not_Found);
    return await change(transaction, account);
  });
}

export async function renameAccount(
  transaction: Transaction<Schema>,
  userId: string,
  id: number,
  name: string,
): Promise<void> {
  await transaction
    .updateTable('bank_accounts')
    .set({ name })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .execute();
}

/** What the owner types takes the place of what they typed for that day, whenever they did. */
export async function writeFigure(
  transaction: Transaction<Schema>,
  userId: string,
  { id, currency }: Pick<ManualAccountRow, 'id' | 'currency'>,
  { day, minor, asOf }: DatedFigure,
): Promise<void> {
  const figure = { balance_minor: minor, currency, as_of: asOf };
  await transaction
    .insertInto('bank_balances')
    .values({ user_id: userId, account_id: id, day, ...figure })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'account_id', 'day']).doUpdateSet(figure),
    )
    .execute();
  await showNewest(transaction, userId, id);
}

/** Whether it was erased, is the only one and stays, or is absent. */
export async function eraseFigure(
  transaction: Transaction<Schema>,
  userId: string,
  id: number,
  day: string,
): Promise<'erased' | 'only' | 'absent'> {
  const known = await transaction
    .selectFrom('bank_balances')
    .select('day')
    .where('user_id', '=', userId)
    .where('account_id', '=', id)
    .execute();
  if (!known.some((figure) => figure.day === day)) return 'absent';
  if (known.length === 1) return 'only';
  await transaction
    .deleteFrom('bank_balances')
    .where('user_id', '=', userId)
    .where('account_id', '=', id)
    .where('day', '=', day)
    .execute();
  await showNewest(transaction, userId, id);
  return 'erased';
}

/** The account shows the figure of the newest day that it has. */
async function showNewest(
  transaction: Transaction<Schema>,
  userId: string,
  id: number,
): Promise<void> {
  await sql`
    update bank_accounts a set balance_minor = b.balance_minor, updated_at = b.as_of
    from bank_balances b
    where a.user_id = ${userId} and a.id = ${id} and b.user_id = a.user_id and b.account_id = a.id
      and b.day = (select max(o.day) from bank_balances o
        where o.user_id = a.user_id and o.account_id = a.id)`.execute(transaction);
}

/** With its history and what messages said of it; the card goes with its last account. */
export async function eraseManualAccount(
  deps: Pick<BankingDeps, 'figureListener' | 'bankSources'>,
  transaction: Transaction<Schema>,
  userId: string,
  { id, connection_id }: ManualAccountRow,
): Promise<void> {
  const others = await transaction
    .selectFrom('bank_accounts')
    .select('id')
    .where('user_id', '=', userId)
    .where('connection_id', '=', connection_id)
    .where('id', '<>', id)
    .executeTakeFirst();
  if (!others) return await eraseConnections(deps, transaction, userId, [connection_id]);
  await eraseAccounts(deps, transaction, userId, sql`id = ${id}`);
}
