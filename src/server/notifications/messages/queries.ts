import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { LocalZone } from '../../../shared/calendar/local-date.ts';
import { addDays } from '../../../shared/calendar/local-date.ts';
import { localDateAt, parisDayOf } from '../../../shared/calendar/wall-clock.ts';
import type { AttentionKind } from '../../../shared/message/attention-kinds.ts';
import { distinctAccounts } from '../../../shared/message/duplicates.ts';
import type { MessageData, PreviousFigures } from '../../../shared/message/figures.ts';
import type { TransactionsChoice } from '../../../shared/message/transactions.ts';
import { currentState } from '../../banking/connections/current-state.ts';
import type { BankingDeps, ReplacedAccount } from '../../banking/deps.ts';
import { records, unnested } from '../../platform/database/records.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { attentionIn } from './attention.ts';
import { type FigureKey, figuresOf, withChoice } from './figures.ts';

/** The stored values that a message's variables are replaced by. */
export type StoredData = Omit<MessageData, 'localZone' | 'now' | 'publicUrl'>;

export interface DataRequest extends FigureKey {
  /** The zone of the message, to read too what its figures are compared with; null for no comparison. */
  comparedIn: LocalZone | null;
  /** The ids of the accounts that an unsaved choice covers; null for the saved choice. */
  chosen: number[] | null;
  /** Of an unsaved draft; undefined for what is saved. */
  attention?: AttentionKind[] | undefined;
  operations?: TransactionsChoice | undefined;
}

/** The data of many messages, in the order asked, in three statements whatever their number. */
export async function readData(
  { bankSources, clock }: Pick<BankingDeps, 'bankSources' | 'clock'>,
  database: Kysely<Schema>,
  asked: DataRequest[],
): Promise<StoredData[]> {
  if (asked.length === 0) return [];
  const figures = await figuresOf(database, oncePerMessenger(asked));
  const compared = asked.filter(({ comparedIn }) => comparedIn !== null);
  const now = clock.now();
  const previous = await readPrevious(database, oncePerMessenger(compared), now);
  return asked.map(({ messengerId, chosen, attention, operations }) => {
    const { connections, accounts, besideText } = figures(messengerId);
    return {
      connections: connections.map((connection) => {
        const { id, consentEndsAt } = connection;
        const source = bankSources.get(connection.source);
        const state = currentState(source, connection, now);
        return { id, state, consentEndsAt, hasPage: source?.connect.kind === 'redirect' };
      }),
      accounts: withChoice(accounts, chosen),
      previous: previous.get(messengerId) ?? null,
      attention: attention ?? attentionIn(besideText.attention),
      transactionsChoice: operations ?? besideText.operations,
      transactions: null,
    };
  });
}

/**
 * The counted balances of a delivered message, which the next one is compared with. An account without
 * one is there too: it is not new once it has one. An account that comes by several sources stands under
 * each of its ids: one of them may be gone by then.
 */
export function balancesOf({
  accounts,
}: Pick<StoredData, 'accounts'>): PreviousFigures['balances'] {
  const balances: PreviousFigures['balances'] = {};
  for (const { account, duplicates } of distinctAccounts(accounts)) {
    const { id, balanceMinor, currency } = account;
    const updatedAt = account.updatedAt?.getTime() ?? null;
    balances[id] = [balanceMinor, currency, null, updatedAt];
    for (const other of duplicates) balances[other.id] = [balanceMinor, currency, id, updatedAt];
  }
  return balances;
}

function oncePerMessenger(asked: DataRequest[]): DataRequest[] {
  return [...new Map(asked.map((one) => [one.messengerId, one])).values()];
}

/** By messenger: the figures of its last delivered message, before the first one those of yesterday. */
async function readPrevious(
  database: Kysely<Schema>,
  asked: DataRequest[],
  now: Date,
): Promise<Map<string, PreviousFigures>> {
  if (asked.length === 0) return new Map();
  const { rows } = await sql<ToldFigures & { id: string }>`
    select given."messengerId" as id, last.due_at as "dueAt", last.figures as balances, (
      select json_object_agg(a.id, a.name) from bank_accounts a where a.user_id = given."userId"
        and a.gone_at is not null and last.figures -> a.id::text is not null) as unlisted
    from ${unnested<FigureKey>(asked, { userId: 'uuid', messengerId: 'uuid' })}
    join lateral (${lastDelivered(sql`given."userId"`, sql`given."messengerId"`)}) last on true`.execute(
    database,
  );
  const last = new Map(rows.map((row) => [row.id, row]));
  const told = new Map<string, PreviousFigures>();
  for (const { messengerId, comparedIn } of asked) {
    const { dueAt, balances, unlisted } = last.get(messengerId) ?? {};
    if (!dueAt || !balances || !comparedIn) continue;
    // Not its local date, which is of the zone that the notification had then.
    const day = localDateAt(dueAt, comparedIn);
    const toldAt = dueAt.getTime();
    told.set(messengerId, { day, toldAt, balances, ...(unlisted && { unlisted }) });
  }
  const untold = asked.filter(({ messengerId }) => !told.has(messengerId));
  return new Map([...told, ...(await readYesterday(database, untold, now))]);
}

interface ToldFigures extends Pick<PreviousFigures, 'balances'> {
  dueAt: Date;
  unlisted: PreviousFigures['unlisted'] | null;
}

/** The message of a notification that its next one is compared with. */
function lastDelivered(userId: RawBuilder<unknown>, messengerId: RawBuilder<unknown>) {
  return sql`
    select d.local_date, d.sequence, d.due_at, d.figures from deliveries d
    where d.user_id = ${userId} and d.messenger_id = ${messengerId}
      and d.kind = 'daily' and d.outcome = 'delivered' and d.figures is not null
    order by d.local_date desc limit 1`;
}

/**
 * The figures that the last message told of accounts which are about to be erased are those of the accounts that
 * stand for them and are covered in their place, so that the next one tells the change. Of an account that it had
 * through several sources, the figure of the one that counted.
 */
export async function compareReplacements(
  transaction: Transaction<Schema>,
  userId: string,
  replaced: ReplacedAccount[],
): Promise<void> {
  const pairs = replaced.map(({ id, by }) => ({ id: String(id), by }));
  await sql`
    update deliveries d set figures = told.figures || d.figures
    from (
      select m.id, last.local_date, last.sequence, jsonb_object_agg(given.by, last.figures -> given.id
        order by last.figures -> given.id ->> 2 is null) as figures
      from messengers m
      join lateral (${lastDelivered(sql`m.user_id`, sql`m.id`)}) last on true
      join ${records(pairs, 'id text, by int')} on last.figures -> given.id is not null
      left join messenger_accounts c on c.user_id = m.user_id and c.messenger_id = m.id
        and c.account_id = given.by
      where m.user_id = ${userId} and (m.account_scope = 'all' or coalesce(c.included, m.includes_new))
      group by m.id, last.local_date, last.sequence
    ) told
    where d.user_id = ${userId} and d.messenger_id = told.id
      and d.local_date = told.local_date and d.sequence = told.sequence`.execute(transaction);
}

/** By messenger: the stored balances of yesterday, where there are any. */
async function readYesterday(
  database: Kysely<Schema>,
  asked: DataRequest[],
  now: Date,
): Promise<Map<string, PreviousFigures>> {
  if (asked.length === 0) return new Map();
  const today = parisDayOf(now);
  const given = asked.map(({ userId, messengerId, comparedIn }) => ({
    userId,
    messengerId,
    day: yesterdayIn(comparedIn, today, now),
  }));
  const { rows } = await sql<PreviousFigures & { id: string }>`
    select given."messengerId" as id, given.day,
      json_object_agg(b.account_id, json_build_array(b.balance_minor, b.currency)) as balances
    from ${unnested(given, { userId: 'uuid', messengerId: 'uuid', day: 'date' })}
    join bank_accounts a on a.user_id = given."userId"
    join bank_balances b on b.user_id = a.user_id and b.account_id = a.id and b.day = given.day
    group by given."messengerId", given.day`.execute(database);
  return new Map(rows.map(({ id, ...figures }) => [id, { ...figures, isBeforeFirst: true }]));
}

/**
 * Balances are stored by days of Paris. In a zone behind it, the day before in Paris may be today there: the
 * day before the earlier of the two days counts.
 */
function yesterdayIn(localZone: LocalZone | null, today: string, now: Date): string {
  const there = localZone ? localDateAt(now, localZone) : today;
  return addDays(there < today ? there : today, -1);
}
