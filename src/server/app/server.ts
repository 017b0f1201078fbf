import { deliverySettings } from '../notifications/deliveries/settings.ts';
import { isOfOtherKey } from '../notifications/destinations/queries.ts';
import { requireFinished } from '../operations/backup/unfinished.ts';
import { openTaskServer } from '../operations/commands/task-server.ts';
import { sealedColumns } from '../operations/sealed-columns.ts';
import { maxClockSkewMs } from '../platform/clock.ts';
import { clockSkewMs } from '../platform/database/clock-skew.ts';
import { refusesWrites } from '../platform/database/read-only.ts';
import { type Listener, openListener } from '../platform/http/listener.ts';
import { answerMetrics } from '../platform/metrics/endpoint.ts';
import { watchAppSecrets } from '../platform/vault/rotation.ts';
import { startWatchdog } from '../platform/watchdog.ts';
import type { AppConfiguration } from '../providers/configuration.ts';
import { buildApp } from './http-application.ts';
import { pageRoutes } from './pages.ts';
import {
  type OpenServices,
  openFirstServices,
  openServices,
  type ServiceOverrides,
  type Services,
} from './services.ts';
import { startWorker } from './worker.ts';

export interface RunningServer {
  services: Services;
  port: number;
  /** Accepts no more work, finishes work in flight within ten seconds and closes everything. */
  stop(): Promise<void>;
}

/** Starts the program in its configured role. It listens first, so that `/healthz` answers. */
export async function startServer(
  configuration: AppConfiguration,
  overrides: ServiceOverrides = {},
): Promise<RunningServer> {
  const first = openFirstServices(configuration, overrides);
  const listener = await openListener(configuration, first);
  try {
    const opened = await openServices(configuration, overrides, first);
    await requireFinishedRestore(opened);
    return await startOn(listener, opened);
  } catch (error) {
    await listener.close(0);
    throw error;
  }
}

async function requireFinishedRestore({ services, close }: OpenServices): Promise<void> {
  try {
    await requireFinished(services.database);
  } catch (error) {
    await close();
    throw error;
  }
}

const patienceMs = 10_000;

async function startOn(
  listener: Listener,
  { services, close }: OpenServices,
): Promise<RunningServer> {
  const { role } = services.configuration;
  for (const { variable, words } of settingWarnings(services.configuration)) {
    services.log.warn({ variable, words }, 'a setting will be missed');
  }
  if (await isOfOtherKey(services)) {
    services.log.error(
      'no link of a chat opens with this key: messages wait for theirs, six hours',
    );
  }
  const app = role === 'worker' ? null : await buildApp(services);
  if (app) await app.register(pageRoutes(services));
  await app?.ready();
  if (app) listener.handOver(app.routing);
  listener.showMetrics((request, response) => answerMetrics(services, request, response));
  const watchdog = startWatchdog((error) =>
    services.log.error({ err: error }, 'the watchdog has ended: the process runs unwatched'),
  );
  const begin = () => startWorker(services, deliverySettings, watchdog);
  const worker = role === 'web' ? null : await watchdog.pausedFor(begin);
  const secrets = watchAppSecrets(services, sealedColumns);
  const taskServer = await openTaskServer(services);
  listener.becomeReady(() => probe(services));
  return {
    services,
    port: listener.port,
    async stop() {
      listener.becomeReady(async () => false);
      await watchdog.stop();
      await taskServer.close();
      await Promise.all([secrets.stop(), worker?.stop(), listener.close(patienceMs)]);
      await app?.close();
      await close();
    },
  };
}

/** `npm run doctor` says what to do about each. */
function settingWarnings(configuration: AppConfiguration) {
  const { bankSources, chats } = configuration;
  return [configuration, ...bankSources, ...chats].flatMap(({ warnings }) => warnings);
}

/**
 * The database answers, and to a process that sends messages it takes writes and agrees about the time.
 */
async function probe({ database, machineClock, configuration }: Services): Promise<boolean> {
  const skewMs = await clockSkewMs(database, machineClock);
  if (configuration.role === 'web') return true;
  return skewMs <= maxClockSkewMs && !(await refusesWrites(database));
}
