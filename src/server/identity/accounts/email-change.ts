import type { EmailChange } from '../../../shared/contract/accounts.ts';
import type { User } from '../../../shared/contract/users.ts';
import { ApiError } from '../../platform/http/api-error.ts';
import type { IdentityDeps } from '../deps.ts';
import { identityErrors } from '../errors.ts';
import { mailJobs } from '../jobs.ts';
import { queueMail } from '../mails/outbox.ts';
import { dropOtherAddresses } from '../one-time-links/queries.ts';
import { requirePassword } from '../users/current-password.ts';
import { emailKey } from '../users/email-key.ts';
import { isEmailTaken } from '../users/queries.ts';
import { sendConfirmation } from './confirmation.ts';
import { changeNoticeMail } from './mails.ts';

/**
 * The new address replaces the old one once its link was followed; the old one is told. Asking for
 * the present address takes back a change that waits.
 */
export async function askForEmail(
  deps: IdentityDeps,
  user: User,
  { email, confirmedHash }: Pick<EmailChange, 'email'> & { confirmedHash: string },
): Promise<void> {
  const isOwn = emailKey(email) === emailKey(user.email);
  if (!isOwn && (await isEmailTaken(deps, email)))
    throw new ApiError(identityErrors.Email_Already_Exists);
  const now = deps.clock.now();
  await deps.database.sql.transaction().execute(async (sql) => {
    await requirePassword(sql, user.id, confirmedHash);
    if (email === user.email) return await dropOtherAddresses(sql, user);
    await sendConfirmation(deps, sql, { userId: user.id, email, now });
    if (isOwn) return;
    const cause = `email change ${deps.randomness.uuid()}`;
    await queueMail(deps, sql, { userId: user.id, cause, now, ...changeNoticeMail() });
  });
  deps.queue.announce(mailJobs);
}
