import type { Selectable } from 'kysely';
import type { Schema } from '../../platform/database/schema.ts';
import type { Platform } from '../../platform/platform.ts';
import type { BankConnection, SharedAccount } from '../../providers/banks/port.ts';

type Data = Pick<Platform, 'database'>;

/** The owner's connections as they were last read. */
export async function listStoredItems(
  { database }: Data,
  ownerId: string,
): Promise<BankConnection[]> {
  const rows = await database.remember(`bank items:${ownerId}`, () =>
    database.sql
      .selectFrom('bank_items')
      .selectAll()
      .where('user_id', '=', ownerId)
      .orderBy('id')
      .execute(),
  );
  return rows.map(connectionOf);
}

/** The owner's accounts that the provider listed last, each with the hour of its figure. */
export async function listStoredAccounts(
  { database }: Data,
  ownerId: string,
): Promise<SharedAccount[]> {
  const rows = await database.remember(`bank accounts:${ownerId}`, () =>
    database.sql
      .selectFrom('bank_accounts')
      .selectAll()
      .where('user_id', '=', ownerId)
      .where('gone_at', 'is', null)
      .orderBy('id')
      .execute(),
  );
  return rows.map(accountOf);
}

/** When the reading of what is stored began; null when nothing was ever read for this user. */
export async function findRefreshedAt({ database }: Data, ownerId: string): Promise<Date | null> {
  const row = await database.remember(`bank refresh:${ownerId}`, () =>
    database.sql
      .selectFrom('bank_refreshes')
      .select('refreshed_at')
      .where('user_id', '=', ownerId)
      .executeTakeFirst(),
  );
  return row?.refreshed_at ?? null;
}

/** One per account and day since `firstDay` (YYYY-MM-DD), by account and day; of one account alone if asked. */
export async function listBalances(
  { database }: Data,
  ownerId: string,
  firstDay: string,
  accountId: number | null = null,
) {
  return await database.sql
    .selectFrom('bank_balances as b')
    .innerJoin('bank_accounts as a', (on) =>
      on.onRef('a.user_id', '=', 'b.user_id').onRef('a.id', '=', 'b.account_id'),
    )
    .select(['b.account_id', 'b.day', 'b.balance_minor', 'b.currency', 'b.as_of'])
    .where('b.user_id', '=', ownerId)
    .where('b.day', '>=', firstDay)
    .where('a.gone_at', 'is', null)
    .$if(accountId !== null, (query) => query.where('b.account_id', '=', accountId))
    .orderBy('b.account_id')
    .orderBy('b.day')
    .execute();
}

function connectionOf(row: Selectable<Schema['bank_items']>): BankConnection {
  return {
    id: row.id,
    status: row.status,
    statusDescription: row.status_description,
    bank: { id: row.bank_id, name: row.bank_name },
    lastSuccessfulRefresh: row.last_successful_refresh,
    authenticationExpiresAt: row.authentication_expires_at,
  };
}

function accountOf(row: Selectable<Schema['bank_accounts']>): SharedAccount {
  return {
    id: row.id,
    itemId: row.item_id,
    name: row.name,
    type: row.type,
    balanceMinor: row.balance_minor,
    currency: row.currency,
    updatedAt: row.updated_at,
    bank: { id: row.bank_id, name: row.bank_name },
  };
}
