import { pino } from 'pino';
import type { Clock } from '../../src/server/clock.ts';
import { type Composition, compose } from '../../src/server/compose.ts';
import type { Configuration } from '../../src/server/configuration/configuration.ts';
import { usualLimits } from '../../src/server/configuration/limits.ts';
import { migrate } from '../../src/server/database/migrate.ts';
import { type OpenDatabase, openDatabase } from '../../src/server/database/open.ts';

export type DatabaseChoice = Configuration['database'];

/** The real program on one database, posting to the chat's stand-in at `chatUrl`. */
export async function openParts(
  database: DatabaseChoice,
  chatUrl: string,
  clock: Clock,
): Promise<Composition & { database: OpenDatabase }> {
  const opened = await openDatabase({ database }, () => {});
  await migrate(opened);
  const composition = await compose(configurationFor(database, chatUrl), {
    clock,
    database: opened,
    log: pino({ level: process.env.LOG_LEVEL ?? 'error' }, process.stderr),
  });
  return { ...composition, database: opened };
}

/** Also for a process that works on the same database. */
export const benchSecret = 'a secret of the benchmark, of thirty-two characters';

function configurationFor(database: DatabaseChoice, chatUrl: string): Configuration {
  return {
    port: 0,
    host: '127.0.0.1',
    publicUrl: 'http://localhost:3000',
    apiUrl: '/api',
    trustProxy: 0,
    role: 'worker',
    dataDir: '',
    database,
    appSecrets: [benchSecret],
    bridge: { apiUrl: chatUrl, clientId: '', clientSecret: '', webhookSecrets: [] },
    slack: {
      apiUrl: `${chatUrl}/api/`,
      authorizeUrl: chatUrl,
      scope: 'chat:write',
      clientId: '',
      clientSecret: '',
      signingSecrets: [],
    },
    demoMixed: false,
    demoUrl: null,
    mail: null,
    operatorEmails: [],
    operatorName: null,
    metricsToken: null,
    heartbeatUrl: null,
    limits: usualLimits,
    logLevel: 'error',
  };
}
