import type { Logger } from 'pino';
import type { BankRefreshes } from './banks/refreshes.ts';
import type { Clock } from './clock.ts';
import type { Configuration } from './configuration/configuration.ts';
import type { OpenDatabase } from './database/open.ts';
import type { Heartbeat } from './deliveries/heartbeat.ts';
import type { Mailer } from './mails/mailer.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { BankProvider } from './providers/bank.ts';
import type { ChatProvider } from './providers/chat.ts';
import type { Queue } from './queue/queue.ts';
import type { Randomness } from './randomness.ts';
import type { Vault } from './secrets/vault.ts';
import type { Passwords } from './users/passwords.ts';

/**
 * What the program is made of, built once in compose.ts and handed to whoever needs it.
 * Functions name the few parts they use: `Pick<Parts, 'database' | 'clock'>`.
 */
export interface Parts {
  configuration: Configuration;
  clock: Clock;
  randomness: Randomness;
  log: Logger;
  database: OpenDatabase;
  vault: Vault;
  passwords: Passwords;
  bank: BankProvider;
  bankRefreshes: BankRefreshes;
  chat: ChatProvider;
  queue: Queue;
  mailer: Mailer;
  metrics: Metrics;
  heartbeat: Heartbeat;
}
