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

/**
 * The stored figures of many notifications at once, in one read whatever their number. Gives for
 * every id a `Figures`, empty for whoever has no bank.
 */
export async function figuresOf(
  database: Kysely<Schema>,
  keys: FigureKey[],
): Promise<(messengerId: string) => Figures> {
  const asked = keys.map(({ userId, messengerId }) => ({ user_id: userId, id: messengerId }));
  const rows = await read(database, asked);
  const figures = new Map(
    rows.map(({ id, items, accounts }) => [
      id,
      {
        items: tuplesOf<ItemTuple>(items).map(itemOf),
        accounts: tuplesOf<AccountTuple>(accounts).map(accountOf),
      },
    ]),
  );
  return (messengerId) => figures.get(messengerId) ?? { items: [], accounts: [] };
}

/**
 * The rows of each notification as one JSON text: the engine builds it and V8 reads it in half the
 * time that as many columns take. Moments are milliseconds since 1970.
 */
async function read(
  database: Kysely<Schema>,
  asked: object[],
): Promise<{ id: string; items: string | null; accounts: string | null }[]> {
  const { rows } = await sql<{ id: string; items: string | null; accounts: string | null }>`
    select m.id,
      (select json_agg(json_build_array(i.id, i.bank_id, i.bank_name, i.status,
          i.status_description, extract(epoch from i.last_successful_refresh) * 1000,
          extract(epoch from i.authentication_expires_at) * 1000) order by i.bank_name, i.id)
        from bank_items i where i.user_id = m.user_id)::text as items,
      (select json_agg(json_build_array(a.id, a.bank_id, a.bank_name, a.item_id, a.name, a.type,
          a.currency, a.balance_minor, extract(epoch from a.updated_at) * 1000,
          m.account_scope = 'all' or coalesce(c.included, m.includes_new))
          order by i.bank_name, i.id, a.id)
        from bank_accounts a
        join bank_items i on i.user_id = a.user_id and i.id = a.item_id
        left join messenger_accounts c
          on c.user_id = m.user_id and c.messenger_id = m.id and c.account_id = a.id
        where a.user_id = m.user_id and a.type = 'checking' and a.gone_at is null
      )::text as accounts
    from ${records(asked, 'user_id uuid, id uuid')}
    join messengers m on m.user_id = given.user_id and m.id = given.id`.execute(database);
  return rows;
}

function tuplesOf<Tuple>(json: string | null): Tuple[] {
  return json === null ? [] : JSON.parse(json);
}

type ItemTuple = [
  id: number,
  bankId: number,
  bankName: string,
  status: number,
  statusDescription: string | null,
  lastSuccessfulRefresh: number | null,
  authenticationExpiresAt: number | null,
];

function itemOf(tuple: ItemTuple): BankConnection {
  const [id, bankId, bankName, status, statusDescription, refreshedAt, expiresAt] = tuple;
  return {
    id,
    status,
    statusDescription,
    bank: { id: bankId, name: bankName },
    lastSuccessfulRefresh: momentOf(refreshedAt),
    authenticationExpiresAt: momentOf(expiresAt),
  };
}

type AccountTuple = [
  id: number,
  bankId: number,
  bankName: string,
  itemId: number,
  name: string,
  type: string,
  currency: string,
  balanceMinor: number | null,
  updatedAt: number | null,
  covered: boolean,
];

function accountOf(tuple: AccountTuple): CoveredAccount {
  const [id, bankId, bankName, itemId, name, type, currency, balanceMinor, updatedAt, covered] =
    tuple;
  return {
    ...{ id, itemId, name, type, balanceMinor, currency, covered },
    updatedAt: momentOf(updatedAt),
    bank: { id: bankId, name: bankName },
  };
}

function momentOf(milliseconds: number | null): Date | null {
  return milliseconds === null ? null : new Date(milliseconds);
}
