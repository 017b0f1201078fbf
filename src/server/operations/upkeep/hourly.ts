import type { NotificationsDeps } from '../../notifications/deps.ts';
import { endUnclaimed } from '../../notifications/destinations/unclaimed.ts';
import { patientLimits } from '../../platform/database/connections.ts';
import { withLongStatements } from '../../platform/database/long-statements.ts';
import { takeSteps } from '../../platform/upkeep-steps.ts';
import { takeUpDeletions } from '../../privacy/deletion/queries.ts';
import { removals } from './removals.ts';

/** What is done every hour. Where a step fails, the job does too, so that the queue's record says so. */
export async function keepUp(
  deps: Pick<NotificationsDeps, 'database' | 'queue' | 'clock' | 'vault' | 'chat' | 'log'>,
): Promise<void> {
  await withLongStatements(deps.database, patientLimits, (patient) =>
    takeSteps(deps, {
      ...removals(patient, deps.clock.now()),
      'erasures taken up': () => takeUpDeletions(deps),
      'unclaimed installations': () => endUnclaimed(deps),
    }),
  );
}
