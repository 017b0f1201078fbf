import { type Kysely, sql } from 'kysely';
import type { ConnectionState } from '../../../shared/banks/states.ts';
import type { MessageAccount, MessageItem } from '../../../shared/message/figures.ts';
import { records } from '../../platform/database/records.ts';
import type { Schema } from '../../platform/database/schema.ts';

/** What a message can speak of: balances in minor units, each with the hour the bank gave it. */
export interface Figures {
  /** Every connection of the user, by bank name. */
  items: MessageItem[];
  /** Every checking account, in the order of `items`. */
  accounts: MessageAccount[];
}

export interface FigureKey {
  userId: string;
  messengerId: string;
}

/**
 * The stored figures of many notifications at once, in one read whatever their number. Gives for
 * every id a `Figures`, empty for a user who has no bank.
 */
export async function figuresOf(
  database: Kysely<Schema>,
  keys: FigureKey[],
): Promise<(messengerId: string) => Figures> {
  const asked = keys.map(({ userId, messengerId }) => ({ user_id: userId, id: messengerId }));
  const figures = new Map((await read(database, asked)).map((row) => [row.id, figuresIn(row)]));
  return (messengerId) => figures.get(messengerId) ?? { items: [], accounts: [] };
}

interface Row {
  id: string;
  includes_new: boolean;
  /** Whether each account was chosen; null when all are covered. */
  choices: Record<number, boolean> | null;
  items: string | null;
}

/**
 * The connections of each notification with their accounts as one JSON text: the engine builds it
 * and V8 reads it in half the time that as many columns take. Moments are milliseconds since 1970.
 */
async function read(database: Kysely<Schema>, asked: object[]): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select m.id, m.account_scope = 'all' or m.includes_new as includes_new,
      case m.account_scope when 'chosen' then (select json_object_agg(c.account_id, c.included)
        from messenger_accounts c where c.user_id = m.user_id and c.messenger_id = m.id
      ) end as choices,
      (select json_agg(json_build_array(i.id, i.bank_id, i.bank_name, i.state,
          (select json_agg(json_build_array(a.id, a.bank_id, a.bank_name, a.name, a.type,
              a.currency, a.balance_minor, date_part('epoch', a.updated_at) * 1000) order by a.id)
            from bank_accounts a where a.user_id = i.user_id and a.connection_id = i.id
              and a.type = 'checking' and a.gone_at is null)) order by i.bank_name, i.id)
        from bank_connections i where i.user_id = m.user_id and i.gone_at is null)::text as items
    from ${records(asked, 'user_id uuid, id uuid')}
    join messengers m on m.user_id = given.user_id and m.id = given.id`.execute(database);
  return rows;
}

function figuresIn(row: Row): Figures {
  const tuples: ItemTuple[] = row.items === null ? [] : JSON.parse(row.items);
  const covers = (id: number) => row.choices?.[id] ?? row.includes_new;
  return {
    items: tuples.map(([id, bankId, name, state]) => ({ id, state, bank: { id: bankId, name } })),
    accounts: tuples.flatMap(([itemId, , , , accounts]) =>
      (accounts ?? []).map(([id, bankId, bankName, name, type, currency, balanceMinor, at]) => ({
        ...{ id, itemId, name, type, balanceMinor, currency, covered: covers(id) },
        updatedAt: at === null ? null : new Date(at),
        bank: { id: bankId, name: bankName },
      })),
    ),
  };
}

type ItemTuple = [
  id: number,
  bankId: number,
  bankName: string,
  state: ConnectionState,
  accounts: AccountTuple[] | null,
];

type AccountTuple = [
  id: number,
  bankId: number,
  bankName: string,
  name: string,
  type: string,
  currency: string,
  balanceMinor: number | null,
  updatedAt: number | null,
];
