import type { Transaction } from 'kysely';
import type { Schema } from '../../platform/database/schema.ts';
import type { Platform } from '../../platform/platform.ts';
import { type NoticeParts, queueSecurityNotice } from '../accounts/security-notice.ts';
import { mailJobs } from '../jobs.ts';

/** With its recovery codes. False when none was on. */
export async function removeSecondFactor(
  deps: NoticeParts & Pick<Platform, 'database'>,
  ownerId: string,
): Promise<boolean> {
  const wasOn = await deps.database.sql
    .transaction()
    .execute((sql) => dropSecondFactor(deps, sql, ownerId));
  deps.queue.announce(mailJobs);
  return wasOn;
}

/** One that was begun and never confirmed goes too, without a word. */
export async function dropSecondFactor(
  deps: NoticeParts,
  sql: Transaction<Schema>,
  ownerId: string,
): Promise<boolean> {
  const row = await sql
    .deleteFrom('second_factors')
    .where('user_id', '=', ownerId)
    .returning('confirmed_at')
    .executeTakeFirst();
  if (!row?.confirmed_at) return false;
  await queueSecurityNotice(deps, sql, ownerId, 'second-factor-off');
  return true;
}
