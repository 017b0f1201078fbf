import { sql } from 'kysely';
import type { FigureListener } from '../../banking/deps.ts';
import { lockSlotsForShare } from '../schedule/slots.ts';

/**
 * Erases the figures of erased accounts that messages said. A message that is being sent may have read
 * them: its row is told which they are, and its figures are written without them. None is claimed
 * meanwhile, whose row would not be seen here.
 */
export const toldFigures: Pick<FigureListener, 'beforeErasure' | 'erased'> = {
  async beforeErasure(transaction, userId) {
    await lockSlotsForShare(transaction, userId);
  },
  async erased(transaction, userId, accountIds) {
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
