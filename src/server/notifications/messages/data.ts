import { type Kysely, sql } from 'kysely';
import type {
  MessageAccount,
  MessageItem,
  PreviousFigures,
} from '../../../shared/message/figures.ts';
import { parseMessage } from '../../../shared/message/parse.ts';
import { type FigureKey, figuresOf } from '../../banking/figures.ts';
import { records } from '../../platform/database/records.ts';
import type { Schema } from '../../platform/database/schema.ts';

/** What a message is filled in with, as it is stored at one moment. */
export interface StoredData {
  accounts: MessageAccount[];
  items: MessageItem[];
  previous: PreviousFigures | null;
}

export interface AskedData extends FigureKey {
  text: string;
  /** The accounts of an unsaved choice; null for the saved one. */
  chosen: number[] | null;
}

/** The stored figures for many messages, in the order asked, in three reads whatever their number. */
export async function readData(
  database: Kysely<Schema>,
  asked: AskedData[],
): Promise<StoredData[]> {
  if (asked.length === 0) return [];
  const figures = await figuresOf(database, oncePerMessenger(asked));
  const previous = await readPrevious(database, oncePerMessenger(asked.filter(comparesText)));
  return asked.map(({ messengerId, chosen }) => {
    const { items, accounts } = figures(messengerId);
    return {
      items,
      accounts: chosen ? coveringOnly(accounts, chosen) : accounts,
      previous: previous.get(messengerId) ?? null,
    };
  });
}

/** What is kept of a delivered message, for the next one to name the change. */
export function balancesOf({ accounts }: StoredData): PreviousFigures['balances'] {
  return Object.fromEntries(
    accounts.flatMap(({ id, covered, balanceMinor, currency }) =>
      covered && balanceMinor !== null ? [[id, [balanceMinor, currency]]] : [],
    ),
  );
}

function oncePerMessenger(asked: AskedData[]): AskedData[] {
  return [...new Map(asked.map((one) => [one.messengerId, one])).values()];
}

function comparesText({ text }: AskedData): boolean {
  return parseMessage(text).some((part) => part.kind === 'variable' && part.name === 'variation');
}

function coveringOnly(accounts: MessageAccount[], chosen: number[]): MessageAccount[] {
  const covered = new Set(chosen);
  return accounts.map((account) => ({ ...account, covered: covered.has(account.id) }));
}

async function readPrevious(
  database: Kysely<Schema>,
  asked: FigureKey[],
): Promise<Map<string, PreviousFigures>> {
  if (asked.length === 0) return new Map();
  const given = asked.map(({ userId, messengerId }) => ({ user_id: userId, id: messengerId }));
  const { rows } = await sql<{ messenger_id: string } & PreviousFigures>`
    select given.id as messenger_id, last.local_date as day, last.figures as balances
    from ${records(given, 'user_id uuid, id uuid')}
    join lateral (
      select d.local_date, d.figures from deliveries d
      where d.user_id = given.user_id and d.messenger_id = given.id and d.kind = 'daily'
        and d.outcome = 'delivered' and d.figures is not null
      order by d.due_at desc, d.id desc limit 1
    ) last on true`.execute(database);
  return new Map(rows.map(({ messenger_id: id, day, balances }) => [id, { day, balances }]));
}
