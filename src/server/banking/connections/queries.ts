import { type Selectable, sql, type Transaction } from 'kysely';
import type { ConnectionState } from '../../../shared/banks/states.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { Platform } from '../../platform/platform.ts';
import type { BankLink } from '../../providers/banks/port.ts';

type Data = Pick<Platform, 'database'>;

/** A bank connection as its source last described it, under our own number. */
export interface StoredConnection {
  id: number;
  source: string;
  /** The source's own id. */
  sourceId: string;
  state: ConnectionState;
  /** The number that the API gives for the state. */
  status: number;
  description: string | null;
  bank: { id: number; name: string };
  lastSuccessfulRefresh: Date | null;
  authenticationExpiresAt: Date | null;
}

export interface StoredAccount {
  id: number;
  /** Its connection's. */
  itemId: number;
  name: string;
  type: string;
  /** In the currency's minor unit; null when the bank did not give it. */
  balanceMinor: number | null;
  currency: string;
  /** When the bank gave the balance. */
  updatedAt: Date | null;
  bank: { id: number; name: string };
}

/** The owner's connections as they were last read. */
export async function listConnections(
  { database }: Data,
  ownerId: string,
): Promise<StoredConnection[]> {
  const rows = await database.remember(`bank connections:${ownerId}`, () =>
    database.sql
      .selectFrom('bank_connections')
      .selectAll()
      .where('user_id', '=', ownerId)
      .orderBy('id')
      .execute(),
  );
  return rows.map(connectionOf);
}

/** The owner's accounts that their sources listed last, each with the hour of its figure. */
export async function listAccounts({ database }: Data, ownerId: string): Promise<StoredAccount[]> {
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

/**
 * When the reading of what is stored began, of the source read longest ago; null when nothing was ever
 * read for this user, or, with `source`, from there.
 */
export async function findRefreshedAt(
  { database }: Data,
  ownerId: string,
  source?: string,
): Promise<Date | null> {
  const rows = await database.remember(`bank refreshes:${ownerId}`, () =>
    database.sql
      .selectFrom('bank_refreshes')
      .select(['source', 'refreshed_at'])
      .where('user_id', '=', ownerId)
      .where('refreshed_at', 'is not', null)
      .orderBy('refreshed_at')
      .execute(),
  );
  const [oldest] = source ? rows.filter((row) => row.source === source) : rows;
  return oldest?.refreshed_at ?? null;
}

/** Erases a connection with its accounts and their balances, also those that messages have said. */
export async function eraseConnection(
  { database }: Data,
  ownerId: string,
  { id, source }: Pick<StoredConnection, 'id' | 'source'>,
): Promise<void> {
  await database.sql.transaction().execute(async (transaction) => {
    await noteErasure(transaction, ownerId, source);
    await eraseConnections(transaction, ownerId, [id]);
  });
}

/**
 * Erases all that a source ever said about a user it no longer knows, and its link with him, unless
 * he has registered again meanwhile.
 */
export async function eraseForgottenLink(
  { database }: Data,
  { userId, providerUserId }: Pick<BankLink, 'userId' | 'providerUserId'>,
  source: string,
): Promise<void> {
  await database.sql.transaction().execute(async (transaction) => {
    await noteErasure(transaction, userId, source);
    const { numDeletedRows } = await transaction
      .deleteFrom('bank_links')
      .where('user_id', '=', userId)
      .where('source', '=', source)
      .where('provider_user_id', '=', providerUserId)
      .executeTakeFirst();
    if (numDeletedRows === 0n) return;
    const connections = await transaction
      .selectFrom('bank_connections')
      .select('id')
      .where('user_id', '=', userId)
      .where('source', '=', source)
      .execute();
    await eraseConnections(
      transaction,
      userId,
      connections.map(({ id }) => id),
    );
  });
}

/** The same within a transaction, for several. */
export async function eraseConnections(
  transaction: Transaction<Schema>,
  ownerId: string,
  ids: number[],
): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    update deliveries set figures = figures - array(
        select id::text from bank_accounts
        where user_id = ${ownerId} and connection_id in (${sql.join(ids)}))
    where user_id = ${ownerId} and figures is not null`.execute(transaction);
  await transaction
    .deleteFrom('bank_connections')
    .where('user_id', '=', ownerId)
    .where('id', 'in', ids)
    .execute();
}

/** A reading under way must not bring back what is erased here: see storeReading. */
async function noteErasure(
  transaction: Transaction<Schema>,
  ownerId: string,
  source: string,
): Promise<void> {
  await transaction
    .updateTable('bank_refreshes')
    .set(({ eb }) => ({ erasures: eb('erasures', '+', 1) }))
    .where('user_id', '=', ownerId)
    .where('source', '=', source)
    .execute();
}

function connectionOf(row: Selectable<Schema['bank_connections']>): StoredConnection {
  return {
    id: row.id,
    source: row.source,
    sourceId: row.source_id,
    state: row.state,
    status: row.status,
    description: row.status_description,
    bank: { id: row.bank_id, name: row.bank_name },
    lastSuccessfulRefresh: row.last_successful_refresh,
    authenticationExpiresAt: row.authentication_expires_at,
  };
}

function accountOf(row: Selectable<Schema['bank_accounts']>): StoredAccount {
  return {
    id: row.id,
    itemId: row.connection_id,
    name: row.name,
    type: row.type,
    balanceMinor: row.balance_minor,
    currency: row.currency,
    updatedAt: row.updated_at,
    bank: { id: row.bank_id, name: row.bank_name },
  };
}
