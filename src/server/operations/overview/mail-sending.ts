import type { Platform } from '../../platform/platform.ts';
import type { OperatorMailJob } from '../jobs.ts';

/** Sends one mail to an operator. Throws when the mailer does: the queue tries again. */
export async function sendOperatorMail(
  { database, mailer, clock, log }: Pick<Platform, 'database' | 'mailer' | 'clock' | 'log'>,
  { cause, day, recipient }: OperatorMailJob,
): Promise<void> {
  const update = () =>
    database.sql
      .updateTable('operator_mails')
      .where('cause', '=', cause)
      .where('day', '=', day)
      .where('recipient', '=', recipient);
  const mail = await database.sql
    .selectFrom('operator_mails')
    .select(['subject', 'body'])
    .where('cause', '=', cause)
    .where('day', '=', day)
    .where('recipient', '=', recipient)
    .where('sent_at', 'is', null)
    .executeTakeFirst();
  if (!mail) return;
  try {
    await mailer.send({ to: recipient, ...mail });
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    log.warn({ cause, day }, 'a mail to an operator was not taken');
    await update().set({ failure }).execute();
    throw error;
  }
  await update().set({ sent_at: clock.now(), failure: null }).execute();
}
