import type { Transaction } from 'kysely';
import type { EmailChange } from '../../../shared/contract/accounts.ts';
import type { User } from '../../../shared/contract/users.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { ApiError } from '../../platform/http/api-error.ts';
import type { Platform } from '../../platform/platform.ts';
import type { IdentityDeps } from '../deps.ts';
import { identityErrors } from '../errors.ts';
import { mailJobs } from '../jobs.ts';
import { queueMail } from '../mails/outbox.ts';
import {
  confirmationAddress,
  createLink,
  dropLinks,
  dropOtherAddresses,
  findOtherAddress,
  useLink,
} from '../one-time-links/one-time-links.ts';
import { requirePassword } from '../users/current-password.ts';
import { emailKey, holdUser, isEmailTaken } from '../users/queries.ts';
import { changeNoticeMail, confirmationMail } from './mails.ts';

type MailParts = Pick<Platform, 'queue' | 'randomness' | 'vault' | 'configuration'>;

/**
 * Mails a link that confirms `email` as the user's: the present address, or the one to come. The
 * transaction holds the user.
 */
export async function sendConfirmation(
  deps: MailParts,
  transaction: Transaction<Schema>,
  { userId, email, now }: { userId: string; email: string; now: Date },
): Promise<void> {
  await dropLinks(transaction, userId, 'email');
  const token = await createLink(deps, transaction, { userId, purpose: 'email', email, now });
  await queueMail(deps, transaction, {
    userId,
    cause: `confirmation ${deps.randomness.uuid()}`,
    now,
    ...confirmationMail(),
    to: email,
    link: confirmationAddress(deps.configuration, token),
  });
}

/** For whoever lost the mail. Nothing is sent when nothing waits to be confirmed. */
export async function sendConfirmationAgain(deps: IdentityDeps, ownerId: string): Promise<void> {
  const now = deps.clock.now();
  await deps.database.sql.transaction().execute(async (sql) => {
    const user = await holdUser(sql, ownerId);
    if (!user) return;
    const present = user.email_confirmed_at ? null : user.email;
    const email = (await findOtherAddress(sql, user, now)) ?? present;
    if (email) await sendConfirmation(deps, sql, { userId: ownerId, email, now });
  });
  deps.queue.announce(mailJobs);
}

/**
 * Throws Link_Invalid, and Email_Already_Exists when somebody else has taken the address meanwhile:
 * the unique key decides, and the link is then not used up. Links for a new password that went to
 * the former address end with it.
 */
export async function confirmEmail(
  deps: Pick<Platform, 'database' | 'clock'>,
  token: string,
): Promise<void> {
  const now = deps.clock.now();
  const work = deps.database.sql.transaction().execute(async (sql) => {
    const link = await useLink(sql, 'email', token, now);
    if (!link?.email) throw new ApiError(identityErrors.Link_Invalid);
    const { user, email } = link;
    const key = emailKey(email);
    await sql
      .updateTable('users')
      .set({ email, email_key: key, email_confirmed_at: now })
      .where('id', '=', user.id)
      .execute();
    if (user.email_key !== key) await dropLinks(sql, user.id, 'password');
  });
  await work.catch((error: unknown) => {
    throw isTaken(error) ? new ApiError(identityErrors.Email_Already_Exists) : error;
  });
}

/** SQLSTATE unique_violation: postgresql.org/docs/current/errcodes-appendix.html */
function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505';
}

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
