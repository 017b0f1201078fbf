import type { Transaction } from 'kysely';
import type { Schema } from '../../platform/database/schema.ts';
import type { Platform } from '../../platform/platform.ts';
import { queueMail } from '../mails/outbox.ts';
import { type AccountChange, securityMail } from './mails.ts';

export type NoticeParts = Pick<Platform, 'queue' | 'randomness' | 'vault' | 'clock'>;

/** Writes to the owner, each time: whoever changed it may be somebody else. */
export async function queueSecurityNotice(
  deps: NoticeParts,
  sql: Transaction<Schema>,
  userId: string,
  change: AccountChange,
): Promise<void> {
  const cause = `${change} ${deps.randomness.uuid()}`;
  await queueMail(deps, sql, { userId, cause, now: deps.clock.now(), ...securityMail(change) });
}
