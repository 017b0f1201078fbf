import type { Transaction } from 'kysely';
import type { Schema } from '../../platform/database/schema.ts';
import { queueMail } from '../../platform/mail/outbox.ts';
import type { Platform } from '../../platform/platform.ts';
import { type AccountChange, securityMail } from './mails.ts';

export type NoticeParts = Pick<Platform, 'queue' | 'randomness' | 'vault' | 'clock'>;

/** Writes to the owner, each time: whoever changed it may be somebody else. */
export async function queueSecurityNotice(
  parts: NoticeParts,
  sql: Transaction<Schema>,
  userId: string,
  change: AccountChange,
): Promise<void> {
  const cause = `${change} ${parts.randomness.uuid()}`;
  await queueMail(parts, sql, { userId, cause, now: parts.clock.now(), ...securityMail(change) });
}
