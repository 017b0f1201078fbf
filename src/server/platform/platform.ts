import type { Logger } from 'pino';
import type { Clock } from './clock.ts';
import type { Configuration } from './configuration/configuration.ts';
import type { OpenDatabase } from './database/open.ts';
import type { DatabaseOutage } from './database/outage.ts';
import type { Mailer } from './mail/mailer.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { Queue } from './queue/queue.ts';
import type { Randomness } from './randomness.ts';
import type { Vault } from './vault/vault.ts';

/**
 * The services that every module can use, built once in `app/services.ts`. A function names those it
 * needs: `Pick<Platform, 'database' | 'clock'>`.
 */
export interface Platform {
  configuration: Configuration;
  clock: Clock;
  /** That of the machine, also where `clock` shows another time: the demonstration's runs ahead. */
  machineClock: Clock;
  randomness: Randomness;
  log: Logger;
  database: OpenDatabase;
  outage: DatabaseOutage;
  vault: Vault;
  queue: Queue;
  mailer: Mailer;
  metrics: Metrics;
}
