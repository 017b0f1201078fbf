import { sql } from 'kysely';
import type { FigureListener } from '../../banking/deps.ts';
import { lockSlotsForShare } from '../schedule/slots.ts';

/**
 * When accounts are erased, forgets for which notifications they were chosen, and removes their balances
 * from `deliveries.figures`. A message that is being sent may have read them already: its row gets a null
 * for each erased account, and `updateRows` writes its figures without those. The slots are locked so that
 * no message is claimed meanwhile, whose row this statement would not see.
 */
export const figureErasure: Pick<FigureListener, 'beforeErasure' | 'erased'> = {
  async beforeErasure(transaction, userId) {
    await lockSlotsForShare(transaction, userId);
  },
  async erased(transaction, userId, accountIds) {
    await transaction
      .deleteFrom('messenger_accounts')
      .where('user_id', '=', userId)
      .where('account_id', 'in', accountIds)
      .execute();
    const keys = accountIds.map(String);
    await sql`
      update deliveries set figures = case when outcome = 'pending'
          then coalesce(figures, '{}')
            || (select jsonb_object_agg(id, null) from unnest(${keys}::text[]) id)
          else figures - ${keys}::text[] end
      where user_id = ${userId}
        and (figures is not null or (outcome = 'pending' and kind = 'daily'))`.execute(transaction);
  },
};
