import { sql } from 'kysely';
import { scheduleRestored } from '../../banking/refreshing/work.ts';
import { mailJobs } from '../../identity/jobs.ts';
import { mailLinks } from '../../identity/mails/outbox.ts';
import { recordAlerts } from '../../notifications/alerts/work.ts';
import { recordUseless } from '../../notifications/deliveries/due.ts';
import { restoredOutcome } from '../../notifications/deliveries/outcome.ts';
import { deliverySettings } from '../../notifications/deliveries/settings.ts';
import { disconnectUnreadable } from '../../notifications/destinations/lost-keys.ts';
import { mailboxMailCause } from '../../notifications/destinations/mailbox-mails.ts';
import {
  endRestoredBankTransactions,
  repeatRestoredReadings,
} from '../../notifications/transactions/store.ts';
import { inTransaction } from '../../platform/database/transactions.ts';
import type { Platform } from '../../platform/platform.ts';
import { type JobKind, triedForSeconds } from '../../platform/queue/job-kind.ts';
import { operatorMailJobs } from '../jobs.ts';
import { markFinished } from './unfinished.ts';

/**
 * Prepares a restored installation to run. Deliveries that were pending at the time of the backup or
 * became due since may have been sent by the original installation: they are recorded as uncertain
 * and not sent. Mails that were still to be sent when the backup was made are sent, and readings that
 * waited are made: the queue is not part of a backup. All sessions and one-time links are deleted, because
 * some of them may have been ended since. `unreadable` counts the destinations whose key is lost: they are
 * disconnected, and their owners are written to.
 */
export async function prepareToRun(
  deps: Pick<Platform, 'log' | 'metrics'> & Parameters<typeof disconnectUnreadable>[0],
  madeAt: Date,
): Promise<{ uncertain: number; mails: number; unreadable: number }> {
  const { database, clock } = deps;
  const now = clock.now();
  await endRestoredBankTransactions(database.sql, now);
  const due = await recordUseless(deps, now, deliverySettings, restoredOutcome);
  await recordAlerts(deps);
  const { numUpdatedRows: pending } = await database.sql
    .updateTable('deliveries')
    .set({ ...restoredOutcome, finished_at: now })
    .set({ draft: null, draft_accounts: null, draft_settings: null })
    .where('outcome', '=', 'pending')
    .executeTakeFirst();
  await database.sql.deleteFrom('sessions').execute();
  await database.sql.deleteFrom('account_links').execute();
  // These mails contain one-time links, which were just deleted: not the one that asks the owner of an
  // address, whose link is answered without an account.
  await database.sql
    .deleteFrom('mails')
    .where('sent_at', 'is', null)
    .where('sealed_link', 'is not', null)
    .where('cause', 'not like', `${mailboxMailCause} %`)
    .execute();
  await deleteUnreadableQuestions(deps);
  await repeatRestoredReadings(database.sql, now);
  await scheduleRestored(deps);
  const mails = await sendWaitingMails(deps, madeAt);
  const unreadable = await disconnectUnreadable(deps);
  await markFinished(database.sql);
  return { uncertain: due + Number(pending), mails, unreadable };
}

/** Without the key of that time, the link of a question is lost. It may be asked again. */
async function deleteUnreadableQuestions({
  database,
  vault,
}: Pick<Platform, 'database' | 'vault'>): Promise<void> {
  const questions = await database.sql
    .selectFrom('mails')
    .select(['user_id', 'id', 'sealed_link'])
    .where('sent_at', 'is', null)
    .where('sealed_link', 'is not', null)
    .execute();
  for (const { user_id, id, sealed_link } of questions) {
    if (vault.tryOpen(sealed_link ?? '', mailLinks.additionalData(user_id, id)) !== null) continue;
    const mails = database.sql.deleteFrom('mails').where('user_id', '=', user_id);
    await mails.where('id', '=', id).execute();
  }
}

async function sendWaitingMails(
  { database, queue }: Pick<Platform, 'database' | 'queue'>,
  madeAt: Date,
): Promise<number> {
  return await inTransaction(database.sql, async (transaction) => {
    const mails = await transaction
      .selectFrom('mails')
      .select(['user_id as userId', 'id as mailId'])
      .where('sent_at', 'is', null)
      .where(isStillTried(mailJobs, madeAt))
      .execute();
    await queue.insert(transaction, mailJobs, asJobs(mails));
    const operatorMails = await transaction
      .selectFrom('operator_mails')
      .select(['cause', 'day', 'recipient'])
      .where('sent_at', 'is', null)
      .where(isStillTried(operatorMailJobs, madeAt))
      .execute();
    await queue.insert(transaction, operatorMailJobs, asJobs(operatorMails));
    return mails.length + operatorMails.length;
  });
}

/** Of a mail that was not sent: not one that every try had failed to send when the backup was made. */
function isStillTried(kind: JobKind<object>, madeAt: Date) {
  const triedSince = new Date(madeAt.getTime() - triedForSeconds(kind) * 1000);
  return sql<boolean>`(failure is null or created_at > ${triedSince})`;
}

function asJobs<Data>(rows: Data[]): { data: Data }[] {
  return rows.map((data) => ({ data }));
}
