import { sql as raw, type Transaction } from 'kysely';
import { stopMessengers } from '../../identity/accounts/stopping.ts';
import { hashOf, newToken } from '../../identity/sessions/token.ts';
import { forgetAttempts } from '../../identity/throttling/counters.ts';
import { holdUser } from '../../identity/users/queries.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { Platform } from '../../platform/platform.ts';
import { deletionJobs } from '../jobs.ts';

/**
 * From here on the account is nobody's: no session, no name, no address, nothing that is sent. The
 * rows, which may be very many, and what stands at the bank's and the chat's service are left to the
 * queue. Returns the receipt, by which the outcome is read; null when there is no such user.
 */
export async function requestDeletion(
  deps: Pick<Platform, 'database' | 'clock' | 'randomness' | 'queue'>,
  ownerId: string,
): Promise<string | null> {
  const receipt = newToken(deps.randomness);
  const deletionId = deps.randomness.uuid();
  const requested = await deps.database.sql.transaction().execute(async (sql) => {
    const user = await holdUser(sql, ownerId);
    if (!user) return false;
    const now = deps.clock.now();
    await sql
      .insertInto('deletions')
      .values({
        id: deletionId,
        receipt_hash: hashOf(receipt),
        user_id: ownerId,
        provider_user_id: sql
          .selectFrom('bank_users')
          .select('provider_user_id')
          .where('user_id', '=', ownerId),
        recipient: user.email,
        requested_at: now,
        tried_at: now,
      })
      .execute();
    await cancelDeliveries(sql, ownerId);
    await takeChats(sql, ownerId);
    await stopMessengers(sql, ownerId);
    await makeNobody(sql, ownerId);
    await forgetAttempts(sql, user.email_key);
    await forgetAttempts(sql, ownerId);
    await deps.queue.insert(sql, deletionJobs, [{ data: { deletionId } }]);
    return true;
  });
  if (requested) deps.queue.announce(deletionJobs);
  return requested ? receipt : null;
}

/** The tokens are still needed, to be withdrawn; nothing is posted with them any more. */
async function takeChats(sql: Transaction<Schema>, ownerId: string): Promise<void> {
  await sql
    .insertInto('deletion_chats')
    .columns(['user_id', 'id', 'team_id', 'sealed_token'])
    .expression((from) =>
      from
        .selectFrom('workspaces')
        .select(['user_id', 'id', 'team_id', 'sealed_token'])
        .where('user_id', '=', ownerId),
    )
    .execute();
  await sql
    .deleteFrom('workspaces')
    .where('user_id', '=', ownerId)
    .where('state', '=', 'pending')
    .execute();
  await sql
    .updateTable('workspaces')
    .set({ state: 'disconnected', sealed_token: '' })
    .where('user_id', '=', ownerId)
    .execute();
}

/** Before workspaces and notifications: a message that the chat refuses takes them in that order. */
async function cancelDeliveries(sql: Transaction<Schema>, ownerId: string): Promise<void> {
  await sql
    .updateTable('deliveries')
    .set({ outcome: 'cancelled', draft: null, draft_accounts: null })
    .where('user_id', '=', ownerId)
    .where('outcome', '=', 'pending')
    .execute();
}

/** Sessions stay as bare hashes: their tokens still hear that the user is gone. */
async function makeNobody(sql: Transaction<Schema>, ownerId: string): Promise<void> {
  await sql
    .updateTable('sessions')
    .set({ user_id: nobody, device: null })
    .where('user_id', '=', ownerId)
    .execute();
  await sql.deleteFrom('account_links').where('user_id', '=', ownerId).execute();
  await sql.deleteFrom('second_factors').where('user_id', '=', ownerId).execute();
  await sql.deleteFrom('bank_users').where('user_id', '=', ownerId).execute();
  await sql.deleteFrom('mails').where('user_id', '=', ownerId).execute();
  await sql
    .updateTable('users')
    .set({
      email: '',
      email_key: raw`'deleted ' || id`,
      password_hash: '',
      firstname: '',
      lastname: '',
    })
    .where('id', '=', ownerId)
    .execute();
}

const nobody = '00000000-0000-0000-0000-000000000000';
