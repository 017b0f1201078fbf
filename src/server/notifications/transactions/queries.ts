import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { MessageTransactions } from '../../../shared/message/transactions.ts';
import { records } from '../../platform/database/records.ts';
import type {
  StoredFingerprint,
  StoredKnownAccounts,
  StoredReadAccount,
} from '../../platform/database/schema/notifications.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { Platform } from '../../platform/platform.ts';
import { arrivedOutcomes } from '../outcomes.ts';
import { type KnownAccounts, knownAccountsIn } from './known-accounts.ts';
import { openSealed, pendingBankTransactions } from './sealing.ts';

/** A notification whose choice is to tell bank transactions; its text may have no variable for them. */
export async function findMessengerWithTransactions(
  database: Kysely<Schema>,
  userId: string,
  messengerId: string,
): Promise<Selectable<Schema['messengers']> | undefined> {
  return await database
    .selectFrom('messengers')
    .selectAll()
    .where('user_id', '=', userId)
    .where('id', '=', messengerId)
    .where('variables', '=', true)
    .where('operations', '<>', 'off')
    .executeTakeFirst();
}

/** What a notification has told of bank transactions by now. */
export interface KnownTransactions {
  accounts: KnownAccounts;
  /** For which sending they were read last, or were to be; null when they never were. */
  dueAt: Date | null;
  /** The last day (YYYY-MM-DD) on which a message of it arrived; null when none did. */
  lastDay: string | null;
}

export async function findKnown(
  database: Kysely<Schema>,
  userId: string,
  messengerId: string,
): Promise<KnownTransactions> {
  const { rows } = await sql<{
    accounts: StoredKnownAccounts | null;
    due_at: Date | null;
    last_day: string | null;
  }>`
    select o.accounts, o.due_at, (select max(local_date) from deliveries where user_id = ${userId}
        and messenger_id = ${messengerId} and kind = 'daily'
        and outcome in (${sql.join(arrivedOutcomes)})) as last_day
    from (select) as one left join message_operations o
      on o.user_id = ${userId} and o.messenger_id = ${messengerId}`.execute(database);
  const [row] = rows;
  return {
    accounts: knownAccountsIn(row?.accounts ?? []),
    dueAt: row?.due_at ?? null,
    lastDay: row?.last_day ?? null,
  };
}

/** Which of these fingerprints the notification knows, and whether it has told them. */
export async function findFingerprints(
  database: Kysely<Schema>,
  userId: string,
  messengerId: string,
  fingerprints: string[],
): Promise<Map<string, boolean>> {
  const { rows } = await sql<{ fingerprint: string; is_told: boolean }>`
    select print as fingerprint, is_told from operation_prints where user_id = ${userId}
      and messenger_id = ${messengerId} and print = any(${fingerprints})`.execute(database);
  return new Map(rows.map(({ fingerprint, is_told }) => [fingerprint, is_told]));
}

export interface Sending {
  userId: string;
  messengerId: string;
  dueAt: Date;
}

/** What an earlier try has read for a sending, with what is stored of it. */
export interface EarlierTry {
  read: number[];
  transactions: MessageTransactions['transactions'];
  prints: (StoredFingerprint | StoredReadAccount)[];
}

/**
 * Without anything where no try was made, or by an earlier version, which did not note what it read. What it
 * has of an account that was not read whole is left out: that one is read again.
 */
export async function findEarlierTry(
  { database, vault }: Pick<Platform, 'database' | 'vault'>,
  { userId, messengerId, dueAt }: Sending,
): Promise<EarlierTry> {
  const stored = await database.sql
    .selectFrom('message_operations')
    .select(['sealed', 'prints'])
    .where('user_id', '=', userId)
    .where('messenger_id', '=', messengerId)
    .where('due_at', '=', dueAt)
    .executeTakeFirst();
  const key = pendingBankTransactions.additionalData(userId, messengerId);
  const opened = stored?.sealed ? openSealed({ vault }, stored.sealed, key) : null;
  if (!opened?.read) return { read: [], transactions: [], prints: [] };
  const { read } = opened;
  const prints = (stored?.prints ?? []).filter((one) => typeof one === 'object');
  return {
    read,
    transactions: opened.transactions.filter(({ accountId }) => read.includes(accountId)),
    prints: prints.filter(({ account }) => read.includes(account)),
  };
}

/** What was read for these sendings, by the notification's id; without those of which nothing was. */
export async function openBankTransactions(
  { vault }: Pick<Platform, 'vault'>,
  database: Kysely<Schema>,
  asked: Sending[],
): Promise<Map<string, MessageTransactions>> {
  if (asked.length === 0) return new Map();
  const { rows } = await sql<{ user_id: string; messenger_id: string; sealed: string }>`
    select o.user_id, o.messenger_id, o.sealed
    from ${records(asked, '"userId" uuid, "messengerId" uuid, "dueAt" timestamptz')}
    join message_operations o on o.user_id = given."userId" and o.sealed is not null
      and o.messenger_id = given."messengerId" and o.due_at = given."dueAt"`.execute(database);
  return new Map(
    rows.flatMap(({ user_id, messenger_id, sealed }) => {
      const opened = openSealed(
        { vault },
        sealed,
        pendingBankTransactions.additionalData(user_id, messenger_id),
      );
      return opened ? [[messenger_id, opened]] : [];
    }),
  );
}

/** The reading for the next sending of a notification, where it was scheduled already. */
export async function findScheduledReadings(
  transaction: Transaction<Schema>,
  userId: string,
  messengerId: string,
  now: Date,
): Promise<ScheduledReading[]> {
  const { rows } = await sql<ScheduledReading>`select ${scheduledReading} from message_operations o
    where o.user_id = ${userId} and o.messenger_id = ${messengerId}
      and o.due_at > ${now}`.execute(transaction);
  return rows;
}

export const scheduledReading = sql`o.user_id, o.messenger_id, o.due_at, coalesce((
  select string_agg(distinct c.source, ' ' order by c.source) from bank_connections c
  where c.user_id = o.user_id and c.gone_at is null), '') as sources`;

export interface ScheduledReading {
  user_id: string;
  messenger_id: string;
  due_at: Date;
  /** The sources of the person's banks, in the order of their names; empty without a bank. */
  sources: string;
}
