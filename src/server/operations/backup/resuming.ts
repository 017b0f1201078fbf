import { mailJobs } from '../../identity/jobs.ts';
import { deliveryLimits } from '../../notifications/deliveries/limits.ts';
import { planDue } from '../../notifications/deliveries/planning.ts';
import type { Platform } from '../../platform/platform.ts';

/**
 * What a restored installation must not do again: whatever was under way when the backup was made,
 * or has been due since, may have been sent by the installation it comes from. It is recorded as
 * uncertain and never sent. Mails that had not left are sent. Sessions and links that were ended since
 * must not come back to life, so none does: everybody signs in again.
 */
export async function resume(
  deps: Pick<Platform, 'database' | 'queue' | 'clock' | 'randomness' | 'log' | 'metrics'>,
): Promise<{ uncertain: number; mails: number }> {
  const { database, clock } = deps;
  const now = clock.now();
  const end = { outcome: 'uncertain', reason: 'restored', finished_at: now } as const;
  while ((await planDue(deps, now, { ...deliveryLimits, uselessAfterMs: -1 })) > 0);
  const { numUpdatedRows } = await database.sql
    .updateTable('deliveries')
    .set({ ...end, draft: null, draft_accounts: null })
    .where(({ eb, and, or }) =>
      or([
        eb('outcome', '=', 'pending'),
        and([eb('reason', '=', 'service_stopped'), eb('created_at', '=', now)]),
      ]),
    )
    .executeTakeFirst();
  await database.sql.deleteFrom('sessions').execute();
  await database.sql.deleteFrom('account_links').execute();
  // Their links have just ended.
  await database.sql
    .deleteFrom('mails')
    .where('sent_at', 'is', null)
    .where('sealed_link', 'is not', null)
    .execute();
  return { uncertain: Number(numUpdatedRows), mails: await sendWaitingMails(deps) };
}

async function sendWaitingMails({
  database,
  queue,
}: Pick<Platform, 'database' | 'queue'>): Promise<number> {
  return database.sql.transaction().execute(async (transaction) => {
    const mails = await transaction
      .selectFrom('mails')
      .select(['user_id as userId', 'id as mailId'])
      .where('sent_at', 'is', null)
      .where('failure', 'is', null)
      .execute();
    const jobs = mails.map((data) => ({ data }));
    await queue.insert(transaction, mailJobs, jobs);
    return jobs.length;
  });
}
