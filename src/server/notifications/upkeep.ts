import { sql } from 'kysely';
import type { Platform } from '../platform/platform.ts';
import type { UpkeepStep } from '../platform/upkeep.ts';
import { keepPartitions } from './deliveries/partitions.ts';
import { endImpossibleWaits } from './deliveries/store.ts';
import { removeOldMailboxRequests } from './destinations/mailboxes/queries.ts';
import { endUnclaimed } from './destinations/withdrawal.ts';
import { forgetOperations } from './operations/queries.ts';
import { removePassedQuestions } from './questions/queries.ts';
import { removeUnusedSlots } from './schedule/slots.ts';

type Needed = Pick<Platform, 'database' | 'clock'>;

export const notificationsUpkeep: UpkeepStep<Parameters<typeof endUnclaimed>[0]>[] = [
  { name: 'deliveries', run: keepPartitions },
  { name: 'slots', run: removeUnusedSlots },
  { name: 'authorisations', run: removeExpiredAuthorizations },
  { name: 'mailbox requests', run: removeOldMailboxRequests },
  { name: 'chat limits', run: removePassedLimits },
  { name: 'chat questions', run: removePassedQuestions },
  { name: 'operations', run: forgetOperations },
  { name: 'impossible waits', run: endImpossibleWaits },
  { name: 'unclaimed installations', run: endUnclaimed },
];

async function removeExpiredAuthorizations({ database, clock }: Needed): Promise<void> {
  await database.sql
    .deleteFrom('destination_authorizations')
    .where('expires_at', '<', clock.now())
    .execute();
}

async function removePassedLimits({ database }: Needed): Promise<void> {
  await sql`delete from chat_limits where blocked_until < now()`.execute(database.sql);
}
