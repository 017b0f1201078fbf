import { bankingUpkeep } from '../../banking/upkeep.ts';
import { identityUpkeep } from '../../identity/upkeep.ts';
import { notificationsUpkeep } from '../../notifications/upkeep.ts';
import { maintenanceTimeouts } from '../../platform/database/connections.ts';
import { withLongStatements } from '../../platform/database/long-statements.ts';
import type { Platform } from '../../platform/platform.ts';
import type { UpkeepStep } from '../../platform/upkeep.ts';
import { deletionUpkeep } from '../../privacy/deletion/queries.ts';
import { operatorMailsUpkeep } from '../operator-mails.ts';

type Needed = Parameters<(typeof bankingUpkeep)[number]['run']>[0] &
  Parameters<(typeof notificationsUpkeep)[number]['run']>[0] &
  Pick<Platform, 'queue' | 'log'>;

const steps: UpkeepStep<Needed>[] = [
  ...identityUpkeep,
  ...bankingUpkeep,
  ...notificationsUpkeep,
  ...deletionUpkeep,
  ...operatorMailsUpkeep,
];

/**
 * Runs every step, one after the other; one that fails does not prevent the others. Throws at the
 * end when any failed, so that the job fails too and the queue records it.
 */
export async function runHourlyUpkeep(deps: Needed): Promise<void> {
  const failed: string[] = [];
  await withLongStatements(deps.database, maintenanceTimeouts, async (database) => {
    for (const { name, run } of steps) {
      try {
        await run({ ...deps, database });
      } catch (error) {
        deps.log.error({ err: error, step: name }, 'a step of the upkeep failed');
        failed.push(name);
      }
    }
  });
  if (failed.length > 0) throw new Error(`steps that failed: ${failed.join(', ')}`);
}
