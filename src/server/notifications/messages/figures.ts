import { type Kysely, sql } from 'kysely';
import type { ConnectionState } from '../../../shared/banks/states.ts';
import type { MessageAccount } from '../../../shared/message/figures.ts';
import type { TransactionsChoice } from '../../../shared/message/transactions.ts';
import { records } from '../../platform/database/records.ts';
import type { Schema } from '../../platform/database/schema.ts';

/** What a message can speak of: balances in minor units, each with the moment at which the bank gave it. */
export interface Figures {
  /** Every connection of the user, in the order in which they were linked, as on every page. */
  connections: FigureConnection[];
  /** Every checking account, in the order of `connections`. */
  accounts: MessageAccount[];
  /** What the notification says beside its text, as it is stored: `attention` is a mask of `attentionKinds`. */
  besideText: { attention: number; operations: TransactionsChoice };
}

export interface FigureConnection {
  id: number;
  state: ConnectionState;
  /** The kind of its bank source. */
  source: string;
  name: string;
  consentEndsAt: Date | null;
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
  return (messengerId) =>
    figures.get(messengerId) ?? { connections: [], accounts: [], besideText: nothing };
}

const nothing: Figures['besideText'] = { attention: 0, operations: 'off' };

interface Row {
  id: string;
  attention: number;
  operations: TransactionsChoice;
  includes_new: boolean;
  /** Whether each account was chosen; null when all are covered. */
  accountChoices: Record<number, boolean> | null;
  connections: string | null;
}

/**
 * The connections of each notification with their accounts as one JSON text: V8 reads it in half the
 * time that as many columns take. The accounts of a connection are one array per column, which the
 * database writes in two thirds of the time of one per account. Moments are milliseconds since 1970.
 */
async function read(database: Kysely<Schema>, asked: object[]): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select m.id, m.attention, m.operations, m.account_scope = 'all' or m.includes_new as includes_new,
      case m.account_scope when 'chosen' then (select json_object_agg(c.account_id, c.included)
        from messenger_accounts c where c.user_id = m.user_id and c.messenger_id = m.id
      ) end as "accountChoices",
      (select json_agg(json_build_array(i.id, i.source, i.bank_name, i.state,
          date_part('epoch', i.authentication_expires_at) * 1000,
          (select json_build_array(array_agg(a.id), array_agg(a.bank_id), array_agg(a.bank_name),
              array_agg(a.name), array_agg(a.currency), array_agg(a.balance_minor),
              array_agg(date_part('epoch', a.updated_at) * 1000), array_agg(a.iban_print))
            from (select * from bank_accounts a where a.user_id = i.user_id
              and a.connection_id = i.id and a.type = 'checking' and a.gone_at is null
              order by a.id) a)) order by i.id)
        from bank_connections i where i.user_id = m.user_id and i.gone_at is null)::text as connections
    from ${records(asked, 'user_id uuid, id uuid')}
    join messengers m on m.user_id = given.user_id and m.id = given.id`.execute(database);
  return rows;
}

function figuresIn(row: Row): Figures {
  const connections: ConnectionTuple[] =
    row.connections === null ? [] : JSON.parse(row.connections);
  const covers = (id: number) => row.accountChoices?.[id] ?? row.includes_new;
  return {
    besideText: { attention: row.attention, operations: row.operations },
    connections: connections.map(([id, source, name, state, endsAt]) => ({
      ...{ id, source, name, state },
      consentEndsAt: dateOf(endsAt),
    })),
    accounts: connections.flatMap(([connectionId, , , , , columns]) =>
      accountsIn(connectionId, columns, covers),
    ),
  };
}

function accountsIn(
  connectionId: number,
  [ids, bankIds, bankNames, names, currencies, balances, moments, ibanFingerprints]: AccountColumns,
  covers: (id: number) => boolean,
): Figures['accounts'] {
  if (ids === null) return [];
  // One value for many accounts: most of a connection are of one bank, and were given at one moment.
  let [bank, updatedAt] = [bankOf(bankIds[0], bankNames[0]), dateOf(moments[0])];
  return ids.map((id, at) => {
    const [bankId, bankName, moment] = [bankIds[at], bankNames[at], moments[at]];
    if (bank.id !== bankId || bank.name !== bankName) bank = bankOf(bankId, bankName);
    if (updatedAt?.getTime() !== moment) updatedAt = dateOf(moment);
    return {
      id,
      connectionId,
      name: names[at] ?? '',
      type: 'checking',
      balanceMinor: balances[at] ?? null,
      currency: currencies[at] ?? '',
      covered: covers(id),
      updatedAt,
      ibanFingerprint: ibanFingerprints[at] ?? null,
      bank,
    };
  });
}

function bankOf(id: number | undefined, name = '') {
  return { id, name };
}

function dateOf(moment: number | null = null): Date | null {
  return moment === null ? null : new Date(moment);
}

type ConnectionTuple = [
  id: number,
  source: string,
  bankName: string,
  state: ConnectionState,
  consentEndsAt: number | null,
  accounts: AccountColumns,
];

/** As many values in each; all are null for a connection without accounts. */
type AccountColumns = [
  ids: number[] | null,
  bankIds: number[],
  bankNames: string[],
  names: string[],
  currencies: string[],
  balances: (number | null)[],
  moments: (number | null)[],
  ibanFingerprints: (string | null)[],
];
