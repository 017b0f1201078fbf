import type { Selectable } from 'kysely';
import { addDays } from '../../../shared/calendar/local-date.ts';
import { localDateAt } from '../../../shared/calendar/wall-clock.ts';
import { distinctAccounts } from '../../../shared/message/duplicates.ts';
import type { MessageAccount } from '../../../shared/message/figures.ts';
import type { MessageTransactions } from '../../../shared/message/transactions.ts';
import { tellsTransactions } from '../../../shared/message/variables.ts';
import { type AccountTransaction, readTransactions } from '../../banking/transactions/reading.ts';
import type { KnownUntil } from '../../platform/database/schema/notifications.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { BankSourceError } from '../../providers/banks/failures.ts';
import type { NotificationsDeps } from '../deps.ts';
import type { BankTransactionsJob } from '../jobs.ts';
import { type Figures, figuresOf, withChoice } from '../messages/figures.ts';
import { type ScheduleColumns, scheduleOf } from '../schedule/next-sending.ts';
import {
  findEarlierTry,
  findFingerprints,
  findKnown,
  findMessengerWithTransactions,
  type KnownTransactions,
} from './queries.ts';
import { pendingBankTransactions, sealBankTransactions } from './sealing.ts';
import { type ReadFingerprint, storeBankTransactions } from './store.ts';

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
  /** Those that were read by now. */
  accounts: Known;
}

type Known = KnownTransactions['accounts'];

/**
 * The transactions that no message of this notification has told. Of an account that is read for the
 * first time these are the ones since yesterday: what is older counts as told. Of one whose transactions have
 * got other ids they are the ones since it was read last, or since yesterday. Those of the accounts
 * `without` are not read.
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
  // What was read before they were switched off says nothing of the time since.
  const before: Known = messenger.operations === 'off' ? new Map() : known.accounts;
  const figures = (await figuresOf(deps.database.sql, [{ userId, messengerId }]))(messengerId);
  const ids = readOnce(deps, figures, chosen, before);
  const lastDay = known.lastDay ?? today;
  const knownUntil = (id: number) => {
    const until = before.get(id);
    return (isRenewed(until) ? until.renewedAfter : until) ?? lastDay;
  };
  const since = new Map(
    [...ids]
      .filter((id) => !without.includes(id))
      .map((id) => [id, firstDayToRead(today, earlier(lastDay, knownUntil(id)))]),
  );
  const { transactions, read, failed, unable } = await readTransactions(deps, userId, since);
  const yesterday = addDays(today, -1);
  const toldBefore = (id: number) => {
    const until = before.get(id);
    if (until === undefined) return yesterday;
    return isRenewed(until) ? earlier(knownUntil(id), yesterday) : null;
  };
  const compared = await compareWithTold(deps, messenger, transactions, toldBefore);
  // What a bank has not given by now is read when it gives newer figures.
  const givenUntil = new Map(
    figures.accounts.map(({ id, updatedAt }) => [id, updatedAt ? dayOf(updatedAt) : today]),
  );
  const untold = compared.filter(({ isTold }) => !isTold);
  return {
    told: {
      transactions: untold.map(({ transaction }) => withoutKey(transaction)),
      isRead: read.length > 0,
      ...{ failed, unable },
    },
    fingerprints: compared.flatMap(
      ({ transaction: { accountId }, fingerprints: [fingerprint], isTold: is_told }) =>
        fingerprint === undefined ? [] : [{ fingerprint, accountId, is_told }],
    ),
    read,
    accounts: new Map([
      ...before,
      ...read.map((id) => [id, later(knownUntil(id), givenUntil.get(id) ?? today)] as const),
    ]),
  };
}

function isRenewed(until: KnownUntil | undefined): until is Exclude<KnownUntil, string | null> {
  return typeof until === 'object' && until !== null;
}

interface ComparedTransaction {
  transaction: AccountTransaction;
  /** One by each secret that is configured, the newest first. */
  fingerprints: string[];
  isTold: boolean;
}

/**
 * Whether each transaction counts as told already. `toldBefore`: the day before which an unknown one of an
 * account does; null for no day.
 */
async function compareWithTold(
  deps: Needed,
  { user_id: userId, id: messengerId }: Messenger,
  transactions: AccountTransaction[],
  toldBefore: (accountId: number) => string | null,
): Promise<ComparedTransaction[]> {
  const withFingerprints = transactions.map((transaction) => ({
    transaction,
    fingerprints: deps.vault.fingerprints(`${userId} ${messengerId} ${transaction.key}`),
  }));
  const all = withFingerprints.flatMap(({ fingerprints }) => fingerprints);
  const stored = await findFingerprints(deps.database.sql, userId, messengerId, all);
  return withFingerprints.map(({ transaction, fingerprints }) => {
    const found = fingerprints.map((one) => stored.get(one)).find((told) => told !== undefined);
    const limit = toldBefore(transaction.accountId);
    const isOld = limit !== null && transaction.day < limit;
    return { transaction, fingerprints, isTold: found ?? isOld };
  });
}

/**
 * The covered accounts, each through one source: that of the readings `before`, else the first whose
 * transactions can be read, and not the freshest, which may be another one every day: the same payment
 * has another id there.
 */
function readOnce(
  { bankSources }: Needed,
  { connections, accounts }: Figures,
  chosen: number[] | null,
  before: Known,
): Set<number> {
  const sources = new Map(connections.map(({ id, source }) => [id, source]));
  const isAble = ({ connectionId }: MessageAccount) =>
    bankSources.get(sources.get(connectionId) ?? '')?.readTransactions !== undefined;
  return new Set(
    distinctAccounts(withChoice(accounts, chosen)).flatMap(({ account, duplicates }) => {
      const all = [account, ...duplicates].toSorted((one, other) => one.id - other.id);
      const able = all.filter(isAble);
      const read = able.find(({ id }) => before.has(id)) ?? able[0] ?? account;
      return [read.id];
    }),
  );
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
