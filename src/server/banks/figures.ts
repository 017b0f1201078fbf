import { type Kysely, sql } from 'kysely';
import { records } from '../database/records.ts';
import type { Schema } from '../database/schema.ts';
import type { BankConnection, SharedAccount } from '../providers/bank.ts';

/** A checking account, and whether the notification is about it: any other can be named alone. */
export type CoveredAccount = SharedAccount & { covered: boolean };

/** What a message can speak of: balances in minor units, each with the hour the bank gave it. */
export interface Figures {
  /** Every connection of the user, by bank name. */
  items: BankConnection[];
  /** Every checking account, in the order of `items`. */
  accounts: CoveredAccount[];
}

export interface FigureKey {
  userId: string;
  messengerId: string;
}

const nothing: Figures = { items: [], accounts: [] };

/**
 * The stored figures of many notifications at once, in two reads whatever their number. Gives for
 * every id a `Figures`, empty for whoever has no bank.
 */
export async function figuresOf(
  database: Kysely<Schema>,
  keys: FigureKey[],
): Promise<(messengerId: string) => Figures> {
  const [items, accounts] = [await readItems(database, keys), await readAccounts(database, keys)];
  const itemsByUser = Map.groupBy(items, ({ user_id }) => user_id);
  const figures = new Map(
    keys.map(({ userId, messengerId }) => [
      messengerId,
      {
        items: (itemsByUser.get(userId) ?? []).map(connectionOf),
        accounts: accounts.get(messengerId) ?? [],
      },
    ]),
  );
  return (messengerId) => figures.get(messengerId) ?? nothing;
}

interface ItemRow {
  user_id: string;
  id: number;
  bank_id: number;
  bank_name: string;
  status: number;
  status_description: string | null;
  last_successful_refresh: Date | null;
  authentication_expires_at: Date | null;
}

async function readItems(database: Kysely<Schema>, keys: FigureKey[]): Promise<ItemRow[]> {
  const users = [...new Set(keys.map(({ userId }) => userId))].map((user_id) => ({ user_id }));
  const { rows } = await sql<ItemRow>`
    select i.user_id, i.id, i.bank_id, i.bank_name, i.status, i.status_description,
      i.last_successful_refresh, i.authentication_expires_at
    from ${records(users, 'user_id uuid')}
    join bank_items i on i.user_id = given.user_id
    order by i.bank_name, i.id`.execute(database);
  return rows;
}

interface AccountRow {
  id: number;
  item_id: number;
  bank_id: number;
  bank_name: string;
  name: string;
  type: string;
  currency: string;
  balance_minor: number | null;
  updated_at: Date | null;
}

/** As the statement below builds it: a row of its own for each account costs five times as much. */
type PackedAccount = [
  ...account: [id: number, itemId: number, bankId: number, bankName: string, name: string],
  ...balance: [
    currency: string,
    minor: number | null,
    updatedAtMs: number | null,
    covered: boolean,
  ],
];

async function readAccounts(
  database: Kysely<Schema>,
  keys: FigureKey[],
): Promise<Map<string, CoveredAccount[]>> {
  const asked = keys.map(({ userId, messengerId }) => ({ user_id: userId, id: messengerId }));
  const { rows } = await sql<{ messenger_id: string; accounts: PackedAccount[] }>`
    select m.id as messenger_id, json_agg(json_build_array(a.id, a.item_id, a.bank_id, a.bank_name,
      a.name, a.currency, a.balance_minor, (extract(epoch from a.updated_at) * 1000)::float8,
      m.account_scope = 'all' or coalesce(c.included, m.includes_new))
      order by i.bank_name, i.id, a.id) as accounts
    from ${records(asked, 'user_id uuid, id uuid')}
    join messengers m on m.user_id = given.user_id and m.id = given.id
    join bank_accounts a on a.user_id = m.user_id and a.type = 'checking' and a.gone_at is null
    join bank_items i on i.user_id = a.user_id and i.id = a.item_id
    left join messenger_accounts c
      on c.user_id = m.user_id and c.messenger_id = m.id and c.account_id = a.id
    group by m.user_id, m.id`.execute(database);
  return new Map(rows.map((row) => [row.messenger_id, row.accounts.map(unpacked)]));
}

function unpacked(packed: PackedAccount): CoveredAccount {
  const [id, itemId, bankId, bankName, name, currency, balanceMinor, updatedAtMs, covered] = packed;
  return {
    ...{ id, itemId, name, type: 'checking', balanceMinor, currency, covered },
    updatedAt: updatedAtMs === null ? null : new Date(updatedAtMs),
    bank: { id: bankId, name: bankName },
  };
}

export function connectionOf(row: Omit<ItemRow, 'user_id'>): BankConnection {
  return {
    id: row.id,
    status: row.status,
    statusDescription: row.status_description,
    bank: { id: row.bank_id, name: row.bank_name },
    lastSuccessfulRefresh: row.last_successful_refresh,
    authenticationExpiresAt: row.authentication_expires_at,
  };
}

export function accountOf(row: AccountRow): SharedAccount {
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
