import { sql, type Transaction } from 'kysely';
import { providerUsersOf } from '../../banking/source-links/queries.ts';
import { resetThrottling } from '../../identity/throttling/counters.ts';
import { requirePassword } from '../../identity/users/current-password.ts';
import { lockUser } from '../../identity/users/queries.ts';
import { stopMessengers } from '../../notifications/messengers/queries.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transactions.ts';
import { emailKey } from '../../platform/mail/email-key.ts';
import { newToken, sha256Hex } from '../../platform/opaque-tokens.ts';
import type { Platform } from '../../platform/platform.ts';
import { deletionJobs } from '../jobs.ts';
import { takeBanks } from './banks.ts';

/**
 * Closes the account at once: no session, name, address or message to be sent is left. A job erases
 * the rows, which may be many, and the data at the services of banks and chats. Returns the receipt,
 * which gives access to the state of the deletion; null when there is no such user. Throws
 * Account_Password_Invalid when the password was replaced since `confirmedHash` was confirmed; an operator
 * confirms none.
 */
export async function requestDeletion(
  deps: Pick<Platform, 'database' | 'clock' | 'randomness' | 'queue'>,
  userId: string,
  confirmedHash: string | null = null,
): Promise<string | null> {
  const receipt = newToken(deps.randomness);
  const deletionId = deps.randomness.uuid();
  const requested = await inTransaction(deps.database.sql, async (transaction) => {
    const user = await lockUser(transaction, userId);
    if (!user) return false;
    if (confirmedHash !== null) await requirePassword(transaction, userId, confirmedHash);
    const now = deps.clock.now();
    await transaction
      .insertInto('deletions')
      .values({
        id: deletionId,
        receipt_hash: sha256Hex(receipt),
        user_id: userId,
        provider_users: providerUsersOf(userId),
        recipient: user.email,
        requested_at: now,
        tried_at: now,
      })
      .execute();
    await takeBanks(transaction, userId);
    await takeChats(transaction, userId);
    await stopMessengers(transaction, userId);
    await cancelDeliveries(transaction, userId);
    await anonymize(transaction, userId);
    await resetThrottling(transaction, emailKey(user.email));
    await resetThrottling(transaction, userId);
    await deps.queue.insert(transaction, deletionJobs, [{ data: { deletionId } }]);
    return true;
  });
  if (requested) deps.queue.announce(deletionJobs);
  return requested ? receipt : null;
}

/** Moves the secrets aside to be revoked later; nothing can be posted with them. */
async function takeChats(transaction: Transaction<Schema>, userId: string): Promise<void> {
  await transaction
    .insertInto('deletion_chats')
    .columns(['user_id', 'id', 'chat', 'team_id', 'sealed_secret'])
    .expression((from) =>
      from
        .selectFrom('destinations')
        .select(['user_id', 'id', 'chat', 'team_id', 'sealed_secret'])
        .where('user_id', '=', userId),
    )
    .execute();
  await transaction
    .deleteFrom('destinations')
    .where('user_id', '=', userId)
    .where('state', '=', 'pending')
    .execute();
  await transaction
    .updateTable('destinations')
    .set({ state: 'disconnected', sealed_secret: '' })
    .where('user_id', '=', userId)
    .execute();
}

/** After destinations and messengers: the order of locks of ARCHITECTURE.md, "How a message leaves". */
async function cancelDeliveries(transaction: Transaction<Schema>, userId: string): Promise<void> {
  await transaction
    .updateTable('deliveries')
    .set({ outcome: 'cancelled', draft: null, draft_accounts: null, draft_settings: null })
    .where('user_id', '=', userId)
    .where('outcome', '=', 'pending')
    .execute();
}

/** Keeps the sessions as hashes, so that their tokens are answered with User_Not_Found. */
async function anonymize(transaction: Transaction<Schema>, userId: string): Promise<void> {
  // First: it waits for a mail that is being written, and none is written after it.
  await transaction
    .updateTable('users')
    .set({
      email: '',
      email_key: sql`'deleted ' || id`,
      password_hash: '',
      firstname: '',
      lastname: '',
    })
    .where('id', '=', userId)
    .execute();
  await transaction
    .updateTable('sessions')
    .set({ user_id: deletedUserId, device: null })
    .where('user_id', '=', userId)
    .execute();
  for (const table of ['account_links', 'second_factors', 'bank_links', 'mails'] as const) {
    await transaction.deleteFrom(table).where('user_id', '=', userId).execute();
  }
}

const deletedUserId = '00000000-0000-0000-0000-000000000000';
