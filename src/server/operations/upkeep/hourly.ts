import { bankingUpkeep } from '../../banking/upkeep.ts';
import { identityUpkeep } from '../../identity/upkeep.ts';
import { notificationsUpkeep } from '../../notifications/upkeep.ts';
import { maxClockSkewMs } from '../../platform/clock.ts';
import { clockSkewMs } from '../../platform/database/clock-skew.ts';
import { maintenanceTimeouts } from '../../platform/database/connections.ts';
import { withLongStatements } from '../../platform/database/long-statements.ts';
import type { Platform } from '../../platform/platform.ts';
import type { UpkeepStep } from '../../platform/upkeep.ts';
import { deletionUpkeep } from '../../privacy/deletion/work.ts';
import { operatorMailsUpkeep } from '../operator-mails.ts';

type Needed = Parameters<(typeof bankingUpkeep)[number]['run']>[0] &
  Parameters<(typeof notificationsUpkeep)[number]['run']>[0] &
  Pick<Platform, 'queue' | 'log' | 'machineClock'>;

const steps: UpkeepStep<Needed>[] = [
  ...identityUpkeep,
  ...bankingUpkeep,
  ...notificationsUpkeep,
  ...deletionUpkeep,
  ...operatorMailsUpkeep,
];

/**
 * Runs every step, one after the other; one that fails does not prevent the others. Throws at the
 * end when any failed, so that the job fails too and the queue records it. Does nothing but throw while
 * the clocks of this machine and of the database differ: a clock that runs ahead would delete what is
 * to be kept.
 */
export async function runHourlyUpkeep(deps: Needed): Promise<void> {
  const skewMs = await clockSkewMs(deps.database, deps.machineClock);
  if (skewMs > maxClockSkewMs) {
    const apartSeconds = Math.round(skewMs / 1000);
    deps.log.error(
      { apartSeconds },
      'no upkeep is done: the clocks of database and machine differ',
    );
    throw new Error(`the clocks of database and machine differ by ${apartSeconds} s`);
  }
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
