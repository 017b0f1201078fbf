import { createHash } from 'node:crypto';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { ConnectionState } from '../../../shared/banks/states.ts';
import { records } from '../../platform/database/records.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type {
  BankAccount,
  BankConnection,
  BankName,
  BankReading,
} from '../../providers/banks/port.ts';
import type { BankingDeps } from '../deps.ts';
import { knownMoment, lastMomentOf } from '../history/days.ts';
import type { LinkKey } from '../source-links/queries.ts';
import { ibanFingerprint, numberFingerprint } from './fingerprints.ts';
import type { StoredAccount } from './queries.ts';

/** Whose rows are written, and when what they say was read or given. */
export interface WriteScope extends LinkKey {
  startedAt: Date;
}

/** Returns our numbers of the connections, by the source's id. */
export async function writeConnections(
  transaction: Transaction<Schema>,
  { userId, source, startedAt }: WriteScope,
  connections: BankConnection[],
): Promise<Map<string, number>> {
  const rows = connections.map((connection, position) => ({
    position,
    source_id: connection.id,
    ...bankColumns(connection.bank),
    state: connection.state,
    status: connection.code ?? statusNumbers[connection.state],
    status_description: connection.description === null ? null : storable(connection.description),
    last_successful_refresh: knownMoment(connection.lastSuccessfulRefresh),
    authentication_expires_at: knownMoment(connection.authenticationExpiresAt),
  }));
  const { rows: written } = await sql<Numbered>`
    insert into bank_connections (user_id, source, id, source_id, bank_id, bank_name, state, status,
      status_description, last_successful_refresh, authentication_expires_at, seen_at)
    select ${userId}::uuid, ${source}, coalesce(id, nextval('bank_connection_ids')), source_id,
      bank_id, coalesce(bank_name, known_bank_name, unnamed_bank), state, status,
      status_description, last_successful_refresh, authentication_expires_at,
      ${startedAt}::timestamptz
    from (${numbered('bank_connections', userId, source, records(rows, connectionShape))}) n
    on conflict (user_id, source, source_id) do update set bank_id = excluded.bank_id,
      bank_name = excluded.bank_name, state = excluded.state, status = excluded.status,
      status_description = excluded.status_description,
      last_successful_refresh = coalesce(excluded.last_successful_refresh,
        bank_connections.last_successful_refresh),
      authentication_expires_at = excluded.authentication_expires_at,
      seen_at = excluded.seen_at
    returning source_id, id`.execute(transaction);
  return new Map(written.map((row) => [row.source_id, row.id]));
}

/** Of connections of which nothing else is known: all but their state stays as it is stored. */
export async function writeStates(
  transaction: Transaction<Schema>,
  { userId, source }: WriteScope,
  unread: NonNullable<BankReading['unread']>,
): Promise<void> {
  for (const { id, state } of unread) {
    await transaction
      .updateTable('bank_connections')
      .set({ state, status: statusNumbers[state], status_description: null })
      .where('user_id', '=', userId)
      .where('source', '=', source)
      .where('source_id', '=', id)
      .execute();
  }
}

const connectionShape = `position int, source_id text, bank_id bigint, bank_name text,
  unnamed_bank text, state text, status bigint, status_description text,
  last_successful_refresh timestamptz, authentication_expires_at timestamptz`;

type Numbered = Pick<StoredAccount, 'source_id' | 'id'>;

/**
 * Selects the given rows, each with our number of it and the name of its bank where this source has told
 * of it before. In the order of `position`, so that the numbers of new rows follow it.
 */
function numbered(
  table: 'bank_connections' | 'bank_accounts',
  userId: string,
  source: string,
  given: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`select given.*, known.id, known.bank_name as known_bank_name from ${given}
    left join ${sql.table(table)} known on known.user_id = ${userId} and known.source = ${source}
      and known.source_id = given.source_id
    order by given.position`;
}

/** The API's number for a state, where the source has no number of its own for it. */
export const statusNumbers: Record<ConnectionState, number> = {
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

export interface GivenAccount extends BankAccount {
  /** What of the number the account is found by again, where that is not all of it. */
  knownBy?: string | null;
}

export async function writeAccounts(
  transaction: Transaction<Schema>,
  { userId, source, startedAt }: WriteScope,
  accounts: GivenAccount[],
  connections: Map<string, number>,
): Promise<Map<string, WrittenAccount>> {
  const rows = accounts.map((account, position) => ({
    position,
    source_id: account.id,
    connection_id: connections.get(account.connectionId),
    ...bankColumns(account.bank),
    name: storable(account.name),
    type: storable(account.type),
    currency: storable(account.balance.currency),
    balance_minor: account.balance.minor,
    balance_kind: account.balance.kind,
    updated_at: notAfter(startedAt, lastMomentOf(account.balance)),
    unrenewed: account.balance.isUnrenewed ?? false,
    fingerprint: numberFingerprint(userId, account.knownBy ?? account.number),
    iban_fingerprint: ibanFingerprint(userId, account.number),
  }));
  const { rows: written } = await sql<WrittenAccount>`
    with given as (
      select n.*, ${isKept} as is_kept, known.id is not null and known.gone_at is null as was_shown,
        known.name as known_name, known.currency as kept_currency,
        known.balance_minor as kept_balance_minor, known.balance_kind as kept_balance_kind,
        known.updated_at as kept_updated_at, c.bank_name as connection_bank_name
      from (${numbered('bank_accounts', userId, source, records(rows, accountShape))}) n
      left join bank_accounts known on known.user_id = ${userId} and known.id = n.id
      left join bank_connections c on c.user_id = ${userId} and c.id = n.connection_id
        and c.bank_id = n.bank_id
      order by n.position
    ), written as (
      insert into bank_accounts (user_id, source, id, source_id, connection_id, bank_id, bank_name,
        name, type, currency, balance_minor, balance_kind, updated_at, print, iban_print,
        first_seen_at)
      select ${userId}::uuid, ${source}, coalesce(id, nextval('bank_account_ids')), source_id,
        connection_id, bank_id,
        coalesce(bank_name, known_bank_name, connection_bank_name, unnamed_bank), name, type,
        ${kept('currency')}, ${kept('balance_minor')}, ${kept('balance_kind')},
        ${kept('updated_at')}, fingerprint, iban_fingerprint, ${startedAt}::timestamptz
      from given
      on conflict (user_id, source, source_id) do update set connection_id = excluded.connection_id,
        bank_id = excluded.bank_id, bank_name = excluded.bank_name, name = excluded.name,
        type = excluded.type, currency = excluded.currency, balance_minor = excluded.balance_minor,
        balance_kind = excluded.balance_kind, updated_at = excluded.updated_at,
        print = coalesce(excluded.print, bank_accounts.print),
        iban_print = coalesce(excluded.iban_print, bank_accounts.iban_print), gone_at = null,
        gone_confirmed = false
      returning source_id, id, name, bank_name
    )
    select source_id, written.id, is_kept, was_shown, known_name, known_bank_name,
      not was_shown or (written.name, written.bank_name) <> (known_name, known_bank_name) as is_renamed
    from written join given using (source_id)`.execute(transaction);
  return new Map(written.map((row) => [row.source_id, row]));
}

/**
 * `is_kept`: the stored balance stayed, with its date, in the place of the one that was read. `is_renamed`: the
 * account or its bank is called otherwise than before, or it was not shown.
 */
export interface WrittenAccount extends Numbered {
  is_kept: boolean;
  was_shown: boolean;
  is_renamed: boolean;
  known_name: string;
  known_bank_name: string;
}

/** Tells the listener of renamed accounts. To be called once accounts that went are hidden. */
export async function tellRenamed(
  { figureListener }: Pick<BankingDeps, 'figureListener'>,
  transaction: Transaction<Schema>,
  userId: string,
  written: ReadonlyMap<string, WrittenAccount>,
): Promise<void> {
  const renamed = [...written.values()].filter((row) => row.is_renamed);
  if (renamed.length === 0) return;
  const accounts = renamed.map(({ id, was_shown, known_name: name, known_bank_name: bank }) => ({
    id,
    before: was_shown ? { name, bank } : null,
  }));
  await figureListener.renamed(transaction, userId, accounts);
}

/**
 * A balance that could not be renewed at the last try may be the stored one under another date, or one
 * that an earlier try brought since: it is new where its amount is another and its date a later one.
 */
const isKept = sql<boolean>`n.unrenewed and known.balance_minor is not null
  and (n.balance_minor is null or n.updated_at is null or n.updated_at <= known.updated_at
    or (n.balance_minor, n.currency) = (known.balance_minor, known.currency)) is true`;

function kept(name: string): RawBuilder<unknown> {
  return sql`case when is_kept then ${sql.ref(`kept_${name}`)} else ${sql.ref(name)} end`;
}

const accountShape = `position int, source_id text, connection_id bigint, bank_id bigint,
  bank_name text, unnamed_bank text, name text, type text, currency text, balance_minor bigint,
  balance_kind text, updated_at timestamptz, unrenewed boolean,
  fingerprint text, iban_fingerprint text`;

function bankColumns(bank: BankName) {
  return {
    bank_id: bankNumberOf(bank),
    bank_name: bank.name === null ? null : storable(bank.name),
    unnamed_bank: bank.name === null ? bank.unnamed : null,
  };
}

/** Banks have numbers in the API: the source's own, or 48 bits of its text. */
function bankNumberOf(bank: BankName): number {
  const text = bank.id ?? (bank.name === null ? bank.unnamed : bank.name);
  if (bank.id !== null && /^\d{1,15}$/.test(bank.id)) return Number(bank.id);
  return createHash('sha256').update(text).digest().readUIntBE(0, 6);
}

export async function writeBalances(
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

/** PostgreSQL stores neither U+0000 nor half a surrogate pair. Names are cut at 500 characters. */
export function storable(text: string): string {
  return text.replaceAll('\u0000', '').slice(0, 500).toWellFormed();
}

/** A figure that a bank dates in the future is as of its reading: it would never be old otherwise. */
function notAfter(readAt: Date, asOf: Date | null): Date | null {
  return asOf && asOf > readAt ? readAt : asOf;
}
