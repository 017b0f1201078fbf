import type { Transaction } from 'kysely';
import type { PasswordReset } from '../../shared/contract/accounts.ts';
import { forgetAttempts } from '../attempts/counters.ts';
import type { Schema } from '../database/schema.ts';
import { Refusal } from '../errors/refusal.ts';
import { dropLinks, isLinkAlive, useLink } from '../links/queries.ts';
import { queueMail } from '../mails/outbox.ts';
import type { Parts } from '../parts.ts';
import { endOtherSessions } from '../sessions/queries.ts';
import { emailKey } from '../users/email-key.ts';
import { isAcceptablePassword } from '../users/password-policy.ts';
import { securityMail } from './mails.ts';

/** Every session but the one that asks ends. Throws Account_Password_Invalid. */
export async function changePassword(
  parts: Parts,
  ownerId: string,
  { password, token }: { password: string; token: string },
): Promise<void> {
  if (!isAcceptablePassword(password)) throw new Refusal('Account_Password_Invalid');
  const hash = await parts.passwords.hash(password);
  await parts.database.sql
    .transaction()
    .execute((sql) => replacePassword(parts, sql, { ownerId, hash, keptToken: token }));
  parts.queue.announce('mails');
}

/**
 * With a link: every session ends, and the address the link was mailed to has shown whose it is.
 * Throws Link_Invalid, and Account_Password_Invalid, after which the link still works.
 */
export async function resetPassword(
  parts: Parts,
  { token, password }: PasswordReset,
): Promise<void> {
  const { sql: database } = parts.database;
  const isAlive = await isLinkAlive(database, 'password', token, parts.clock.now());
  if (!isAlive) throw new Refusal('Link_Invalid');
  if (!isAcceptablePassword(password)) throw new Refusal('Account_Password_Invalid');
  const hash = await parts.passwords.hash(password);
  await database.transaction().execute(async (sql) => {
    const now = parts.clock.now();
    const link = await useLink(sql, 'password', token, now);
    if (!link) throw new Refusal('Link_Invalid');
    const { userId: ownerId } = link;
    await replacePassword(parts, sql, { ownerId, hash, keptToken: null });
    if (link.email !== null) await confirmReached(sql, ownerId, link.email, now);
  });
  parts.queue.announce('mails');
}

async function replacePassword(
  parts: Pick<Parts, 'queue' | 'randomness' | 'vault' | 'clock'>,
  sql: Transaction<Schema>,
  { ownerId, hash, keptToken }: { ownerId: string; hash: string; keptToken: string | null },
): Promise<void> {
  // First: a sign-in with the former password under way waits for this row, and then fails.
  const { email_key: key } = await sql
    .updateTable('users')
    .set({ password_hash: hash })
    .where('id', '=', ownerId)
    .returning('email_key')
    .executeTakeFirstOrThrow();
  await endOtherSessions(sql, ownerId, keptToken);
  await dropLinks(sql, ownerId, 'password');
  await forgetAttempts(sql, key);
  await queueMail(parts, sql, {
    userId: ownerId,
    cause: `password changed ${parts.randomness.uuid()}`,
    now: parts.clock.now(),
    ...securityMail('password'),
  });
}

async function confirmReached(sql: Transaction<Schema>, ownerId: string, email: string, now: Date) {
  await sql
    .updateTable('users')
    .set({ email_confirmed_at: now })
    .where('id', '=', ownerId)
    .where('email_key', '=', emailKey(email))
    .where('email_confirmed_at', 'is', null)
    .execute();
}
