import { sql, type Transaction } from 'kysely';
import { PRO_VALIDATION_STATUS } from '../../../shared/banks/item-states.ts';
import { records } from '../../platform/database/records.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { Platform } from '../../platform/platform.ts';
import type { BankConnection, SharedAccount } from '../../providers/banks/port.ts';
import { balanceRows } from '../history/days.ts';
import { eraseItems } from './erasing.ts';

/** Everything the provider said about one user, and when the reading began. */
export interface Reading {
  items: BankConnection[];
  accounts: SharedAccount[];
  startedAt: Date;
  /** How many erasures there had been when it began. */
  erasures: number;
  /** The end of its lease: see there. */
  until: string;
}

/**
 * Makes the store say what was read, and ends the lease. False, with nothing written, when
 * something of this user was erased meanwhile: the reading may still hold it. One that took so long
 * that another worker reads too is left to that one, which knows more.
 */
export async function storeReading(
  { database }: Pick<Platform, 'database'>,
  ownerId: string,
  reading: Reading,
): Promise<boolean> {
  return await database.sql.transaction().execute(async (transaction) => {
    const refresh = await transaction
      .selectFrom('bank_refreshes')
      .select(['erasures', sql<string | null>`leased_until::text`.as('until')])
      .where('user_id', '=', ownerId)
      .forUpdate()
      .executeTakeFirst();
    if (refresh && refresh.until !== reading.until) return true;
    if (refresh?.erasures !== reading.erasures) return false;
    const items = [...new Map(reading.items.map((item) => [item.id, item])).values()];
    const accounts = accountsOf(reading.accounts, items);
    await writeItems(transaction, ownerId, items, reading.startedAt);
    await writeAccounts(transaction, ownerId, accounts, reading.startedAt);
    await hideOthers(transaction, ownerId, accounts, reading.startedAt);
    await writeBalances(transaction, ownerId, balanceRows(accounts, reading.startedAt));
    await transaction
      .updateTable('bank_refreshes')
      .set({ refreshed_at: reading.startedAt, failure: null, leased_until: null })
      .where('user_id', '=', ownerId)
      .execute();
    return true;
  });
}

/** Lists that change while they are read in pages name an account twice, or one without its item. */
function accountsOf(accounts: SharedAccount[], items: BankConnection[]): SharedAccount[] {
  const known = new Set(items.map(({ id }) => id));
  const mine = accounts.filter(({ itemId }) => known.has(itemId));
  return [...new Map(mine.map((account) => [account.id, account])).values()];
}

/** A connection that the provider no longer lists is gone, with its accounts and balances. */
async function writeItems(
  transaction: Transaction<Schema>,
  ownerId: string,
  items: BankConnection[],
  now: Date,
): Promise<void> {
  const rows = items.map((item) => ({
    id: item.id,
    bank_id: item.bank.id,
    bank_name: storable(item.bank.name),
    status: item.status,
    status_description: item.statusDescription === null ? null : storable(item.statusDescription),
    last_successful_refresh: moment(item.lastSuccessfulRefresh),
    authentication_expires_at: moment(item.authenticationExpiresAt),
  }));
  const { rows: gone } = await sql<{ id: number }>`
    select id from bank_items where user_id = ${ownerId}
      and id not in (select id from ${records(rows, 'id bigint')})`.execute(transaction);
  await eraseItems(
    transaction,
    ownerId,
    gone.map(({ id }) => id),
  );
  await sql`
    insert into bank_items (user_id, id, bank_id, bank_name, status, status_description,
      last_successful_refresh, authentication_expires_at, seen_at)
    select ${ownerId}::uuid, id, bank_id, bank_name, status, status_description,
      last_successful_refresh, authentication_expires_at, ${now}::timestamptz
    from ${records(rows, itemShape)}
    on conflict (user_id, id) do update set bank_id = excluded.bank_id,
      bank_name = excluded.bank_name, status = excluded.status,
      status_description = excluded.status_description,
      last_successful_refresh = excluded.last_successful_refresh,
      authentication_expires_at = excluded.authentication_expires_at,
      seen_at = excluded.seen_at`.execute(transaction);
}

const itemShape = `id bigint, bank_id bigint, bank_name text, status bigint,
  status_description text, last_successful_refresh timestamptz,
  authentication_expires_at timestamptz`;

async function writeAccounts(
  transaction: Transaction<Schema>,
  ownerId: string,
  accounts: SharedAccount[],
  now: Date,
): Promise<void> {
  const rows = accounts.map((account) => ({
    id: account.id,
    item_id: account.itemId,
    bank_id: account.bank.id,
    bank_name: storable(account.bank.name),
    name: storable(account.name),
    type: storable(account.type),
    currency: storable(account.currency),
    balance_minor: account.balanceMinor,
    updated_at: moment(account.updatedAt),
  }));
  await sql`
    insert into bank_accounts (user_id, id, item_id, bank_id, bank_name, name, type, currency,
      balance_minor, updated_at, first_seen_at)
    select ${ownerId}::uuid, id, item_id, bank_id, bank_name, name, type, currency,
      balance_minor, updated_at, ${now}::timestamptz
    from ${records(rows, accountShape)}
    on conflict (user_id, id) do update set item_id = excluded.item_id,
      bank_id = excluded.bank_id, bank_name = excluded.bank_name, name = excluded.name,
      type = excluded.type, currency = excluded.currency, balance_minor = excluded.balance_minor,
      updated_at = excluded.updated_at, gone_at = null`.execute(transaction);
}

const accountShape = `id bigint, item_id bigint, bank_id bigint, bank_name text, name text,
  type text, currency text, balance_minor bigint, updated_at timestamptz`;

/**
 * Hides what a connection in order no longer lists. One that is being read or repaired lists
 * nothing for a while: its accounts stay, with the age of their figures.
 */
async function hideOthers(
  transaction: Transaction<Schema>,
  ownerId: string,
  accounts: SharedAccount[],
  now: Date,
): Promise<void> {
  const listed = accounts.map(({ id }) => ({ id }));
  const inOrder = [0, 1009, PRO_VALIDATION_STATUS].map((status) => ({ status }));
  await sql`
    update bank_accounts a set gone_at = ${now}
    from bank_items i
    where a.user_id = ${ownerId} and a.gone_at is null
      and a.id not in (select id from ${records(listed, 'id bigint')})
      and i.user_id = a.user_id and i.id = a.item_id
      and i.status in (select status from ${records(inOrder, 'status bigint')})`.execute(
    transaction,
  );
}

async function writeBalances(
  transaction: Transaction<Schema>,
  ownerId: string,
  rows: object[],
): Promise<void> {
  await sql`
    insert into bank_balances (user_id, account_id, day, balance_minor, currency, as_of)
    select ${ownerId}::uuid, account_id, day, balance_minor, currency, as_of
    from ${records(rows, balanceShape)}
    on conflict (user_id, account_id, day) do update set balance_minor = excluded.balance_minor,
      currency = excluded.currency, as_of = excluded.as_of
      where excluded.as_of >= bank_balances.as_of`.execute(transaction);
}

const balanceShape =
  'account_id bigint, day date, balance_minor bigint, currency text, as_of timestamptz';

/** No text column holds U+0000 or half a surrogate pair, and no name is worth more than this. */
function storable(text: string): string {
  return text.replaceAll('\u0000', '').slice(0, 500).toWellFormed();
}

/** Banks send the year 0 for "never". */
function moment(at: Date | null): Date | null {
  return at && at.getTime() > 0 ? at : null;
}
