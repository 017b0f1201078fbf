import { pino } from 'pino';
import { type OpenServices, openServices } from '../../src/server/app/services.ts';
import type { Clock } from '../../src/server/platform/clock.ts';
import type { Configuration } from '../../src/server/platform/configuration/configuration.ts';
import { maintenanceTimeouts } from '../../src/server/platform/database/connections.ts';
import { migrate } from '../../src/server/platform/database/migrate.ts';
import { type OpenDatabase, openDatabase } from '../../src/server/platform/database/open.ts';
import type { AppConfiguration } from '../../src/server/providers/configuration.ts';
import { configurationFor } from '../../tests/support/configuration.ts';

export type DatabaseChoice = Configuration['database'];

/** Other chats than the usual one, and where the addresses lead that people paste. */
interface BenchChats {
  chats: AppConfiguration['chats'];
  standinOrigins: string[];
}

/** The services of the program on one database, with the chat's stand-in at `chatUrl`. */
export async function openBenchServices(
  database: DatabaseChoice,
  chatUrl: string,
  clock: Clock,
  { chats, standinOrigins }: Partial<BenchChats> = {},
): Promise<OpenServices & { database: OpenDatabase }> {
  const connected = await openDatabase({ database }, () => {}, maintenanceTimeouts);
  await migrate(connected);
  const configuration = { ...configurationFor(chatUrl), database, appSecrets: [benchSecret] };
  if (chats) configuration.chats = chats;
  const opened = await openServices(configuration, {
    clock,
    database: connected,
    ...(standinOrigins && { standinOrigins }),
    log: pino({ level: process.env.LOG_LEVEL ?? 'error' }, process.stderr),
  });
  return { ...opened, database: connected };
}

/** The secret of every process that uses the same database. */
export const benchSecret = 'a secret of the benchmark of thirty-two characters';
