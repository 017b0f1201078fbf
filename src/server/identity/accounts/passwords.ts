import type { Transaction } from 'kysely';
import type { PasswordReset } from '../../../shared/contract/accounts.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { ApiError } from '../../platform/http/api-error.ts';
import type { Platform } from '../../platform/platform.ts';
import type { IdentityDeps } from '../deps.ts';
import { identityErrors } from '../errors.ts';
import { type ForgottenPasswordJob, forgottenPasswordJobs, mailJobs } from '../jobs.ts';
import { queueMail } from '../mails/outbox.ts';
import {
  countLinks,
  createLink,
  dropLinks,
  dropOtherAddresses,
  findLinkOwner,
  passwordAddress,
  useLink,
} from '../one-time-links/one-time-links.ts';
import { dropSecondFactor } from '../second-factor/enrolment.ts';
import { endOtherSessions } from '../sessions/queries.ts';
import { forgetAttempts } from '../throttling/counters.ts';
import { requirePassword } from '../users/current-password.ts';
import { isAcceptablePassword } from '../users/password-policy.ts';
import { emailKey, findCredentials, holdUser } from '../users/queries.ts';
import { type NoticeParts, queueSecurityNotice, resetMail } from './mails.ts';
import { stopMessengers } from './stopping.ts';

/**
 * Every session but the one that asks ends. Throws Account_Password_Invalid, also when the password
 * that was confirmed has been replaced meanwhile: a reset by its owner is not undone.
 */
export async function changePassword(
  deps: IdentityDeps,
  ownerId: string,
  { password, token, confirmedHash }: { password: string; token: string; confirmedHash: string },
): Promise<void> {
  if (!isAcceptablePassword(password)) throw new ApiError(identityErrors.Account_Password_Invalid);
  const hash = await deps.passwords.hash(password);
  await deps.database.sql.transaction().execute(async (sql) => {
    await requirePassword(sql, ownerId, confirmedHash);
    await replacePassword(deps, sql, { ownerId, hash, keptToken: token });
  });
  deps.queue.announce(mailJobs);
}

/**
 * With a link: every session ends, and the address the link was mailed to has shown whose it is.
 * Throws Link_Invalid, and Account_Password_Invalid, after which the link still works.
 */
export async function resetPassword(
  deps: IdentityDeps,
  { token, password }: PasswordReset,
): Promise<void> {
  const { sql: database } = deps.database;
  const ownerId = await findLinkOwner(database, 'password', token, deps.clock.now());
  if (!ownerId) throw new ApiError(identityErrors.Link_Invalid);
  if (!isAcceptablePassword(password)) throw new ApiError(identityErrors.Account_Password_Invalid);
  const hash = await deps.passwords.hash(password);
  await database.transaction().execute(async (sql) => {
    const link = await useLink(sql, 'password', token, deps.clock.now());
    if (!link) throw new ApiError(identityErrors.Link_Invalid);
    await replacePassword(deps, sql, { ownerId, hash, keptToken: null });
    await dropLinks(sql, ownerId, 'password');
    if (link.email !== null) await confirmReached(deps, sql, ownerId, link.email);
  });
  deps.queue.announce(mailJobs);
}

async function replacePassword(
  deps: NoticeParts,
  sql: Transaction<Schema>,
  { ownerId, hash, keptToken }: { ownerId: string; hash: string; keptToken: string | null },
): Promise<void> {
  // First: a sign-in with the former password under way waits for this row, and then fails.
  const user = await sql
    .updateTable('users')
    .set({ password_hash: hash })
    .where('id', '=', ownerId)
    .returning(['id', 'email', 'email_key'])
    .executeTakeFirstOrThrow();
  await endOtherSessions(sql, ownerId, keptToken);
  // A change of address that waits may be the wish of whom this password locks out.
  await dropOtherAddresses(sql, user);
  await forgetAttempts(sql, user.email_key);
  await queueSecurityNotice(deps, sql, ownerId, 'password');
}

/**
 * The first proof of whose the address is. Until then a stranger may have signed up with it: what
 * would keep its owner out, or speak to the stranger's team, ends.
 */
async function confirmReached(
  deps: NoticeParts,
  sql: Transaction<Schema>,
  ownerId: string,
  email: string,
): Promise<void> {
  const { numUpdatedRows } = await sql
    .updateTable('users')
    .set({ email_confirmed_at: deps.clock.now() })
    .where('id', '=', ownerId)
    .where('email_key', '=', emailKey(email))
    .where('email_confirmed_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  await dropSecondFactor(deps, sql, ownerId);
  const stopped = await stopMessengers(sql, ownerId);
  if (stopped) await queueSecurityNotice(deps, sql, ownerId, 'messengers-off');
}

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
