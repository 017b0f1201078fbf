import type { Transaction } from 'kysely';
import type { Schema } from '../../platform/database/schema.ts';

/**
 * These notifications have a place to go to, or another address is asked for them: an address that was asked
 * before, and accepts now, does not take them away from there.
 */
export async function withdrawQuestions(
  transaction: Transaction<Schema>,
  userId: string,
  messengerIds: string[],
): Promise<void> {
  if (messengerIds.length === 0) return;
  await transaction
    .updateTable('mailboxes')
    .set({ messenger_id: null })
    .where('user_id', '=', userId)
    .where('messenger_id', 'in', messengerIds)
    .execute();
}
