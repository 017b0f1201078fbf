import type { Platform } from '../../platform/platform.ts';
import { type ForgottenPasswordJob, forgottenPasswordJobs, mailJobs } from '../jobs.ts';
import { queueMail } from '../mails/outbox.ts';
import { passwordAddress } from '../one-time-links/addresses.ts';
import { countLinks, createLink } from '../one-time-links/queries.ts';
import { emailKey } from '../users/email-key.ts';
import { holdUser } from '../users/holding.ts';
import { findCredentials } from '../users/queries.ts';
import { resetMail } from './mails.ts';

/** Only puts a job into the queue, so that known and unknown addresses take the same time. */
export async function noteForgottenPassword(
  { database, queue }: Pick<Platform, 'database' | 'queue'>,
  email: string,
): Promise<void> {
  await database.sql
    .transaction()
    .execute((sql) => queue.insert(sql, forgottenPasswordJobs, [{ data: { email } }]));
  queue.announce(forgottenPasswordJobs);
}

/** Three links that still work are enough: whoever asks for more fills somebody's mailbox. */
const mostAtOnce = 3;

/** Mails a link to whoever has the address; to nobody, nothing. */
export async function sendResetLink(
  deps: Pick<Platform, 'database' | 'queue' | 'randomness' | 'vault' | 'clock' | 'configuration'>,
  { email }: ForgottenPasswordJob,
): Promise<void> {
  const found = await findCredentials(deps, email);
  if (!found) return;
  const now = deps.clock.now();
  await deps.database.sql.transaction().execute(async (sql) => {
    // Several jobs of one user at once would all count the same.
    const user = await holdUser(sql, found.id);
    if (user?.email_key !== emailKey(email)) return;
    if ((await countLinks(sql, user.id, 'password', now)) >= mostAtOnce) return;
    const link = { userId: user.id, purpose: 'password', email: user.email, now } as const;
    const token = await createLink(deps, sql, link);
    await queueMail(deps, sql, {
      userId: user.id,
      cause: `password ${deps.randomness.uuid()}`,
      now,
      ...resetMail(),
      link: passwordAddress(deps.configuration, token),
    });
  });
  deps.queue.announce(mailJobs);
}
