import type { Transaction } from 'kysely';
import type { Schema } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transactions.ts';
import { type MinuteChecks, startMinuteChecks } from '../../platform/minute-checks.ts';
import type { NewJob } from '../../platform/queue/queue.ts';
import type { NotificationsDeps } from '../deps.ts';
import { type BankTransactionsJob, bankTransactionsJobs } from '../jobs.ts';
import { findScheduledReadings, type ScheduledReading } from './queries.ts';
import { readForMessage } from './reading.ts';
import { scheduleReadings } from './store.ts';

/** How many messages of the same sources are read for at once: a silent source delays none without it. */
const concurrency = 4;

/** Reads the bank transactions that messages are about to tell, in the hour before each. */
export function startBankTransactionsWork(deps: NotificationsDeps): MinuteChecks {
  deps.queue.work(bankTransactionsJobs, (job) => readForMessage(deps, job), concurrency);
  const check = async () => {
    while ((await scheduleDueReadings(deps)) > 0);
  };
  return startMinuteChecks(deps, check, 'the reading of transactions waits for the database');
}

const most = 500;

/** Returns the number of readings that were scheduled, at most 500. */
export async function scheduleDueReadings({
  database,
  queue,
  clock,
}: Pick<NotificationsDeps, 'database' | 'queue' | 'clock'>): Promise<number> {
  const count = await inTransaction(database.sql, async (transaction) => {
    const due = await scheduleReadings(transaction, clock.now(), most);
    await queue.insert(transaction, bankTransactionsJobs, due.map(jobOf));
    return due.length;
  });
  if (count > 0) queue.announce(bankTransactionsJobs);
  return count;
}

/**
 * Other accounts were chosen: those that were not read yet for the next sending are, where its reading was
 * scheduled already.
 */
export async function readChosenAccounts(
  { queue, clock }: Pick<NotificationsDeps, 'queue' | 'clock'>,
  transaction: Transaction<Schema>,
  userId: string,
  messengerId: string,
): Promise<void> {
  const readings = await findScheduledReadings(transaction, userId, messengerId, clock.now());
  await queue.insert(transaction, bankTransactionsJobs, readings.map(jobOf));
}

function jobOf({
  user_id: userId,
  messenger_id: messengerId,
  due_at: dueAt,
  sources,
}: ScheduledReading): NewJob<BankTransactionsJob> {
  const data = { userId, messengerId, dueAt: dueAt.getTime() };
  return { data, group: sources || 'none', dueAt };
}
