import { pino } from 'pino';
import { type OpenServices, openServices } from '../../src/server/app/services.ts';
import { startWorker, type Worker } from '../../src/server/app/worker.ts';
import { deliverySettings } from '../../src/server/notifications/deliveries/settings.ts';
import type { Clock } from '../../src/server/platform/clock.ts';
import { migrate } from '../../src/server/platform/database/migrate.ts';
import { type OpenDatabase, openDatabase } from '../../src/server/platform/database/open.ts';
import { configuredBridge } from '../../src/server/providers/banks/bridge/definition.ts';
import type { AppConfiguration } from '../../src/server/providers/configuration.ts';
import { type BridgeStandin, startBridgeStandin } from '../../standins/bridge/server.ts';
import { type SlackStandin, startSlackStandin } from '../../standins/slack/server.ts';
import { gapOf } from '../notifications/deliveries/quick.ts';
import { type ManualClock, manualClock } from '../support/clock.ts';
import { configurationFor } from '../support/configuration.ts';
import { type Engine, startDatabases } from '../support/engines.ts';

/** Workers on one database, each with a clock that drifts, and the services they talk to. */
export interface Installation {
  clock: ManualClock;
  chat: SlackStandin;
  bank: BridgeStandin;
  database: OpenDatabase;
  services: OpenServices['services'];
  /** Sets each worker's clock up to 20 s before or behind the others'. */
  driftClocks(random: () => number): void;
  /** Stops one of the workers as a new version would, and starts it again. */
  replaceWorker(): Promise<void>;
  close(): Promise<void>;
}

/** Two workers on PostgreSQL, one on the embedded database. */
export async function openInstallation(engine: Engine): Promise<Installation> {
  const clock = manualClock('2026-01-12T06:00:00Z');
  const chat = await startSlackStandin({ clock, open: true });
  const bank = await startBridgeStandin({ clock });
  const databases = await startDatabases(engine);
  const database = await databases.open();
  await migrate(database);
  const clocks = [driftingClock(clock), driftingClock(clock)] as const;
  const first = await composeOn(database, clocks[0], chat, bank);
  const second =
    engine === 'postgres' ? await composeBeside(database, clocks[1], chat, bank) : null;
  const others = second ? await startWorker(second.services, quick) : null;
  let worker: Worker = await startWorker(first.services, quick);
  return {
    ...{ clock, chat, bank, database, services: first.services },
    driftClocks(random) {
      for (const one of clocks) one.drift((random() * 2 - 1) * maxDriftMs);
    },
    async replaceWorker() {
      await worker.stop();
      worker = await startWorker(first.services, quick);
    },
    async close() {
      await Promise.all([worker.stop(), others?.stop()]);
      await second?.close();
      await first.close();
      await Promise.all([chat.close(), bank.close(), databases.close()]);
    },
  };
}

/** Two workers are then no further apart than the 60 s at which a clock counts as wrong. */
const maxDriftMs = 20_000;

function driftingClock(clock: Clock): Clock & { drift(ms: number): void } {
  let driftMs = 0;
  return {
    now: () => new Date(clock.now().getTime() + driftMs),
    drift(ms) {
      driftMs = ms;
    },
  };
}

/** The rules are the real ones; only what would take hours of the wall clock is short. */
const quick = {
  ...deliverySettings,
  backoffSeconds: (attempt: number) => Math.min(1, 0.1 * attempt),
  unknownLimitSeconds: 1,
  ...gapOf(10),
  idleMs: 50,
  steadyClockMs: 100,
  claimAtLeastEveryMs: 20,
};

function composeOn(
  database: OpenDatabase,
  clock: Clock,
  chat: SlackStandin,
  bank: BridgeStandin,
): Promise<OpenServices> {
  const { url: apiUrl, clientId, clientSecret } = bank;
  const configuration: AppConfiguration = {
    ...configurationFor(chat.url),
    bankSources: [configuredBridge({ apiUrl, clientId, clientSecret, webhookSecrets: [] })],
  };
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' });
  const queue = { superviseSeconds: 1 };
  return openServices(configuration, { clock, database, log, queue });
}

/** With connections of its own, as another process has. */
async function composeBeside(
  database: OpenDatabase,
  clock: Clock,
  chat: SlackStandin,
  bank: BridgeStandin,
): Promise<OpenServices> {
  if (database.engine !== 'postgres') throw new Error('The embedded database has one process.');
  const url = database.pool.options.connectionString ?? '';
  const own = await openDatabase({ database: { engine: 'postgres', url } }, () => {});
  return composeOn(own, clock, chat, bank);
}
