import type { Transaction } from 'kysely';
import type { EmailChange, EmailConfirmation } from '../../../shared/contract/accounts.ts';
import type { User } from '../../../shared/contract/users.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transactions.ts';
import { hasErrorCode } from '../../platform/error-code.ts';
import { ApiError } from '../../platform/http/api-error.ts';
import { emailKey } from '../../platform/mail/email-key.ts';
import type { Platform } from '../../platform/platform.ts';
import type { IdentityDeps } from '../deps.ts';
import { identityErrors, takenAddress } from '../errors.ts';
import { mailJobs } from '../jobs.ts';
import { queueMail } from '../mails/outbox.ts';
import {
  cancelAddressChanges,
  confirmationLinkUrl,
  consumeLink,
  createLink,
  deleteLinks,
  findLinkOwner,
  findPendingAddress,
} from '../one-time-links/one-time-links.ts';
import type { Requester } from '../sessions/authentication.ts';
import { resetThrottling } from '../throttling/counters.ts';
import { makeKnown, throttled } from '../throttling/throttling.ts';
import { confirmPassword, requirePassword } from '../users/current-password.ts';
import { findCredentials, lockUser, mailboxKey } from '../users/queries.ts';
import { confirmationMail, emailChangeMail } from './mails.ts';

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
  await deleteLinks(transaction, userId, 'email');
  const token = await createLink(deps, transaction, { userId, purpose: 'email', email, now });
  await queueMail(deps, transaction, {
    userId,
    cause: `confirmation ${deps.randomness.uuid()}`,
    now,
    ...confirmationMail,
    to: email,
    link: confirmationLinkUrl(deps.configuration, token),
  });
}

/** Mails the link again. Sends nothing when no address waits for confirmation. */
export async function sendConfirmationAgain(
  deps: IdentityDeps,
  { userId, ip }: Requester,
): Promise<void> {
  const now = deps.clock.now();
  const email = await inTransaction(deps.database.sql, (transaction) =>
    findAwaited(transaction, userId, now),
  );
  if (!email) return;
  const key = { mailbox: mailboxKey(email), ip };
  await throttled(deps, 'mail-to-mailbox', key, () =>
    inTransaction(deps.database.sql, async (transaction) => {
      // It may have been confirmed, or taken back, since it was read.
      const isAwaited = (await findAwaited(transaction, userId, now)) === email;
      if (isAwaited) await sendConfirmation(deps, transaction, { userId, email, now });
    }),
  );
  deps.queue.announce(mailJobs);
}

/** Locks the user's row. The address that waits to be confirmed, a new one before the present one. */
async function findAwaited(
  transaction: Transaction<Schema>,
  userId: string,
  now: Date,
): Promise<string | null> {
  const user = await lockUser(transaction, userId);
  if (!user) return null;
  const present = user.email_confirmed_at ? null : user.email;
  return (await findPendingAddress(transaction, user, now)) ?? present;
}

/**
 * Confirms the address that a link was mailed to, with the session of its account or with its password.
 * The link alone is not enough: mail scanners open it, and strangers have it mailed who sign up with an
 * address that is not theirs. `signedIn` is the user of the request's session.
 *
 * Throws Link_Invalid, Account_Proof_Required, Account_Password_Invalid, and Email_Already_Exists when
 * another account has the address meanwhile: the unique key decides. The link stays valid but after the
 * first. Links for a new password that were mailed to the former address are deleted.
 */
export async function confirmEmail(
  deps: IdentityDeps,
  { token, password }: EmailConfirmation,
  { signedIn, ip }: { signedIn: string | null; ip: string },
): Promise<void> {
  const now = deps.clock.now();
  const userId = await findLinkOwner(deps.database.sql, 'email', token, now);
  if (!userId) throw new ApiError(identityErrors.Link_Invalid);
  let confirmedHash: string | null = null;
  if (signedIn !== userId) {
    if (password === undefined) throw new ApiError(identityErrors.Account_Proof_Required);
    confirmedHash = await confirmPassword(deps, { userId, ip }, password, '/password');
  }
  const work = inTransaction(deps.database.sql, async (transaction) => {
    if (confirmedHash !== null)
      await requirePassword(transaction, userId, confirmedHash, '/password');
    const link = await consumeLink(transaction, 'email', token, now);
    if (!link?.email) throw new ApiError(identityErrors.Link_Invalid);
    const { user, email } = link;
    const key = emailKey(email);
    await transaction
      .updateTable('users')
      .set({ email, email_key: key, email_confirmed_at: now, unproven_before: null })
      .where('id', '=', user.id)
      .execute();
    if (user.email_key === key) return null;
    await deleteLinks(transaction, user.id, 'password');
    await resetThrottling(transaction, emailKey(user.email));
    return key;
  });
  const newKey = await work.catch((error: unknown) => {
    throw isUniqueViolation(error) ? takenAddress() : error;
  });
  // The session or the password has shown that this is the owner's place.
  if (newKey !== null) await makeKnown(deps, { mailbox: newKey, ip });
}

/** SQLSTATE unique_violation: postgresql.org/docs/current/errcodes-appendix.html */
function isUniqueViolation(error: unknown): boolean {
  return hasErrorCode(error, '23505');
}

/** For a request for the present address. It sends no mail, so it does not count toward their limits. */
export async function cancelEmailChange(
  deps: Pick<Platform, 'database'>,
  user: User,
  confirmedHash: string,
): Promise<void> {
  await inTransaction(deps.database.sql, async (transaction) => {
    await requirePassword(transaction, user.id, confirmedHash);
    await cancelAddressChanges(transaction, user);
  });
}

/** The new address replaces the old one when its link is used; the old address gets a mail. */
export async function requestEmailChange(
  deps: IdentityDeps,
  user: User,
  { email, confirmedHash, ip }: Pick<EmailChange, 'email'> & { confirmedHash: string; ip: string },
): Promise<void> {
  if (await findCredentials(deps, email)) throw takenAddress();
  const now = deps.clock.now();
  const write = () =>
    inTransaction(deps.database.sql, async (transaction) => {
      await requirePassword(transaction, user.id, confirmedHash);
      await sendConfirmation(deps, transaction, { userId: user.id, email, now });
      const cause = `email change ${deps.randomness.uuid()}`;
      await queueMail(deps, transaction, { userId: user.id, cause, now, ...emailChangeMail });
    });
  await throttled(deps, 'mail-to-mailbox', { mailbox: mailboxKey(email), ip }, write);
  deps.queue.announce(mailJobs);
}
