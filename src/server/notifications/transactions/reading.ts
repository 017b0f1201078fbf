import type { MessageTransactions } from '../../../shared/message/transactions.ts';
import { tellsTransactions } from '../../../shared/message/variables.ts';
import type { AccountTransaction } from '../../banking/transactions/reading.ts';
import type { StoredReadAccount } from '../../platform/database/schema/notifications.ts';
import { BankSourceError } from '../../providers/banks/failures.ts';
import type { NotificationsDeps } from '../deps.ts';
import type { BankTransactionsJob } from '../jobs.ts';
import { copiesOf, readCopies } from './copies.ts';
import type { KnownAccounts } from './known-accounts.ts';
import { findEarlierTry, findMessengerWithTransactions } from './queries.ts';
import { findReach, type TellingMessenger } from './reach.ts';
import { pendingBankTransactions, sealBankTransactions } from './sealing.ts';
import { type ReadFingerprint, storeBankTransactions } from './store.ts';
import { compareWithTold } from './told.ts';

type Needed = Pick<NotificationsDeps, 'database' | 'vault' | 'clock' | 'bankSources' | 'log'>;

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
  const { toTell, ...others } = await readNew(deps, messenger, null, before.read);
  const read = [...before.read, ...others.read];
  const transactions = [...before.transactions, ...toTell.transactions];
  const sealed = sealBankTransactions(
    deps,
    { ...toTell, transactions, read, isRead: read.length > 0 },
    pendingBankTransactions.additionalData(userId, messengerId),
  );
  await storeBankTransactions(deps.database.sql, sending, {
    ...{ accounts: others.accounts, sealed, now: deps.clock.now() },
    ...{ fingerprints: others.fingerprints, onceTold: others.onceTold, earlier: before.prints },
  });
  if (toTell.failed.length > 0) {
    throw new BankSourceError('unavailable', 'The transactions of a bank were not read');
  }
}

/**
 * What a message would tell now. Nothing is noted: the next message tells it too. `chosen`: the accounts
 * of an unsaved choice; null for the saved one.
 */
export async function readForPreview(
  deps: Needed,
  messenger: TellingMessenger,
  chosen: number[] | null,
): Promise<MessageTransactions> {
  return (await readNew(deps, messenger, chosen, [])).toTell;
}

interface NewTransactions {
  toTell: MessageTransactions;
  /** Of everything that was read. */
  fingerprints: ReadFingerprint[];
  /** The accounts that were read. */
  read: number[];
  /** Until which days all accounts are known by now, and those that were read once they are told. */
  accounts: KnownAccounts;
  onceTold: StoredReadAccount[];
}

/**
 * The transactions that no message of this notification has told. Of an account that is read for the
 * first time these are the ones since yesterday, of the first day on which it was to be read: what is older
 * counts as told. Of one whose transactions have
 * got other ids, because it was linked anew or comes through another source, they are the ones since it was
 * read last, or since yesterday. Those of the accounts `without` are not read.
 */
async function readNew(
  deps: Needed,
  messenger: TellingMessenger,
  chosen: number[] | null,
  without: number[],
): Promise<NewTransactions> {
  const reach = await findReach(deps, messenger);
  const copies = copiesOf(deps, reach.figures, chosen, reach.readUntil);
  const unread = copies.filter((ids) => !ids.some((id) => without.includes(id)));
  const reading = await readCopies(deps, messenger.user_id, unread, reach.firstDay);
  const { transactions, read, failed, unable } = reading;
  const compared = await compareWithTold(deps, messenger, transactions, reach);
  const untold = compared.filter(({ isTold }) => !isTold);
  const since = reach.cutAt([...read, ...without], (id) =>
    untold.some(({ transaction }) => transaction.accountId === id),
  );
  return {
    toTell: {
      transactions: untold.map(({ transaction }) => withoutKey(transaction)),
      ...{ isRead: read.length > 0, read },
      ...{ failed: [...new Set(failed.map(({ bankName }) => bankName))], unable },
      ...(since !== null && { since }),
    },
    fingerprints: compared.flatMap(
      ({ transaction: { accountId }, fingerprints, isTold: is_told }) =>
        fingerprints.map((fingerprint) => ({ fingerprint, accountId, is_told })),
    ),
    read,
    accounts: reach.afterReading({ read, failed: failed.map(({ id }) => id) }),
    onceTold: reach.onceTold(read),
  };
}

function withoutKey({
  key: _key,
  ...transaction
}: AccountTransaction): MessageTransactions['transactions'][number] {
  return transaction;
}
