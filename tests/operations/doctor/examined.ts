import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openProvidersOfCommand } from '../../../src/server/app/services.ts';
import { runTask } from '../../../src/server/operations/commands/task-client.ts';
import { examine } from '../../../src/server/operations/doctor/examination.ts';
import type { Finding } from '../../../src/server/operations/doctor/finding.ts';
import { systemClock } from '../../../src/server/platform/clock.ts';
import { createLog } from '../../../src/server/platform/log.ts';
import type { AppConfiguration } from '../../../src/server/providers/configuration.ts';
import { type Fixture, openFixture } from '../../notifications/deliveries/fixture.ts';
import { type Application, startApplication } from '../../support/application.ts';
import { type Databases, startDatabases } from '../../support/engines.ts';

/** An installation in order, of which what differs is given: the doctor's findings about it. */
export interface Examined {
  app: Application;
  databases: Databases;
  fixture: Fixture;
  folder: string;
  configuration: AppConfiguration;
  findings(differences?: Partial<AppConfiguration>): Promise<Finding[]>;
  levelOf(about: string, differences: Partial<AppConfiguration>): Promise<string[]>;
  close(): Promise<void>;
}

export async function openExamined(): Promise<Examined> {
  const folder = await mkdtemp(join(tmpdir(), 'tirelire-doctor-'));
  const databases = await startDatabases('postgres');
  const database = await databases.open();
  const fixture = await openFixture(database);
  const app = await startApplication();
  // As a proxy of an installation in order does: the application of the tests has no pages.
  const proxy = await listen(() => 200, '{"status":"ok"}');
  const url = database.engine === 'postgres' ? (database.pool.options.connectionString ?? '') : '';
  const configuration: AppConfiguration = {
    ...app.services.configuration,
    publicUrl: urlOf(proxy),
    dataDir: folder,
    database: { engine: 'postgres', url },
    appSecrets: fixture.services.configuration.appSecrets,
  };
  const findings: Examined['findings'] = async (differences = {}) => {
    const found: Finding[] = [];
    const { httpClient, ...deps } = examinedOf({ ...configuration, ...differences });
    for await (const finding of examine({ httpClient, ...deps })) found.push(finding);
    await httpClient.close();
    return found;
  };
  return {
    ...{ app, databases, fixture, folder, configuration, findings },
    async levelOf(about, differences) {
      const found = await findings(differences);
      return found.filter((finding) => finding.about === about).map(({ level }) => level);
    },
    async close() {
      proxy.close().closeAllConnections();
      await Promise.all([app.close(), fixture.close()]);
      await databases.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** As the command puts it together. */
export function examinedOf(of: AppConfiguration) {
  const deps = { log: createLog('silent'), clock: systemClock };
  return {
    ...{ configuration: of, clock: systemClock, ...openProvidersOfCommand(of, deps) },
    inspect: () => runTask(of, 'inspect'),
  };
}

export async function listen(statusOf: (path: string) => number, body: string): Promise<Server> {
  const server = createServer((request, response) => {
    response.writeHead(statusOf(request.url ?? ''), { location: '/login' }).end(body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return server;
}

export function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
