import { patientLimits } from '../database/connections.ts';
import { unhurried } from '../database/unhurried.ts';
import { takeUpDeletions } from '../deletions/queries.ts';
import type { Parts } from '../parts.ts';
import { endUnclaimed } from '../workspaces/unclaimed.ts';
import { removals } from './removals.ts';
import { takeSteps } from './steps.ts';

/** What is done every hour. Where a step fails, the job does too, so that the queue's record says so. */
export async function keepUp(
  parts: Pick<Parts, 'database' | 'queue' | 'clock' | 'vault' | 'chat' | 'log'>,
): Promise<void> {
  await unhurried(parts.database, patientLimits, (patient) =>
    takeSteps(parts, {
      ...removals(patient, parts.clock.now()),
      'erasures taken up': () => takeUpDeletions(parts),
      'unclaimed installations': () => endUnclaimed(parts),
    }),
  );
}
