import { systemClock } from '../../platform/clock.ts';
import { FolderInUse } from '../../platform/database/folder-lock.ts';
import { createHttpClient, type HttpClient } from '../../platform/http-client/http-client.ts';
import { createLog } from '../../platform/log.ts';
import { createMetrics } from '../../platform/metrics/metrics.ts';
import type { Platform } from '../../platform/platform.ts';
import type { CallAllowance } from '../../providers/banks/port.ts';
import type { AppConfiguration } from '../../providers/configuration.ts';
import { TaskRefusal } from '../commands/task.ts';
import { ask } from '../commands/task-client.ts';
import { type Finding, fault, well } from './finding.ts';
import { checkDisk, checkSettings } from './installation.ts';
import { checkAddress, checkOutsideClock, checkServices } from './outside.ts';

type Providers = Parameters<typeof checkServices>[1];

/** Handed in: which providers there are is decided in app. */
export type OpenProviders = (
  configuration: Pick<AppConfiguration, 'bankSources' | 'chats'>,
  outside: Pick<Platform, 'metrics' | 'log' | 'clock'> & {
    httpClient: HttpClient;
    allowance: CallAllowance;
  },
) => Providers;

/** Looks at everything that an installation needs, one after the other. */
export async function* examine(
  configuration: AppConfiguration,
  openProviders: OpenProviders,
): AsyncGenerator<Finding> {
  const log = createLog('silent');
  const httpClient = createHttpClient({ log });
  try {
    yield well('Configuration', 'Complète et cohérente.');
    yield* checkSettings(configuration);
    yield* await checkDisk(configuration);
    yield* data(configuration);
    yield* await checkOutsideClock(configuration, httpClient, systemClock);
    const metrics = createMetrics(() => Promise.reject());
    const outside = { httpClient, metrics, log, clock: systemClock, allowance: async () => 0 };
    yield* await checkServices(configuration, openProviders(configuration, outside));
    yield* await checkAddress(configuration, httpClient);
  } finally {
    await httpClient.close();
  }
}

async function* data(configuration: AppConfiguration): AsyncGenerator<Finding> {
  try {
    for await (const lines of ask(configuration, 'inspect')) {
      for (const line of lines.split('\n').filter(Boolean)) yield JSON.parse(line) as Finding;
    }
  } catch (error) {
    yield fault('Base de données', wordsFor(error), mendFor(configuration, error));
  }
}

function wordsFor(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as Error & { code?: string };
  return error.message || code || error.name;
}

function mendFor({ database }: AppConfiguration, error: unknown): string {
  if (error instanceof TaskRefusal)
    return 'Sans cette clé, ni Slack ni les seconds facteurs ne s’ouvrent.';
  if (error instanceof FolderInUse) return 'Un autre programme l’occupe : attendez qu’il finisse.';
  return database.engine === 'postgres'
    ? 'Vérifiez DATABASE_URL : adresse, nom, mot de passe, et que le serveur accepte cette machine.'
    : 'Vérifiez DATA_DIR et ses droits.';
}
