import { pino } from 'pino';
import type { Clock } from '../../src/server/clock.ts';
import { type Composition, compose } from '../../src/server/compose.ts';
import type { Configuration } from '../../src/server/configuration/configuration.ts';
import { patientLimits } from '../../src/server/database/connections.ts';
import { migrate } from '../../src/server/database/migrate.ts';
import { type OpenDatabase, openDatabase } from '../../src/server/database/open.ts';
import { configurationFor } from '../../tests/support/configuration.ts';

export type DatabaseChoice = Configuration['database'];

/** The real program on one database, posting to the chat's stand-in at `chatUrl`. */
export async function openParts(
  database: DatabaseChoice,
  chatUrl: string,
  clock: Clock,
): Promise<Composition & { database: OpenDatabase }> {
  const opened = await openDatabase({ database }, () => {}, patientLimits);
  await migrate(opened);
  const configuration = { ...configurationFor(chatUrl), database, appSecrets: [benchSecret] };
  const composition = await compose(configuration, {
    clock,
    database: opened,
    log: pino({ level: process.env.LOG_LEVEL ?? 'error' }, process.stderr),
  });
  return { ...composition, database: opened };
}

/** Also for a process that works on the same database. */
export const benchSecret = 'a secret of the benchmark, of thirty-two characters';
