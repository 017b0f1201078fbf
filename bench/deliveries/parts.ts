import { pino } from 'pino';
import { type OpenServices, openServices } from '../../src/server/app/services.ts';
import type { Clock } from '../../src/server/platform/clock.ts';
import type { Configuration } from '../../src/server/platform/configuration/configuration.ts';
import { patientLimits } from '../../src/server/platform/database/connections.ts';
import { migrate } from '../../src/server/platform/database/migrate.ts';
import { type OpenDatabase, openDatabase } from '../../src/server/platform/database/open.ts';
import { configurationFor } from '../../tests/support/configuration.ts';

export type DatabaseChoice = Configuration['database'];

/** The real program on one database, posting to the chat's stand-in at `chatUrl`. */
export async function openParts(
  database: DatabaseChoice,
  chatUrl: string,
  clock: Clock,
): Promise<OpenServices & { database: OpenDatabase }> {
  const opened = await openDatabase({ database }, () => {}, patientLimits);
  await migrate(opened);
  const configuration = { ...configurationFor(chatUrl), database, appSecrets: [benchSecret] };
  const composition = await openServices(configuration, {
    clock,
    database: opened,
    log: pino({ level: process.env.LOG_LEVEL ?? 'error' }, process.stderr),
  });
  return { ...composition, database: opened };
}

/** Also for a process that works on the same database. */
export const benchSecret = 'a secret of the benchmark, of thirty-two characters';
