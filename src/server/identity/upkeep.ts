import type { Platform } from '../platform/platform.ts';
import { historyStart, type UpkeepStep } from '../platform/upkeep.ts';

type Needed = Pick<Platform, 'database' | 'clock'>;

export const identityUpkeep: UpkeepStep[] = [
  { name: 'mails', run: removeOldMails },
  { name: 'sessions', run: (deps) => removeExpired(deps, 'sessions') },
  { name: 'links', run: (deps) => removeExpired(deps, 'account_links') },
];

async function removeOldMails(deps: Needed): Promise<void> {
  await deps.database.sql
    .deleteFrom('mails')
    .where('created_at', '<', historyStart(deps))
    .execute();
}

async function removeExpired(
  { database, clock }: Needed,
  table: 'sessions' | 'account_links',
): Promise<void> {
  await database.sql.deleteFrom(table).where('expires_at', '<', clock.now()).execute();
}
