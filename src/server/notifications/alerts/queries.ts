import type { Kysely, Transaction } from 'kysely';
import type { AlertList, Alert as PresentedAlert } from '../../../shared/contract/alerts.ts';
import { bankNameOf, nameOf } from '../../../shared/message/names.ts';
import { fromMinor } from '../../../shared/money/minor-units.ts';
import { lockUser } from '../../identity/users/queries.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transactions.ts';
import { isUuid } from '../../platform/uuid.ts';
import type { NotificationsDeps } from '../deps.ts';
import {
  type AlertAccounts,
  accountGroupsOf,
  isAutomaticSource,
  readAlertAccounts,
} from './alert-accounts.ts';
import { rearmedAt } from './crossings.ts';
import { type AlertRow, ruleOf } from './store.ts';

/** How many alerts a notification may have. */
export const maxAlerts = 20;

/** An account of the owner, as a notification covers it. */
export type SourcedAccount = AlertAccounts[number] & {
  source: string;
  /** False while its bank does not list it as a checking account. */
  isListed: boolean;
};

/** The alerts of one notification, or with null of all, in the order in which they were added. */
export async function listAlerts(
  database: Kysely<Schema>,
  ownerId: string,
  messengerId: string | null,
): Promise<AlertRow[]> {
  return await database
    .selectFrom('alerts')
    .selectAll()
    .where('user_id', '=', ownerId)
    .$if(messengerId !== null, (query) => query.where('messenger_id', '=', messengerId ?? ''))
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Null for an unknown id, one of another notification or user, and a malformed one. */
export async function findAlert(
  transaction: Transaction<Schema>,
  ownerId: string,
  messengerId: string,
  id: string,
): Promise<AlertRow | null> {
  if (!isUuid(id)) return null;
  const row = await transaction
    .selectFrom('alerts')
    .selectAll()
    .where('user_id', '=', ownerId)
    .where('messenger_id', '=', messengerId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * False when the notification has none of this id. What it held for a summary goes with it. No evaluation
 * of the user's alerts is under way meanwhile: it would write of one that is gone.
 */
export async function deleteAlert(
  { database }: Pick<NotificationsDeps, 'database'>,
  ownerId: string,
  messengerId: string,
  id: string,
): Promise<boolean> {
  if (!isUuid(messengerId) || !isUuid(id)) return false;
  return await inTransaction(database.sql, async (transaction) => {
    if (!(await lockUser(transaction, ownerId))) return false;
    const { numDeletedRows } = await transaction
      .deleteFrom('alerts')
      .where('user_id', '=', ownerId)
      .where('messenger_id', '=', messengerId)
      .where('id', '=', id)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  });
}

/** The checking accounts of the owner that are listed, then all others that are known. */
export async function accountsFor(
  database: Kysely<Schema>,
  { bankSources }: BankSources,
  { ownerId, messengerId }: { ownerId: string; messengerId: string },
): Promise<SourcedAccount[]> {
  const ofMessengers = { userId: ownerId, messengerIds: [messengerId] };
  const accounts = (await readAlertAccounts(database, bankSources, ofMessengers))(messengerId);
  const rows = await database
    .selectFrom('bank_accounts')
    .select(['id', 'connection_id', 'source', 'name', 'bank_name', 'currency'])
    .where('user_id', '=', ownerId)
    .orderBy('id')
    .execute();
  const rest = new Map(rows.map((row) => [row.id, row]));
  const listed = accounts.map((account) => {
    const source = rest.get(account.id)?.source ?? '';
    rest.delete(account.id);
    return { ...account, source, isListed: true };
  });
  const hidden = [...rest.values()].map(({ connection_id: connectionId, bank_name, ...row }) => ({
    ...{ ...row, connectionId, bank: { name: bank_name } },
    ...{ balanceMinor: null, updatedAt: null, covered: false, isListed: false },
    isReadAutomatically: false,
  }));
  return [...listed, ...hidden];
}

type BankSources = Pick<NotificationsDeps, 'bankSources'>;

/** What a page about the alerts of one notification needs. `accounts` are all of the owner's. */
export function presentList(
  { bankSources }: BankSources,
  rows: AlertRow[],
  accounts: SourcedAccount[],
): AlertList {
  const watchable = accounts.filter(
    ({ source, isListed }) => isListed && isAutomaticSource(bankSources.get(source)),
  );
  const currencies = watchable.filter(({ covered }) => covered).map(({ currency }) => currency);
  return {
    alerts: rows.map((row) => presentAlert({ bankSources }, row, accounts)),
    most: maxAlerts,
    accounts: watchable.map(presentAccount),
    currencies: [...new Set(currencies)],
  };
}

export function presentAlert(
  { bankSources }: BankSources,
  row: AlertRow,
  accounts: SourcedAccount[],
): PresentedAlert {
  const rule = ruleOf(row);
  const { kind, currency, accountId } = rule;
  const account = accounts.find(({ id }) => id === accountId);
  return {
    id: row.id,
    kind,
    account: account ? presentAccount(account) : null,
    currency_code: currency,
    amount: fromMinor(rule.amountMinor, currency),
    state: stateOf(row),
    rearmed: kind === 'below' ? fromMinor(Math.ceil(rearmedAt(rule)), currency) : null,
    crossedDate: row.crossed_at?.toISOString() ?? null,
    readEveryMinutes: readEvery({ bankSources }, accountId, accounts, currency),
  };
}

function presentAccount(account: Pick<SourcedAccount, 'id' | 'name' | 'bank' | 'currency'>) {
  const { id, currency: currency_code } = account;
  return { id, name: nameOf(account), bank: { name: bankNameOf(account) }, currency_code };
}

function stateOf({ kind, armed }: AlertRow): PresentedAlert['state'] {
  if (kind === 'movement') return 'armed';
  if (armed === null) return 'waiting';
  return armed ? 'armed' : 'crossed';
}

/** By the source that is read least often. Of a total, accounts that are never read do not count. */
function readEvery(
  { bankSources }: BankSources,
  accountId: number | null,
  accounts: SourcedAccount[],
  currency: string,
): number | null {
  const members = new Set(accountGroupsOf(accountId, accounts, currency).flat());
  const sources = accounts.filter(({ id }) => members.has(id)).map(({ source }) => source);
  const periods = [...new Set(sources)]
    .map((source) => bankSources.get(source))
    .filter((source) => isAutomaticSource(source))
    .map((source) => source?.policy.forAlerts?.everyMs ?? Number.POSITIVE_INFINITY);
  const longest = Math.max(0, ...periods);
  return longest > 0 && Number.isFinite(longest) ? Math.round(longest / 60_000) : null;
}
