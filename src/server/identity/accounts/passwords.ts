import type { Transaction } from 'kysely';
import type { PasswordReset } from '../../../shared/contract/accounts.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { Refusal } from '../../platform/http/api-error.ts';
import type { IdentityDeps } from '../deps.ts';
import {
  dropLinks,
  dropOtherAddresses,
  findLinkOwner,
  useLink,
} from '../one-time-links/queries.ts';
import { dropSecondFactor } from '../second-factor/removal.ts';
import { endOtherSessions } from '../sessions/queries.ts';
import { forgetAttempts } from '../throttling/counters.ts';
import { requirePassword } from '../users/current-password.ts';
import { emailKey } from '../users/email-key.ts';
import { isAcceptablePassword } from '../users/password-policy.ts';
import { type NoticeParts, queueSecurityNotice } from './security-notice.ts';
import { stopMessengers } from './stopping.ts';

/**
 * Every session but the one that asks ends. Throws Account_Password_Invalid, also when the password
 * that was confirmed has been replaced meanwhile: a reset by its owner is not undone.
 */
export async function changePassword(
  parts: IdentityDeps,
  ownerId: string,
  { password, token, confirmedHash }: { password: string; token: string; confirmedHash: string },
): Promise<void> {
  if (!isAcceptablePassword(password)) throw new Refusal('Account_Password_Invalid');
  const hash = await parts.passwords.hash(password);
  await parts.database.sql.transaction().execute(async (sql) => {
    await requirePassword(sql, ownerId, confirmedHash);
    await replacePassword(parts, sql, { ownerId, hash, keptToken: token });
  });
  parts.queue.announce('mails');
}

/**
 * With a link: every session ends, and the address the link was mailed to has shown whose it is.
 * Throws Link_Invalid, and Account_Password_Invalid, after which the link still works.
 */
export async function resetPassword(
  parts: IdentityDeps,
  { token, password }: PasswordReset,
): Promise<void> {
  const { sql: database } = parts.database;
  const ownerId = await findLinkOwner(database, 'password', token, parts.clock.now());
  if (!ownerId) throw new Refusal('Link_Invalid');
  if (!isAcceptablePassword(password)) throw new Refusal('Account_Password_Invalid');
  const hash = await parts.passwords.hash(password);
  await database.transaction().execute(async (sql) => {
    const link = await useLink(sql, 'password', token, parts.clock.now());
    if (!link) throw new Refusal('Link_Invalid');
    await replacePassword(parts, sql, { ownerId, hash, keptToken: null });
    await dropLinks(sql, ownerId, 'password');
    if (link.email !== null) await confirmReached(parts, sql, ownerId, link.email);
  });
  parts.queue.announce('mails');
}

async function replacePassword(
  parts: NoticeParts,
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
  await queueSecurityNotice(parts, sql, ownerId, 'password');
}

/**
 * The first proof of whose the address is. Until then a stranger may have signed up with it: what
 * would keep its owner out, or speak to the stranger's team, ends.
 */
async function confirmReached(
  parts: NoticeParts,
  sql: Transaction<Schema>,
  ownerId: string,
  email: string,
): Promise<void> {
  const { numUpdatedRows } = await sql
    .updateTable('users')
    .set({ email_confirmed_at: parts.clock.now() })
    .where('id', '=', ownerId)
    .where('email_key', '=', emailKey(email))
    .where('email_confirmed_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  await dropSecondFactor(parts, sql, ownerId);
  const stopped = await stopMessengers(sql, ownerId);
  if (stopped) await queueSecurityNotice(parts, sql, ownerId, 'messengers-off');
}
