import type { Transaction } from 'kysely';
import type { Schema } from '../database/schema.ts';
import type { Parts } from '../parts.ts';

/** Erases a connection with its accounts and their balances. */
export async function eraseItem(
  { database }: Pick<Parts, 'database'>,
  ownerId: string,
  itemId: number,
): Promise<void> {
  await database.sql.transaction().execute(async (transaction) => {
    await noteErasure(transaction, ownerId);
    await transaction
      .deleteFrom('bank_items')
      .where('user_id', '=', ownerId)
      .where('id', '=', itemId)
      .execute();
  });
}

/**
 * Erases all that the provider ever said about a user it no longer knows, and its name for him,
 * unless he has registered again meanwhile.
 */
export async function eraseBankUser(
  { database }: Pick<Parts, 'database'>,
  ownerId: string,
  providerUserId: string,
): Promise<void> {
  await database.sql.transaction().execute(async (transaction) => {
    await noteErasure(transaction, ownerId);
    const { numDeletedRows } = await transaction
      .deleteFrom('bank_users')
      .where('user_id', '=', ownerId)
      .where('provider_user_id', '=', providerUserId)
      .executeTakeFirst();
    if (numDeletedRows === 0n) return;
    await transaction.deleteFrom('bank_items').where('user_id', '=', ownerId).execute();
  });
}

/** A reading under way must not bring back what is erased here: see storeReading. */
async function noteErasure(transaction: Transaction<Schema>, ownerId: string): Promise<void> {
  await transaction
    .updateTable('bank_refreshes')
    .set(({ eb }) => ({ erasures: eb('erasures', '+', 1) }))
    .where('user_id', '=', ownerId)
    .execute();
}
