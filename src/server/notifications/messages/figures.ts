import { type Kysely, sql } from 'kysely';
import type { ConnectionState } from '../../../shared/banks/states.ts';
import type { MessageAccount } from '../../../shared/message/figures.ts';
import type { TransactionsChoice } from '../../../shared/message/transactions.ts';
import { unnested } from '../../platform/database/records.ts';
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

interface FigureConnection {
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
  const figures = new Map((await read(database, keys)).map((row) => [row.id, figuresIn(row)]));
  return (messengerId) =>
    figures.get(messengerId) ?? { connections: [], accounts: [], besideText: nothing };
}

/** The accounts with what an unsaved choice covers, in place of the saved choice; null keeps that one. */
export function withChoice(accounts: MessageAccount[], chosen: number[] | null): MessageAccount[] {
  if (chosen === null) return accounts;
  const ids = new Set(chosen);
  return accounts.map((account) => ({ ...account, covered: ids.has(account.id) }));
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
  accounts: string;
}

/**
 * Connections and accounts as JSON texts: V8 reads them in half the time that as many columns take.
 * Accounts are one list per column, which the database writes in two thirds of the time of one per
 * account, and all of a person's at once: one connection after the other, they take a third more. Moments
 * are milliseconds since 1970.
 */
async function read(database: Kysely<Schema>, keys: FigureKey[]): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select m.id, m.attention, m.operations, m.account_scope = 'all' or m.includes_new as includes_new,
      case m.account_scope when 'chosen' then (select json_object_agg(c.account_id, c.included)
        from messenger_accounts c where c.user_id = m.user_id and c.messenger_id = m.id
      ) end as "accountChoices",
      (select json_agg(json_build_array(i.id, i.source, i.bank_name, i.state,
          date_part('epoch', i.authentication_expires_at) * 1000) order by i.id)
        from bank_connections i where i.user_id = m.user_id and i.gone_at is null)::text as connections,
      (select json_build_array(json_agg(a.id), json_agg(a.connection_id), json_agg(a.bank_name),
          json_agg(a.name), json_agg(a.currency), json_agg(a.balance_minor),
          json_agg(date_part('epoch', a.updated_at) * 1000), json_agg(a.iban_print))
        from bank_accounts a where a.user_id = m.user_id and a.type = 'checking'
          and a.gone_at is null)::text as accounts
    from ${unnested<FigureKey>(keys, { userId: 'uuid', messengerId: 'uuid' })}
    join messengers m on m.user_id = given."userId" and m.id = given."messengerId"`.execute(
    database,
  );
  return rows;
}

function figuresIn(row: Row): Figures {
  const connections: ConnectionTuple[] =
    row.connections === null ? [] : JSON.parse(row.connections);
  const covers = (id: number) => row.accountChoices?.[id] ?? row.includes_new;
  const accounts = accountsIn(JSON.parse(row.accounts), covers);
  const ofConnection = Map.groupBy(accounts, ({ connectionId }) => connectionId);
  return {
    besideText: { attention: row.attention, operations: row.operations },
    connections: connections.map(([id, source, name, state, endsAt]) => ({
      ...{ id, source, name, state },
      consentEndsAt: dateOf(endsAt),
    })),
    accounts: connections.flatMap(([connectionId]) =>
      (ofConnection.get(connectionId) ?? []).sort((one, other) => one.id - other.id),
    ),
  };
}

function accountsIn(
  [ids, connections, bankNames, names, currencies, balances, moments, ibans]: AccountColumns,
  covers: (id: number) => boolean,
): MessageAccount[] {
  if (ids === null) return [];
  // One value for many accounts: most are of one bank, and were given at one moment.
  let [bank, updatedAt] = [{ name: '' }, dateOf(moments[0])];
  return ids.map((id, at) => {
    const [bankName = '', moment] = [bankNames[at], moments[at]];
    if (bank.name !== bankName) bank = { name: bankName };
    if (updatedAt?.getTime() !== moment) updatedAt = dateOf(moment);
    return {
      id,
      connectionId: connections[at] ?? 0,
      name: names[at] ?? '',
      balanceMinor: balances[at] ?? null,
      currency: currencies[at] ?? '',
      covered: covers(id),
      updatedAt,
      ibanFingerprint: ibans[at] ?? null,
      bank,
    };
  });
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
];

/** As many values in each; all are null for a person without accounts. */
type AccountColumns = [
  ids: number[] | null,
  connectionIds: number[],
  bankNames: string[],
  names: string[],
  currencies: string[],
  balances: (number | null)[],
  moments: (number | null)[],
  ibanFingerprints: (string | null)[],
];
