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
  dropPendingAddresses,
  findPendingAddress,
  useLink,
} from '../one-time-links/one-time-links.ts';
import { requirePassword } from '../users/current-password.ts';
import { emailKey, findCredentials, lockUser } from '../users/queries.ts';
import { changeNoticeMail, confirmationMail } from './mails.ts';

type MailDeps = Pick<Platform, 'queue' | 'randomness' | 'vault' | 'configuration'>;

/**
 * Mails a one-time link that confirms `email`: the present address of the user, or the new one that
 * was requested. The transaction must hold the lock of the user's row.
 */
export async function sendConfirmation(
  deps: MailDeps,
  transaction: Transaction<Schema>,
  { userId, email, now }: { userId: string; email: string; now: Date },
): Promise<void> {
  await dropLinks(transaction, userId, 'email');
  const token = await createLink(deps, transaction, { userId, purpose: 'email', email, now });
  await queueMail(deps, transaction, {
    userId,
    cause: `confirmation ${deps.randomness.uuid()}`,
    now,
    ...confirmationMail,
    to: email,
    link: confirmationAddress(deps.configuration, token),
  });
}

/** Mails the link again. Sends nothing when no address waits for confirmation. */
export async function sendConfirmationAgain(deps: IdentityDeps, ownerId: string): Promise<void> {
  const now = deps.clock.now();
  await deps.database.sql.transaction().execute(async (sql) => {
    const user = await lockUser(sql, ownerId);
    if (!user) return;
    const present = user.email_confirmed_at ? null : user.email;
    const email = (await findPendingAddress(sql, user, now)) ?? present;
    if (email) await sendConfirmation(deps, sql, { userId: ownerId, email, now });
  });
  deps.queue.announce(mailJobs);
}

/**
 * Throws Link_Invalid, and Email_Already_Exists when another account has the address meanwhile: the
 * unique key decides, and the link stays valid. Links for a new password that were mailed to the
 * former address are deleted.
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
    throw isUniqueViolation(error) ? new ApiError(identityErrors.Email_Already_Exists) : error;
  });
}

/** SQLSTATE unique_violation: postgresql.org/docs/current/errcodes-appendix.html */
function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505';
}

/**
 * The new address replaces the old one when its link is used; the old address gets a notice. A request
 * for the present address cancels a pending change.
 */
export async function requestEmailChange(
  deps: IdentityDeps,
  user: User,
  { email, confirmedHash }: Pick<EmailChange, 'email'> & { confirmedHash: string },
): Promise<void> {
  const isOwn = emailKey(email) === emailKey(user.email);
  if (!isOwn && (await findCredentials(deps, email)))
    throw new ApiError(identityErrors.Email_Already_Exists);
  const now = deps.clock.now();
  await deps.database.sql.transaction().execute(async (sql) => {
    await requirePassword(sql, user.id, confirmedHash);
    if (email === user.email) return await dropPendingAddresses(sql, user);
    await sendConfirmation(deps, sql, { userId: user.id, email, now });
    if (isOwn) return;
    const cause = `email change ${deps.randomness.uuid()}`;
    await queueMail(deps, sql, { userId: user.id, cause, now, ...changeNoticeMail });
  });
  deps.queue.announce(mailJobs);
}
