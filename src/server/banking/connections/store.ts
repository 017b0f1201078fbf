import { createHash } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import type { ConnectionState } from '../../../shared/banks/states.ts';
import { records } from '../../platform/database/records.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { Platform } from '../../platform/platform.ts';
import type {
  BankAccount,
  BankConnection,
  BankName,
  BankReading,
} from '../../providers/banks/port.ts';
import { balanceRows } from '../history/days.ts';
import { eraseConnections } from './queries.ts';

/** Whose link was read, and what the reading must not overwrite. */
export interface ReadingOf {
  userId: string;
  source: string;
  startedAt: Date;
  /** How many erasures there had been when it began. */
  erasures: number;
  /** The end of its lease: see there. */
  until: string;
}

/**
 * Makes the store say what was read, and ends the lease. False, with nothing written, when
 * something of this link was erased meanwhile: the reading may still hold it. One that took so long
 * that another worker reads too is left to that one, which knows more.
 */
export async function storeReading(
  { database }: Pick<Platform, 'database'>,
  of: ReadingOf,
  { connections: listed, accounts }: BankReading,
): Promise<boolean> {
  return await database.sql.transaction().execute(async (transaction) => {
    const refresh = await transaction
      .selectFrom('bank_refreshes')
      .select(['erasures', sql<string | null>`leased_until::text`.as('until')])
      .where('user_id', '=', of.userId)
      .where('source', '=', of.source)
      .forUpdate()
      .executeTakeFirst();
    if (refresh && refresh.until !== of.until) return true;
    if (refresh?.erasures !== of.erasures) return false;
    const connections = await writeConnections(transaction, of, lastOfEach(listed));
    const numbered = await writeAccounts(transaction, of, lastOfEach(accounts), connections);
    await hideOthers(transaction, of, numbered);
    await writeBalances(transaction, of.userId, balanceRows(numbered, of.startedAt));
    await transaction
      .updateTable('bank_refreshes')
      .set({ refreshed_at: of.startedAt, failure: null, leased_until: null })
      .where('user_id', '=', of.userId)
      .where('source', '=', of.source)
      .execute();
    return true;
  });
}

/** Lists that change while they are read in pages name a row twice. */
function lastOfEach<Row extends { id: string }>(rows: Row[]): Row[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

/**
 * A connection that the source no longer lists is erased, with its accounts and balances. Returns the
 * numbers of the others, by the source's id.
 */
async function writeConnections(
  transaction: Transaction<Schema>,
  { userId, source, startedAt }: ReadingOf,
  connections: BankConnection[],
): Promise<Map<string, number>> {
  const known = await numbersOf(transaction, 'bank_connections', userId, source);
  const listed = new Set(connections.map(({ id }) => id));
  const gone = [...known].filter(([sourceId]) => !listed.has(sourceId));
  await eraseConnections(
    transaction,
    userId,
    gone.map(([, id]) => id),
  );
  // An account may still be listed after its connection: without it there is no place for one.
  for (const [sourceId] of gone) known.delete(sourceId);
  const numbers = await numbered(transaction, 'bank_connection_ids', connections, known);
  const rows = connections.map((connection) => ({
    id: numbers.get(connection.id),
    source_id: connection.id,
    ...bankColumns(connection.bank),
    state: connection.state,
    status: connection.code ?? statusNumbers[connection.state],
    status_description: connection.description === null ? null : storable(connection.description),
    last_successful_refresh: moment(connection.lastSuccessfulRefresh),
    authentication_expires_at: moment(connection.authenticationExpiresAt),
  }));
  await sql`
    insert into bank_connections (user_id, source, id, source_id, bank_id, bank_name, state, status,
      status_description, last_successful_refresh, authentication_expires_at, seen_at)
    select ${userId}::uuid, ${source}, id, source_id, bank_id, bank_name, state, status,
      status_description, last_successful_refresh, authentication_expires_at,
      ${startedAt}::timestamptz
    from ${records(rows, connectionShape)}
    on conflict (user_id, id) do update set bank_id = excluded.bank_id,
      bank_name = excluded.bank_name, state = excluded.state, status = excluded.status,
      status_description = excluded.status_description,
      last_successful_refresh = excluded.last_successful_refresh,
      authentication_expires_at = excluded.authentication_expires_at,
      seen_at = excluded.seen_at`.execute(transaction);
  return numbers;
}

const connectionShape = `id bigint, source_id text, bank_id bigint, bank_name text, state text,
  status bigint, status_description text, last_successful_refresh timestamptz,
  authentication_expires_at timestamptz`;

/** The API's number for a state of a source that has no numbers of its own. */
const statusNumbers: Record<ConnectionState, number> = {
  ok: 0,
  refreshing: -2,
  unreachable: 1003,
  limited: 1007,
  suspended: 1007,
  renew: 1010,
  credentials: 402,
  'action-at-bank': 429,
  'confirm-accounts': 1100,
  unsupported: 1005,
  unknown: 1,
};

/** An account under our own number, as the history and the store need it. */
interface NumberedAccount {
  id: number;
  balance: BankAccount['balance'];
}

async function writeAccounts(
  transaction: Transaction<Schema>,
  { userId, source, startedAt }: ReadingOf,
  accounts: BankAccount[],
  connections: Map<string, number>,
): Promise<NumberedAccount[]> {
  const mine = accounts.filter(({ connectionId }) => connections.has(connectionId));
  const known = await numbersOf(transaction, 'bank_accounts', userId, source);
  const numbers = await numbered(transaction, 'bank_account_ids', mine, known);
  const rows = mine.map((account) => ({
    id: numbers.get(account.id) ?? 0,
    source_id: account.id,
    connection_id: connections.get(account.connectionId),
    ...bankColumns(account.bank),
    name: storable(account.name),
    type: storable(account.type),
    currency: storable(account.balance.currency),
    balance_minor: account.balance.minor,
    balance_kind: account.balance.kind,
    updated_at: moment(account.balance.asOf),
  }));
  await sql`
    insert into bank_accounts (user_id, source, id, source_id, connection_id, bank_id, bank_name,
      name, type, currency, balance_minor, balance_kind, updated_at, first_seen_at)
    select ${userId}::uuid, ${source}, id, source_id, connection_id, bank_id, bank_name,
      name, type, currency, balance_minor, balance_kind, updated_at, ${startedAt}::timestamptz
    from ${records(rows, accountShape)}
    on conflict (user_id, id) do update set connection_id = excluded.connection_id,
      bank_id = excluded.bank_id, bank_name = excluded.bank_name, name = excluded.name,
      type = excluded.type, currency = excluded.currency, balance_minor = excluded.balance_minor,
      balance_kind = excluded.balance_kind, updated_at = excluded.updated_at,
      gone_at = null`.execute(transaction);
  return mine.map(({ balance }, index) => ({ id: rows[index]?.id ?? 0, balance }));
}

const accountShape = `id bigint, source_id text, connection_id bigint, bank_id bigint,
  bank_name text, name text, type text, currency text, balance_minor bigint, balance_kind text,
  updated_at timestamptz`;

/** Our numbers of what this source has told of a user before, by its own ids. */
async function numbersOf(
  transaction: Transaction<Schema>,
  table: 'bank_connections' | 'bank_accounts',
  userId: string,
  source: string,
): Promise<Map<string, number>> {
  const rows = await transaction
    .selectFrom(table)
    .select(['id', 'source_id'])
    .where('user_id', '=', userId)
    .where('source', '=', source)
    .execute();
  return new Map(rows.map((row) => [row.source_id, row.id]));
}

/** The known numbers, and new ones for new rows, in the order of the rows. */
async function numbered(
  transaction: Transaction<Schema>,
  sequence: 'bank_connection_ids' | 'bank_account_ids',
  rows: { id: string }[],
  known: Map<string, number>,
): Promise<Map<string, number>> {
  const added = rows.filter(({ id }) => !known.has(id));
  if (added.length === 0) return known;
  const { rows: drawn } = await sql<{ id: number }>`
    select nextval(${sequence}::regclass) as id from generate_series(1, ${added.length}::int)`.execute(
    transaction,
  );
  return new Map([...known, ...added.map(({ id }, index) => [id, drawn[index]?.id ?? 0] as const)]);
}

function bankColumns(bank: BankName): { bank_id: number; bank_name: string } {
  return { bank_id: bankNumberOf(bank), bank_name: storable(bank.name) };
}

/** Banks have numbers in the API: the source's own, or 48 bits of its text. */
function bankNumberOf({ id, name }: BankName): number {
  if (id !== null && /^\d{1,15}$/.test(id)) return Number(id);
  return createHash('sha256')
    .update(id ?? name)
    .digest()
    .readUIntBE(0, 6);
}

/**
 * Hides what a connection in order no longer lists. One that is being read or repaired lists
 * nothing for a while: its accounts stay, with the age of their figures.
 */
async function hideOthers(
  transaction: Transaction<Schema>,
  { userId, source, startedAt }: ReadingOf,
  accounts: NumberedAccount[],
): Promise<void> {
  const listed = accounts.map(({ id }) => ({ id }));
  await sql`
    update bank_accounts a set gone_at = ${startedAt}
    from bank_connections c
    where a.user_id = ${userId} and a.source = ${source} and a.gone_at is null
      and a.id not in (select id from ${records(listed, 'id bigint')})
      and c.user_id = a.user_id and c.id = a.connection_id
      and c.state in ('ok', 'confirm-accounts')`.execute(transaction);
}

async function writeBalances(
  transaction: Transaction<Schema>,
  userId: string,
  rows: object[],
): Promise<void> {
  await sql`
    insert into bank_balances (user_id, account_id, day, balance_minor, currency, as_of)
    select ${userId}::uuid, account_id, day, balance_minor, currency, as_of
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
