import { sql, type Transaction } from 'kysely';
import type { Schema } from '../../platform/database/schema.ts';
import { sendFromOutbox } from '../../platform/mail/outbox.ts';
import type { Platform } from '../../platform/platform.ts';
import { mailJobs } from '../jobs.ts';
import { isEndedLink } from '../one-time-links/one-time-links.ts';

export interface QueuedMail {
  userId: string;
  /** At most one mail for a user, a cause and a day (UTC). */
  cause: string;
  now: Date;
  subject: string;
  body: string;
  /** Instead of the user's own address. */
  to?: string;
  /** Replaces `[lien]` in the body. Sealed until the mail is sent, because it grants access. */
  link?: string;
}

export const mailLinks = {
  table: 'mails',
  column: 'sealed_link',
  key: ['user_id', 'id'],
  additionalData: (userId: string, mailId: string) => `mails/${userId}/${mailId}/link`,
};

/**
 * Writes a mail to a user into the outbox. It is sent after the transaction has committed. Writes none to
 * an account that is being deleted at this moment.
 */
export async function queueMail(
  { queue, randomness, vault }: Pick<Platform, 'queue' | 'randomness' | 'vault'>,
  transaction: Transaction<Schema>,
  { userId, cause, now, subject, body, to, link }: QueuedMail,
): Promise<void> {
  const mailId = randomness.uuid();
  const sealedLink = link ? vault.seal(link, mailLinks.additionalData(userId, mailId)) : null;
  const { rows } = await sql<{ id: string }>`
    insert into mails (user_id, id, cause, day, recipient, subject, body, sealed_link, created_at)
    select id, ${mailId}, ${cause}, ${now.toISOString().slice(0, 10)}::date,
      coalesce(${to ?? null}::text, email), ${subject}, ${body}, ${sealedLink}::text,
      ${now}::timestamptz
    from users where id = ${userId} and email <> '' for key share
    on conflict (user_id, cause, day) do nothing returning id`.execute(transaction);
  if (rows.length > 0) await queue.insert(transaction, mailJobs, [{ data: { userId, mailId } }]);
}

/**
 * Sends one mail of the outbox. Throws when the mailer does: the queue tries again. A link may have ended
 * by then, expired, used or replaced: nothing is sent, and the mail goes.
 */
export async function sendMail(
  deps: Pick<Platform, 'database' | 'mailer' | 'clock' | 'log' | 'vault'>,
  { userId, mailId }: { userId: string; mailId: string },
): Promise<void> {
  const update = () =>
    deps.database.sql.updateTable('mails').where('user_id', '=', userId).where('id', '=', mailId);
  const mail = await deps.database.sql
    .selectFrom('mails')
    .select(['recipient', 'subject', 'body', 'sealed_link'])
    .where('user_id', '=', userId)
    .where('id', '=', mailId)
    .where('sent_at', 'is', null)
    .executeTakeFirst();
  if (!mail) return;
  const { recipient: to, subject, sealed_link: sealed } = mail;
  const send = async () => {
    const link = sealed && deps.vault.open(sealed, mailLinks.additionalData(userId, mailId));
    if (link && (await isEndedLink(deps.database.sql, link, deps.clock.now()))) {
      deps.log.info({ mailId }, 'a mail was not sent: its link has ended');
      await deps.database.sql
        .deleteFrom('mails')
        .where('user_id', '=', userId)
        .where('id', '=', mailId)
        .execute();
      return;
    }
    const body = link ? mail.body.replace('[lien]', () => link) : mail.body;
    await deps.mailer.send({ key: mailId, to, subject, body });
  };
  await sendFromOutbox(send, {
    log: deps.log.child({ mailId }),
    noteFailure: (failure) => update().set({ failure }).execute(),
  });
  await update().set({ sent_at: deps.clock.now(), failure: null, sealed_link: null }).execute();
}
