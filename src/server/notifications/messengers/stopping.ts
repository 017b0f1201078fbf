import type { Transaction } from 'kysely';
import type { Schema } from '../../platform/database/schema.ts';

/** Plans no more messages of an account until their owner resumes them. False when none were active. */
export async function stopMessengers(sql: Transaction<Schema>, ownerId: string): Promise<boolean> {
  const { numUpdatedRows } = await sql
    .updateTable('messengers')
    .set({ stopped: true, next_at: null })
    .where('user_id', '=', ownerId)
    .where('stopped', '=', false)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
