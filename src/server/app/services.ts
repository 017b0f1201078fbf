import { sql } from 'kysely';
import type { DestinationStream, Logger } from 'pino';
import { createCallLimiter, createKeyedLimiter } from '../banking/call-limits/queries.ts';
import { deleteConnectSessions } from '../banking/connecting/connect-sessions.ts';
import { createBankRefreshes } from '../banking/refreshing/refreshes.ts';
import { createPasswords, type Passwords } from '../identity/users/password-hashing.ts';
import { createFigureJournal } from '../notifications/alerts/journal.ts';
import { createHeartbeat } from '../notifications/deliveries/heartbeat.ts';
import { createDeliverySignals } from '../notifications/deliveries/signals.ts';
import type { NotificationsDeps } from '../notifications/deps.ts';
import { endDestinationsOfUnconfirmedOwner } from '../notifications/destinations/unconfirmed-owner.ts';
import { createFigureListener } from '../notifications/figure-listener.ts';
import { createFigureNeeds } from '../notifications/figure-needs.ts';
import { readQueueDepths } from '../notifications/queue-depths.ts';
import { jobKinds } from '../operations/jobs.ts';
import { createFaultListener } from '../operations/operator-mails.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import { requireDataFolder } from '../platform/configuration/data-folder.ts';
import { appSecretsOf, requireKeyOfDatabase } from '../platform/configuration/secret.ts';
import { requestTimeouts } from '../platform/database/connections.ts';
import { DiskTooFull, diskMargins, type FreeBytes, freeBytes } from '../platform/database/disk.ts';
import type { EmbeddedOptions } from '../platform/database/embedded.ts';
import { withoutRestore } from '../platform/database/long-statements.ts';
import { availableMemory, memorySettingFor } from '../platform/database/memory-setting.ts';
import { migrate } from '../platform/database/migrate.ts';
import { type OpenDatabase, openDatabase } from '../platform/database/open.ts';
import { DatabaseOutage } from '../platform/database/outage.ts';
import { createGuard, type OpenGuardedClient } from '../platform/http-client/guarded-client.ts';
import {
  createHttpClient,
  type HttpClient,
  measuredHttpClient,
} from '../platform/http-client/http-client.ts';
import { createLog, withoutLogContext } from '../platform/log.ts';
import { createUnsentMailer, type Mailer } from '../platform/mail/mailer.ts';
import { createMetrics } from '../platform/metrics/metrics.ts';
import type { Platform } from '../platform/platform.ts';
import { openQueue, type QueueOptions } from '../platform/queue/queue.ts';
import { type Randomness, systemRandomness } from '../platform/randomness.ts';
import { createVault } from '../platform/vault/vault.ts';
import type { ConfiguredBankSource } from '../providers/banks/definition.ts';
import type { CallLimiter, KeyedLimiter } from '../providers/banks/port.ts';
import type { AppConfiguration } from '../providers/configuration.ts';

export interface OpenServices {
  services: Services;
  /** Closes every connection, in the reverse order of opening. */
  close(): Promise<void>;
}

/** All services. Only app uses this type; functions of the modules name those they need. */
export interface Services extends NotificationsDeps {
  configuration: AppConfiguration;
}

/** What the demonstration and tests put in place of services. */
export interface ServiceOverrides {
  clock?: Clock;
  /** That of the machine: only tests replace it. */
  machineClock?: Clock;
  log?: Logger;
  /** Where the lines of the log go; by default to standard output. */
  logTo?: DestinationStream;
  mailer?: Mailer;
  randomness?: Randomness;
  passwords?: Passwords;
  /** An open database. It is closed with the other services. */
  database?: OpenDatabase;
  /** The stand-ins of services whose addresses people paste: nothing else is called of these then. */
  standinOrigins?: readonly string[];
  /** Of the embedded database's disk. */
  measureDisk?: FreeBytes;
  /** How often jobs of a dead process are looked for. */
  queue?: Pick<QueueOptions, 'superviseSeconds'>;
}

/** What answers and writes lines before the database is open. */
export type FirstServices = Pick<Services, 'log' | 'outage' | 'randomness'>;

export function openFirstServices(
  { logLevel }: Pick<AppConfiguration, 'logLevel'>,
  { log, logTo, randomness = systemRandomness }: ServiceOverrides,
): FirstServices {
  const outage = new DatabaseOutage();
  const created = () => createLog(logLevel, logTo, (error) => outage.note(error));
  return { log: log ?? created(), outage, randomness };
}

/** The only place that builds the services and chooses providers. */
export async function openServices(
  configuration: AppConfiguration,
  overrides: ServiceOverrides = {},
  first: FirstServices = openFirstServices(configuration, overrides),
): Promise<OpenServices> {
  const clock = overrides.clock ?? systemClock;
  const { log, outage, randomness } = first;
  if (!overrides.database) {
    requireDataFolder(configuration);
    requireKeyOfDatabase(configuration);
  }
  const vault = createVault(appSecretsOf(configuration, randomness), randomness);
  const mailer = overrides.mailer ?? (await createMailer(configuration, log));
  const { database, queue, close } = await openData(configuration, log, overrides);
  outage.watch({ log, database, probe: () => sql`select 1`.execute(database.sql) });
  const httpClient = createHttpClient({ log });
  const guard = createGuard({ log, standinOrigins: overrides.standinOrigins });
  const metrics = createMetrics(() => readQueueDepths({ database, queue, clock }));
  const callLimiterOf = (source: ConfiguredBankSource) => createCallLimiter(database, source);
  const keyedLimiterOf = ({ kind }: ConfiguredBankSource) =>
    createKeyedLimiter(database, clock, kind);
  const { bankSources, chats } = openProviders(configuration, {
    httpClient,
    openGuardedClient: guard.open,
    metrics,
    clock,
    log,
    callLimiterOf,
    keyedLimiterOf,
  });
  const figureJournal = createFigureJournal({ randomness });
  const figureListener = createFigureListener(figureJournal);
  if (bankSources.size === 0 || chats.size === 0)
    throw new Error('A bank and a chat must be configured.');
  return {
    services: {
      configuration,
      clock,
      machineClock: overrides.machineClock ?? systemClock,
      randomness,
      log,
      database,
      outage,
      vault,
      passwords: overrides.passwords ?? createPasswords(),
      bankSources,
      bankRefreshes: createBankRefreshes({
        database,
        vault,
        clock,
        bankSources,
        log,
        figureListener,
      }),
      figureListener,
      figureNeeds: createFigureNeeds({ database }),
      figureJournal,
      chats,
      queue,
      mailer,
      metrics,
      signals: createDeliverySignals(),
      heartbeat: createHeartbeat({ url: configuration.heartbeatUrl, httpClient, log }),
      faults: createFaultListener({ configuration, queue }),
      async endSetupOfUnconfirmedOwner(transaction, userId, before) {
        await deleteConnectSessions(transaction, userId);
        return await endDestinationsOfUnconfirmedOwner(transaction, userId, before);
      },
    },
    async close() {
      await Promise.all([httpClient.close(), guard.close()]);
      await close();
    },
  };
}

/** For a command, which calls them seldom or not at all: no limit is kept, and nothing is measured. */
export function openProvidersOfCommand(
  configuration: AppConfiguration,
  { log, clock }: Pick<Platform, 'log' | 'clock'>,
): Pick<Services, 'bankSources' | 'chats'> & { httpClient: HttpClient } {
  const httpClient = createHttpClient({ log });
  const { open: openGuardedClient } = createGuard({ log });
  const metrics = createMetrics(() => Promise.reject());
  const free = () => async () => 0;
  const limiters = { callLimiterOf: free, keyedLimiterOf: free };
  const deps = { httpClient, openGuardedClient, metrics, log, clock, ...limiters };
  return { httpClient, ...openProviders(configuration, deps) };
}

/** Opens every configured provider. */
function openProviders(
  { bankSources, chats }: Pick<AppConfiguration, 'bankSources' | 'chats'>,
  { httpClient, openGuardedClient, metrics, callLimiterOf, keyedLimiterOf, ...deps }: ProviderDeps,
): Pick<Services, 'bankSources' | 'chats'> {
  const clientOf = (service: string) => measuredHttpClient(httpClient, service, metrics);
  return {
    bankSources: new Map(
      bankSources.map((source) => [
        source.kind,
        source.open({
          ...deps,
          httpClient: clientOf(source.kind),
          callLimiter: callLimiterOf(source),
          keyedLimiter: keyedLimiterOf(source),
        }),
      ]),
    ),
    chats: new Map(
      chats.map((chat) => [
        chat.kind,
        chat.open({
          ...deps,
          httpClient: clientOf(chat.kind),
          openGuardedClient: (rules) => {
            const client = openGuardedClient(rules);
            return { ...client, ...measuredHttpClient(client, chat.kind, metrics) };
          },
        }),
      ]),
    ),
  };
}

interface ProviderDeps extends Pick<Platform, 'metrics' | 'clock' | 'log'> {
  httpClient: HttpClient;
  openGuardedClient: OpenGuardedClient;
  callLimiterOf: (source: ConfiguredBankSource) => CallLimiter;
  keyedLimiterOf: (source: ConfiguredBankSource) => KeyedLimiter;
}

async function openData(configuration: AppConfiguration, log: Logger, overrides: ServiceOverrides) {
  // A connection tells its loss in the context of the request that opened it.
  const onError = (error: Error) =>
    withoutLogContext(() => log.warn({ err: error }, 'database connection lost'));
  const database =
    overrides.database ??
    (await openDatabase(
      configuration,
      onError,
      requestTimeouts,
      embeddedOptions(configuration, log, overrides),
    ));
  try {
    // A running process goes on reading while the disk is too full; one that starts must write.
    if (!database.takesWrites() && database.engine === 'embedded' && database.folder) {
      const measure = overrides.measureDisk ?? freeBytes;
      throw new DiskTooFull(database.folder, measure(database.folder), diskMargins.writing);
    }
    const queue = await withoutRestore(database, async () => {
      await migrate(database, (error) =>
        log.warn({ err: error }, 'the migration waits for a transaction that uses its tables'),
      );
      return await openQueue(database, jobKinds, {
        onError: (error) => log.warn({ err: error }, 'queue'),
        supervise: configuration.role !== 'web',
        ...overrides.queue,
      });
    });
    return {
      database,
      queue,
      async close() {
        await queue.close();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

function embeddedOptions(
  { database }: Pick<AppConfiguration, 'database'>,
  log: Logger,
  { measureDisk }: ServiceOverrides,
): EmbeddedOptions {
  const memory = availableMemory();
  if (database.engine === 'embedded') {
    log.info(memorySettingFor(memory), 'memory setting of the embedded database');
  }
  return {
    ...{ memory, ...(measureDisk && { measureDisk }) },
    onDisk({ takesWrites, free }) {
      const freeMiB = Math.floor(free / 2 ** 20);
      if (takesWrites) log.warn({ freeMiB }, 'the disk has room again: writes are taken');
      else log.error({ freeMiB }, 'the disk is too full: writes are refused');
    },
  };
}

/** Loads nodemailer only when a mail server is configured, because it would slow every start. */
async function createMailer(
  configuration: Pick<AppConfiguration, 'mail'>,
  log: Logger,
): Promise<Mailer> {
  if (!configuration.mail) return createUnsentMailer(log);
  const { createSmtpMailer } = await import('../platform/mail/smtp.ts');
  return createSmtpMailer(configuration.mail);
}
