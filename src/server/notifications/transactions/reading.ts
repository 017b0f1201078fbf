import type { Selectable } from 'kysely';
import { addDays } from '../../../shared/calendar/local-date.ts';
import { localDateAt } from '../../../shared/calendar/wall-clock.ts';
import { distinctAccounts } from '../../../shared/message/duplicates.ts';
import type { MessageAccount } from '../../../shared/message/figures.ts';
import type { MessageTransactions } from '../../../shared/message/transactions.ts';
import { tellsTransactions } from '../../../shared/message/variables.ts';
import {
  type AccountTransaction,
  readTransactions,
  type TransactionsReading,
} from '../../banking/transactions/reading.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { BankSourceError } from '../../providers/banks/failures.ts';
import type { NotificationsDeps } from '../deps.ts';
import type { BankTransactionsJob } from '../jobs.ts';
import { type Figures, figuresOf, withChoice } from '../messages/figures.ts';
import { type ScheduleColumns, scheduleOf } from '../schedule/next-sending.ts';
import {
  identitiesOf,
  type KnownAccounts,
  knownAfterPause,
  knownOf,
  readUntil,
  withRead,
} from './known-accounts.ts';
import { findEarlierTry, findKnown, findMessengerWithTransactions } from './queries.ts';
import { pendingBankTransactions, sealBankTransactions } from './sealing.ts';
import { type ReadFingerprint, storeBankTransactions } from './store.ts';
import { compareWithTold } from './told.ts';

type Needed = Pick<NotificationsDeps, 'database' | 'vault' | 'clock' | 'bankSources' | 'log'>;
type Messenger = Pick<Selectable<Schema['messengers']>, 'user_id' | 'id' | 'operations'> &
  ScheduleColumns;

/**
 * Banks post late, and on another day than the one they write: what was told is left out by its
 * fingerprint.
 */
const backDays = 4;
/** Fingerprints are kept for longer (store.ts). */
const maxBackDays = 30;

/**
 * Reads what a message is about to tell and stores it sealed. Throws when a bank did not answer, so that
 * the job comes again; what was read by then is stored, with the bank that is missing. Asks only for
 * accounts that no earlier try has read. Does nothing once the message is due.
 */
export async function readForMessage(
  deps: Needed,
  { userId, messengerId, dueAt }: BankTransactionsJob,
): Promise<void> {
  if (dueAt <= deps.clock.now().getTime()) return;
  const messenger = await findMessengerWithTransactions(deps.database.sql, userId, messengerId);
  if (!messenger || !tellsTransactions(messenger.message)) return;
  const sending = { userId, messengerId, dueAt: new Date(dueAt) };
  const before = await findEarlierTry(deps, sending);
  const { told, ...others } = await readNew(deps, messenger, null, before.read);
  const read = [...before.read, ...others.read];
  const transactions = [...before.transactions, ...told.transactions];
  const sealed = sealBankTransactions(
    deps,
    { ...told, transactions, read, isRead: read.length > 0 },
    pendingBankTransactions.additionalData(userId, messengerId),
  );
  await storeBankTransactions(deps.database.sql, sending, {
    ...{ accounts: others.accounts, sealed, now: deps.clock.now() },
    ...{ fingerprints: others.fingerprints, earlier: before.fingerprints },
  });
  if (told.failed.length > 0) {
    throw new BankSourceError('unavailable', 'The operations of a bank were not read');
  }
}

/**
 * What a message would tell now. Nothing is noted: the next message tells it too. `chosen`: the accounts
 * of an unsaved choice; null for the saved one.
 */
export async function readForPreview(
  deps: Needed,
  messenger: Messenger,
  chosen: number[] | null,
): Promise<MessageTransactions> {
  return (await readNew(deps, messenger, chosen, [])).told;
}

interface NewTransactions {
  told: MessageTransactions;
  /** Of everything that was read. */
  fingerprints: ReadFingerprint[];
  /** The accounts that were read. */
  read: number[];
  /** Until which days all accounts are known by now. */
  accounts: KnownAccounts;
}

/**
 * The transactions that no message of this notification has told. Of an account that is read for the
 * first time these are the ones since yesterday: what is older counts as told. Of one whose transactions have
 * got other ids, because it was linked anew or comes through another source, they are the ones since it was
 * read last, or since yesterday. Those of the accounts `without` are not read.
 */
async function readNew(
  deps: Needed,
  messenger: Messenger,
  chosen: number[] | null,
  without: number[],
): Promise<NewTransactions> {
  const { user_id: userId, id: messengerId } = messenger;
  const dayOf = (at: Date) => localDateAt(at, scheduleOf(messenger));
  const today = dayOf(deps.clock.now());
  const known = await findKnown(deps.database.sql, userId, messengerId);
  const readFor = known.dueAt && dayOf(known.dueAt);
  const isOff = messenger.operations === 'off';
  const before = isOff ? knownAfterPause(known.accounts, { ...known, readFor }) : known.accounts;
  const figures = (await figuresOf(deps.database.sql, [{ userId, messengerId }]))(messengerId);
  const identities = identitiesOf(deps, messenger, figures.accounts);
  const lastDay = known.lastDay ?? today;
  const knownById = new Map(
    [...identities].map(([id, identity]) => [id, knownOf(before, identity, lastDay)]),
  );
  const lastKnown = (id: number) => earlier(lastDay, knownById.get(id)?.until ?? lastDay);
  const copies = copiesOf(deps, figures, chosen, (id) => readUntil(before, id, lastDay) ?? '');
  const unread = copies.filter((ids) => !ids.some((id) => without.includes(id)));
  const firstDayOf = (id: number) => firstDayToRead(today, lastKnown(id));
  const reading = await readCopies(deps, userId, unread, firstDayOf);
  const { transactions, read, failed, unable } = reading;
  const yesterday = addDays(today, -1);
  const compared = await compareWithTold(deps, messenger, transactions, {
    nameOf: (id) => identities.get(id)?.name ?? String(id),
    toldBefore(id) {
      const account = knownById.get(id);
      if (!account) return yesterday;
      return account.isByDays ? earlier(account.until, yesterday) : null;
    },
  });
  // What a bank has not given by now is read when it gives newer figures.
  const givenUntil = new Map(
    figures.accounts.map(({ id, updatedAt }) => [id, updatedAt ? dayOf(updatedAt) : today]),
  );
  const untold = compared.filter(({ isTold }) => !isTold);
  const furthest = addDays(today, -maxBackDays);
  // Of a bank that brings nothing new for a month, each message would say it.
  const isNew = (id: number) => untold.some(({ transaction }) => transaction.accountId === id);
  const isCut = [...read, ...without].some(
    (id) => knownById.get(id) && lastKnown(id) < furthest && (lastDay < furthest || isNew(id)),
  );
  return {
    told: {
      transactions: untold.map(({ transaction }) => withoutKey(transaction)),
      isRead: read.length > 0,
      ...{ failed: [...new Set(failed.map(({ bankName }) => bankName))], unable },
      ...(isCut && { since: furthest }),
    },
    fingerprints: compared.flatMap(
      ({ transaction: { accountId }, fingerprints, isTold: is_told }) =>
        fingerprints.map((fingerprint) => ({ fingerprint, accountId, is_told })),
    ),
    read,
    accounts: withRead(
      before,
      read.map((id) => ({
        ...{ id, ibans: identities.get(id)?.ibans ?? [] },
        until: later(knownById.get(id)?.until ?? lastDay, givenUntil.get(id) ?? today),
      })),
      furthest,
    ),
  };
}

/**
 * The covered accounts, each by the numbers of ours through which it can be read, the best first: the one
 * that was read last, else the one that came first, and not the freshest, which may be another one every
 * day: the same payment may have another day there. `readUntil`: empty for one that was not read.
 */
function copiesOf(
  { bankSources }: Needed,
  { connections, accounts }: Figures,
  chosen: number[] | null,
  readUntil: (id: number) => string,
): number[][] {
  const sources = new Map(connections.map(({ id, source }) => [id, source]));
  const isAble = ({ connectionId }: MessageAccount) =>
    bankSources.get(sources.get(connectionId) ?? '')?.readTransactions !== undefined;
  return distinctAccounts(withChoice(accounts, chosen)).map(({ account, duplicates }) => {
    const able = [account, ...duplicates].filter(isAble).map(({ id }) => id);
    if (able.length === 0) return [account.id];
    return able.toSorted(
      (one, other) => readUntil(other).localeCompare(readUntil(one)) || one - other,
    );
  });
}

/** Each account by the first of its copies that can be read; by none, the first one counts as failed. */
async function readCopies(
  deps: Needed,
  userId: string,
  copies: number[][],
  firstDayOf: (id: number) => string,
): Promise<TransactionsReading> {
  const since = new Map(copies.flatMap(([id]) => (id === undefined ? [] : [[id, firstDayOf(id)]])));
  const first = await readTransactions(deps, userId, since);
  const isFailed = (id: number | undefined) => first.failed.some((one) => one.id === id);
  const unread = copies.filter(([id, ...others]) => others.length > 0 && isFailed(id));
  if (unread.length === 0) return first;
  const others = await readCopies(
    deps,
    userId,
    unread.map((ids) => ids.slice(1)),
    firstDayOf,
  );
  const replaced = unread.filter((ids) => ids.some((id) => others.read.includes(id))).flat();
  const isReplaced = (id: number) => replaced.includes(id);
  return {
    ...first,
    transactions: [
      ...first.transactions.filter(({ accountId }) => !isReplaced(accountId)),
      ...others.transactions.filter(({ accountId }) => isReplaced(accountId)),
    ],
    read: [...first.read, ...others.read],
    failed: first.failed.filter(({ id }) => !isReplaced(id)),
  };
}

function withoutKey({
  key: _key,
  ...transaction
}: AccountTransaction): MessageTransactions['transactions'][number] {
  return transaction;
}

function firstDayToRead(today: string, lastKnown: string): string {
  return later(addDays(lastKnown, -backDays), addDays(today, -maxBackDays));
}

function earlier(one: string, other: string): string {
  return one < other ? one : other;
}

function later(one: string, other: string): string {
  return one < other ? other : one;
}
