import { sql, type Transaction } from 'kysely';
import type { Schema } from '../../platform/database/schema.ts';

/**
 * When accounts are erased, removes their balances from `deliveries.figures`. A message that is being sent
 * may have read them already: its row gets a null for each erased account, and `updateRows` writes its
 * figures without those. The slots are locked so that no message is claimed meanwhile, whose row this
 * statement would not see.
 */
export async function eraseFigures(
  transaction: Transaction<Schema>,
  userId: string,
  accountIds: number[],
): Promise<void> {
  const keys = accountIds.map(String);
  await sql`
    update deliveries set figures = case when outcome = 'pending'
        then coalesce(figures, '{}')
          || (select jsonb_object_agg(id, null) from unnest(${keys}::text[]) id)
        else figures - ${keys}::text[] end
    where user_id = ${userId}
      and (figures is not null or (outcome = 'pending' and kind = 'daily'))`.execute(transaction);
}
