import { sql } from 'kysely';
import { dayMs } from '../../shared/calendar/durations.ts';
import { inTransaction } from '../platform/database/transactions.ts';
import type { Platform } from '../platform/platform.ts';
import { deletionBefore, type UpkeepStep } from '../platform/upkeep.ts';
import { forgetTold } from './alerts/arming.ts';
import { removeExpiredCommandLimits } from './balance-commands/queries.ts';
import { keepPartitions } from './deliveries/partitions.ts';
import { endImpossibleWaits } from './deliveries/store.ts';
import { pendingMs } from './destinations/queries.ts';
import { revokeAbandoned } from './destinations/revocation.ts';
import { removeOldMailboxRequests } from './linking/mailboxes/queries.ts';
import { removeUnusedSlots } from './schedule/slots.ts';
import { forgetBankTransactions } from './transactions/store.ts';

type Needed = Pick<Platform, 'database' | 'clock'>;

export const notificationsUpkeep: UpkeepStep<Parameters<typeof revokeAbandoned>[0]>[] = [
  { name: 'deliveries', run: keepPartitions },
  { name: 'slots', run: removeUnusedSlots },
  deletionBefore('states and invitations', 'destination_authorizations', 'expires_at', longPending),
  { name: 'mailbox requests', run: removeOldMailboxRequests },
  { name: 'told crossings', run: removeTold },
  { name: 'chat limits', run: removePassedLimits },
  { name: 'balance commands', run: removeExpiredCommandLimits },
  { name: 'bank transactions', run: forgetBankTransactions },
  { name: 'impossible waits', run: endImpossibleWaits },
  { name: 'abandoned destinations', run: revokeAbandoned },
];

/** An invitation that was taken at its end still waits for its user to confirm it. */
function longPending({ clock }: Pick<Platform, 'clock'>): Date {
  return new Date(clock.now().getTime() - pendingMs);
}

/** Those of the last days count: what was told at once today. Not what a delivery is still to tell. */
async function removeTold({ database, clock }: Needed): Promise<void> {
  const longAgo = new Date(clock.now().getTime() - toldForMs);
  await inTransaction(database.sql, (transaction) => forgetTold(transaction, longAgo));
}

const toldForMs = 3 * dayMs;

async function removePassedLimits({ database }: Needed): Promise<void> {
  await sql`delete from chat_limits where blocked_until < now()`.execute(database.sql);
}
