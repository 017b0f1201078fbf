import type { Parts } from '../parts.ts';
import { withdrawSealedUnlessUsed } from '../workspaces/withdrawal.ts';

type Needed = Pick<Parts, 'database' | 'clock' | 'vault' | 'chat'>;

/** Each token goes from here once it is withdrawn, or left to whoever else has the team. */
export async function withdrawChats(parts: Needed, userId: string): Promise<void> {
  const rows = await parts.database.sql
    .selectFrom('deletion_chats')
    .selectAll()
    .where('user_id', '=', userId)
    .execute();
  for (const row of rows) {
    await withdrawSealedUnlessUsed(parts, row);
    await parts.database.sql
      .deleteFrom('deletion_chats')
      .where('user_id', '=', userId)
      .where('id', '=', row.id)
      .execute();
  }
}
