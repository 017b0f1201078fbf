import { sql, type Transaction } from 'kysely';
import type { Schema } from '../database/schema.ts';
import type { Parts } from '../parts.ts';

export interface QueuedMail {
  userId: string;
  /** At most one mail for a user, a cause and a day (UTC). */
  cause: string;
  now: Date;
  subject: string;
  body: string;
}

/** Writes a mail to a user's own address into the outbox, to be sent once the transaction stands. */
export async function queueMail(
  { queue, randomness }: Pick<Parts, 'queue' | 'randomness'>,
  transaction: Transaction<Schema>,
  { userId, cause, now, subject, body }: QueuedMail,
): Promise<void> {
  const mailId = randomness.uuid();
  const { rows } = await sql`
    insert into mails (user_id, id, cause, day, recipient, subject, body, created_at)
    select id, ${mailId}, ${cause}, ${now.toISOString().slice(0, 10)}::date, email,
      ${subject}, ${body}, ${now}::timestamptz
    from users where id = ${userId}
    on conflict (user_id, cause, day) do nothing returning id`.execute(transaction);
  if (rows.length > 0) await queue.insert(transaction, 'mails', [{ data: { userId, mailId } }]);
}

/** Sends one mail of the outbox. Throws when the mailer does: the queue tries again. */
export async function sendMail(
  { database, mailer, clock, log }: Pick<Parts, 'database' | 'mailer' | 'clock' | 'log'>,
  { userId, mailId }: { userId: string; mailId: string },
): Promise<void> {
  const mine = () =>
    database.sql.updateTable('mails').where('user_id', '=', userId).where('id', '=', mailId);
  const mail = await database.sql
    .selectFrom('mails')
    .select(['recipient', 'subject', 'body'])
    .where('user_id', '=', userId)
    .where('id', '=', mailId)
    .where('sent_at', 'is', null)
    .executeTakeFirst();
  if (!mail) return;
  try {
    await mailer.send({ to: mail.recipient, subject: mail.subject, body: mail.body });
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    log.warn({ mailId, failure: withoutAddresses(failure) }, 'a mail was not taken');
    await mine().set({ failure }).execute();
    throw error;
  }
  await mine().set({ sent_at: clock.now(), failure: null }).execute();
}

function withoutAddresses(words: string): string {
  return words.replaceAll(/[^\s<>]+@[^\s<>]+/g, '[…]');
}
