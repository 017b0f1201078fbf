import type { Transaction } from 'kysely';
import type { PasswordReset } from '../../../shared/contract/accounts.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transactions.ts';
import { ApiError } from '../../platform/http/api-error.ts';
import { emailKey } from '../../platform/mail/email-key.ts';
import type { Platform } from '../../platform/platform.ts';
import type { IdentityDeps } from '../deps.ts';
import { identityErrors, unacceptablePassword } from '../errors.ts';
import { type ForgottenPasswordJob, forgottenPasswordJobs, mailJobs } from '../jobs.ts';
import { queueMail } from '../mails/outbox.ts';
import {
  cancelAddressChanges,
  consumeLink,
  countLinks,
  createLink,
  deleteLinks,
  findLinkOwner,
  passwordLinkUrl,
} from '../one-time-links/one-time-links.ts';
import { removeSecondFactorIn } from '../second-factor/enrolment.ts';
import type { Requester } from '../sessions/authentication.ts';
import { endOtherSessions } from '../sessions/queries.ts';
import { resetThrottling } from '../throttling/counters.ts';
import { makeKnown } from '../throttling/throttling.ts';
import { requirePassword } from '../users/current-password.ts';
import { isAcceptablePassword } from '../users/password-policy.ts';
import { findCredentials, type LockedUser, lockUser, mailboxKey } from '../users/queries.ts';
import { queueSecurityMail, resetMail, type SecurityMailDeps } from './mails.ts';

/**
 * Ends every session except the one with `token`. Throws Account_Password_Invalid, also when the
 * confirmed password was replaced meanwhile, so that a reset by the owner is not undone.
 */
export async function changePassword(
  deps: IdentityDeps,
  { userId, ip }: Requester,
  { password, token, confirmedHash }: { password: string; token: string; confirmedHash: string },
): Promise<void> {
  if (!isAcceptablePassword(password)) throw unacceptablePassword();
  const hash = await deps.passwords.hash(password);
  const mailbox = await inTransaction(deps.database.sql, async (transaction) => {
    await requirePassword(transaction, userId, confirmedHash);
    return await replacePassword(deps, transaction, { userId, hash, keptToken: token });
  });
  deps.queue.announce(mailJobs);
  await makeKnown(deps, { mailbox, ip });
}

/**
 * Sets a new password with a one-time link. Ends every session, confirms the address that the link was
 * mailed to, and ends what was set up while that address was not confirmed. Throws Link_Invalid, and
 * Account_Password_Invalid, after which the link still works.
 */
export async function resetPassword(
  deps: IdentityDeps,
  { token, password }: PasswordReset,
): Promise<void> {
  const { sql: database } = deps.database;
  const userId = await findLinkOwner(database, 'password', token, deps.clock.now());
  if (!userId) throw new ApiError(identityErrors.Link_Invalid);
  if (!isAcceptablePassword(password)) throw unacceptablePassword();
  const hash = await deps.passwords.hash(password);
  await inTransaction(database, async (transaction) => {
    const link = await consumeLink(transaction, 'password', token, deps.clock.now());
    if (!link) throw new ApiError(identityErrors.Link_Invalid);
    await replacePassword(deps, transaction, { userId, hash, keptToken: null });
    await deleteLinks(transaction, userId, 'password');
    if (link.email !== null) {
      // Only here: a new password alone proves nothing about the mailbox, whose mails it must not free.
      await resetThrottling(transaction, mailboxKey(link.email));
      await proveAddress(deps, transaction, link.user, link.email);
    }
  });
  deps.queue.announce(mailJobs);
}

/** Returns the key of the user's address, which is known nowhere any more. */
async function replacePassword(
  deps: SecurityMailDeps,
  transaction: Transaction<Schema>,
  { userId, hash, keptToken }: { userId: string; hash: string; keptToken: string | null },
): Promise<string> {
  // First: a concurrent sign-in with the former password waits for this row and then fails.
  const user = await transaction
    .updateTable('users')
    .set({ password_hash: hash })
    .where('id', '=', userId)
    .returning(['id', 'email'])
    .executeTakeFirstOrThrow();
  await endOtherSessions(transaction, userId, keptToken);
  // A pending change of address may come from the person whom the new password locks out.
  await cancelAddressChanges(transaction, user);
  // Not its `email_key`: tries are counted before an account is looked for.
  const key = emailKey(user.email);
  await resetThrottling(transaction, key);
  await queueSecurityMail(deps, transaction, userId, 'password');
  return key;
}

/**
 * Confirms the address, and ends what a stranger may have set up who signed up with it: everything on the
 * first confirmation, and what is older where an earlier confirmation proved less. What was set up on a
 * confirmed address stays, so that reading the mailbox is not enough to pass the second factor.
 */
async function proveAddress(
  deps: IdentityDeps,
  transaction: Transaction<Schema>,
  user: LockedUser,
  email: string,
): Promise<void> {
  const { id: userId, email_confirmed_at: confirmedAt, unproven_before: before } = user;
  if (emailKey(user.email) !== emailKey(email) || (confirmedAt && !before)) return;
  await transaction
    .updateTable('users')
    .set({ email_confirmed_at: confirmedAt ?? deps.clock.now(), unproven_before: null })
    .where('id', '=', userId)
    .execute();
  await deleteLinks(transaction, userId, 'email');
  await removeSecondFactorIn(deps, transaction, userId, before);
  const hasEnded = await deps.endSetupOfUnconfirmedOwner(transaction, userId, before);
  if (hasEnded) await queueSecurityMail(deps, transaction, userId, 'settings-off');
}

/** Only inserts a job, so that known and unknown addresses take the same time. */
export async function requestResetLink(
  { database, queue }: Pick<Platform, 'database' | 'queue'>,
  email: string,
): Promise<void> {
  await inTransaction(database.sql, (transaction) =>
    queue.insert(transaction, forgottenPasswordJobs, [{ data: { email } }]),
  );
  queue.announce(forgottenPasswordJobs);
}

/** No further mail is sent while three valid links exist. */
const maxValidLinks = 3;

/** Mails a one-time link when an account has the address. */
export async function sendResetLink(
  deps: Pick<Platform, 'database' | 'queue' | 'randomness' | 'vault' | 'clock' | 'configuration'>,
  { email }: ForgottenPasswordJob,
): Promise<void> {
  const found = await findCredentials(deps, email);
  if (!found) return;
  const now = deps.clock.now();
  await inTransaction(deps.database.sql, async (transaction) => {
    // The lock makes concurrent jobs of one user count one after the other.
    const user = await lockUser(transaction, found.id);
    if (!user || emailKey(user.email) !== emailKey(email)) return;
    if ((await countLinks(transaction, user.id, 'password', now)) >= maxValidLinks) return;
    const link = { userId: user.id, purpose: 'password', email: user.email, now } as const;
    const token = await createLink(deps, transaction, link);
    await queueMail(deps, transaction, {
      userId: user.id,
      cause: `password ${deps.randomness.uuid()}`,
      now,
      ...resetMail,
      link: passwordLinkUrl(deps.configuration, token),
    });
  });
  deps.queue.announce(mailJobs);
}
