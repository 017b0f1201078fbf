import { sql } from 'kysely';
import { deleteInSlices } from '../platform/database/records.ts';
import type { Platform } from '../platform/platform.ts';
import { historyStart, type UpkeepStep } from '../platform/upkeep.ts';
import { removeOldMailboxRequests } from './destinations/mailboxes/queries.ts';
import { endUnclaimed } from './destinations/withdrawal.ts';

type Needed = Pick<Platform, 'database' | 'clock'>;

export const notificationsUpkeep: UpkeepStep<Parameters<typeof endUnclaimed>[0]>[] = [
  { name: 'deliveries', run: removeOldDeliveries },
  { name: 'authorisations', run: removeExpiredAuthorizations },
  { name: 'mailbox requests', run: removeOldMailboxRequests },
  { name: 'chat limits', run: removePassedLimits },
  { name: 'unclaimed installations', run: endUnclaimed },
];

async function removeOldDeliveries(deps: Needed): Promise<void> {
  await deleteInSlices(
    deps.database,
    (limit) => sql`
      delete from deliveries where (user_id, id) in
        (select user_id, id from deliveries where created_at < ${historyStart(deps)} limit ${limit})`,
  );
}

async function removeExpiredAuthorizations({ database, clock }: Needed): Promise<void> {
  await database.sql
    .deleteFrom('destination_authorizations')
    .where('expires_at', '<', clock.now())
    .execute();
}

async function removePassedLimits({ database }: Needed): Promise<void> {
  await sql`delete from chat_limits where blocked_until < now()`.execute(database.sql);
}
