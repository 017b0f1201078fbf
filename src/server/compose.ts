import type { Logger } from 'pino';
import { createAllowance } from './banks/allowance.ts';
import { createBankRefreshes } from './banks/refreshes.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Configuration } from './configuration/configuration.ts';
import { appSecretsOf } from './configuration/secret.ts';
import { migrate } from './database/migrate.ts';
import { type OpenDatabase, openDatabase } from './database/open.ts';
import { createHeartbeat } from './deliveries/heartbeat.ts';
import { createLog } from './log.ts';
import type { Mailer } from './mails/mailer.ts';
import { createUnsentMailer } from './mails/unsent.ts';
import { readDepths } from './metrics/depths.ts';
import { createMetrics } from './metrics/metrics.ts';
import { createDoor, type Door } from './network/door.ts';
import { measuredDoor } from './network/measured-door.ts';
import type { Parts } from './parts.ts';
import type { CallAllowance } from './providers/bank.ts';
import { createBridge } from './providers/bridge/adapter.ts';
import { createSlack } from './providers/slack/adapter.ts';
import { openQueue, type QueueOptions } from './queue/queue.ts';
import { type Randomness, systemRandomness } from './randomness.ts';
import { createVault } from './secrets/vault.ts';
import { createPasswords } from './users/passwords.ts';

export interface Composition {
  parts: Parts;
  /** Ends every connection, the last opened first. */
  close(): Promise<void>;
}

/** What a demonstration or a test brings in place of the usual part. */
export interface Choices {
  clock?: Clock;
  log?: Logger;
  mailer?: Mailer;
  randomness?: Randomness;
  /** Already open; it is closed with the rest. */
  database?: OpenDatabase;
  /** How soon the work of a dead process is taken up. */
  queue?: Pick<QueueOptions, 'superviseSeconds' | 'expireInSeconds'>;
}

/** The only place that builds the parts and chooses providers. */
export async function compose(
  configuration: Configuration,
  choices: Choices = {},
): Promise<Composition> {
  const clock = choices.clock ?? systemClock;
  const log = choices.log ?? createLog(configuration.logLevel);
  const randomness = choices.randomness ?? systemRandomness;
  const vault = createVault(appSecretsOf(configuration, randomness), randomness);
  const mailer = choices.mailer ?? (await createMailer(configuration, log));
  const { database, queue, close } = await openData(configuration, log, choices);
  const door = createDoor({ log });
  const metrics = createMetrics(() => readDepths({ database, queue, clock }));
  const allowance = createAllowance(database);
  const outside = { door, metrics, clock, log, allowance };
  const { bank, chat } = createProviders(configuration, outside);
  return {
    parts: {
      configuration,
      clock,
      randomness,
      log,
      database,
      vault,
      passwords: createPasswords(),
      bank,
      bankRefreshes: createBankRefreshes({ database, clock, bank, log }),
      chat,
      queue,
      mailer,
      metrics,
      heartbeat: createHeartbeat({ url: configuration.heartbeatUrl, door, log }),
    },
    async close() {
      await door.close();
      await close();
    },
  };
}

/** Also for whoever only wants to know whether they answer. */
export function createProviders(
  { bridge, slack }: Pick<Configuration, 'bridge' | 'slack'>,
  { door, metrics, ...options }: Outside,
): Pick<Parts, 'bank' | 'chat'> {
  if (!bridge || !slack) throw new Error('A bank and a chat must be configured.');
  const doorTo = (service: 'bridge' | 'slack'): Door => measuredDoor(door, service, metrics);
  return {
    bank: createBridge({ ...options, configuration: bridge, door: doorTo('bridge') }),
    chat: createSlack({ ...options, configuration: slack, door: doorTo('slack') }),
  };
}

interface Outside extends Pick<Parts, 'metrics' | 'clock' | 'log'> {
  door: Door;
  allowance: CallAllowance;
}

async function openData(configuration: Configuration, log: Logger, choices: Choices) {
  const onError = (error: Error) => log.warn({ err: error }, 'database connection lost');
  const database = choices.database ?? (await openDatabase(configuration, onError));
  try {
    await migrate(database);
    const queue = await openQueue(database, {
      onError: (error) => log.warn({ err: error }, 'queue'),
      supervise: configuration.role !== 'web',
      ...choices.queue,
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

/** Loaded only where there is a mail server: the library costs every start its reading. */
async function createMailer(
  configuration: Pick<Configuration, 'mail'>,
  log: Logger,
): Promise<Mailer> {
  if (!configuration.mail) return createUnsentMailer(log);
  const { createSmtpMailer } = await import('./mails/smtp.ts');
  return createSmtpMailer(configuration.mail);
}
