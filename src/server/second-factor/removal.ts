import { securityMail } from '../accounts/mails.ts';
import { queueMail } from '../mails/outbox.ts';
import type { Parts } from '../parts.ts';

/** With its recovery codes. False when there was none. */
export async function removeSecondFactor(
  parts: Pick<Parts, 'database' | 'queue' | 'randomness' | 'vault' | 'clock'>,
  ownerId: string,
): Promise<boolean> {
  const removed = await parts.database.sql.transaction().execute(async (sql) => {
    const { numDeletedRows } = await sql
      .deleteFrom('second_factors')
      .where('user_id', '=', ownerId)
      .executeTakeFirst();
    if (numDeletedRows === 0n) return false;
    const now = parts.clock.now();
    const cause = `second factor off ${parts.randomness.uuid()}`;
    const mail = { userId: ownerId, cause, now, ...securityMail('second-factor-off') };
    await queueMail(parts, sql, mail);
    return true;
  });
  parts.queue.announce('mails');
  return removed;
}
