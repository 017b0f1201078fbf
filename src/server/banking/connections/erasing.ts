import { sql, type Transaction } from 'kysely';
import type { Schema } from '../../platform/database/schema.ts';
import type { Platform } from '../../platform/platform.ts';

/** Erases a connection with its accounts and their balances, also those that messages have said. */
export async function eraseItem(
  { database }: Pick<Platform, 'database'>,
  ownerId: string,
  itemId: number,
): Promise<void> {
  await database.sql.transaction().execute(async (transaction) => {
    await noteErasure(transaction, ownerId);
    await eraseItems(transaction, ownerId, [itemId]);
  });
}

/**
 * Erases all that the provider ever said about a user it no longer knows, and its name for him,
 * unless he has registered again meanwhile.
 */
export async function eraseBankUser(
  { database }: Pick<Platform, 'database'>,
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
    const items = await transaction
      .selectFrom('bank_items')
      .select('id')
      .where('user_id', '=', ownerId)
      .execute();
    await eraseItems(
      transaction,
      ownerId,
      items.map(({ id }) => id),
    );
  });
}

/** The same within a transaction, for several. */
export async function eraseItems(
  transaction: Transaction<Schema>,
  ownerId: string,
  itemIds: number[],
): Promise<void> {
  if (itemIds.length === 0) return;
  await sql`
    update deliveries set figures = figures - array(
        select id::text from bank_accounts
        where user_id = ${ownerId} and item_id in (${sql.join(itemIds)}))
    where user_id = ${ownerId} and figures is not null`.execute(transaction);
  await transaction
    .deleteFrom('bank_items')
    .where('user_id', '=', ownerId)
    .where('id', 'in', itemIds)
    .execute();
}

/** A reading under way must not bring back what is erased here: see storeReading. */
async function noteErasure(transaction: Transaction<Schema>, ownerId: string): Promise<void> {
  await transaction
    .updateTable('bank_refreshes')
    .set(({ eb }) => ({ erasures: eb('erasures', '+', 1) }))
    .where('user_id', '=', ownerId)
    .execute();
}
