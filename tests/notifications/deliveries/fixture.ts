import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import type { ServiceOverrides, Services } from '../../../src/server/app/services.ts';
import { openServices } from '../../../src/server/app/services.ts';
import { startWorker, type Worker } from '../../../src/server/app/worker.ts';
import type { DeliverySettings } from '../../../src/server/notifications/deliveries/settings.ts';
import { migrate } from '../../../src/server/platform/database/migrate.ts';
import type { OpenDatabase } from '../../../src/server/platform/database/open.ts';
import type { OutgoingMail } from '../../../src/server/platform/mail/mailer.ts';
import { systemRandomness } from '../../../src/server/platform/randomness.ts';
import { type SlackStandin, startSlackStandin } from '../../../standins/slack/server.ts';
import { type ManualClock, manualClock } from '../../support/clock.ts';
import { configurationFor } from '../../support/configuration.ts';
import { quick } from './quick.ts';

/** The program without its web half: a database, the chat's stand-in, a clock that stands still. */
export interface Fixture {
  services: Services;
  clock: ManualClock;
  slack: SlackStandin;
  mails: OutgoingMail[];
  startWorker(limits?: Partial<DeliverySettings>): Promise<Worker>;
  close(): Promise<void>;
}

export async function openFixture(
  database: OpenDatabase,
  overrides: ServiceOverrides = {},
): Promise<Fixture> {
  const clock = manualClock();
  const slack = await startSlackStandin({ clock });
  await migrate(database);
  const mails: OutgoingMail[] = [];
  const { services, close } = await openServices(configurationFor(slack.url), {
    clock,
    database,
    log: pino({ level: process.env.TEST_LOG ?? 'silent' }),
    randomness: systemRandomness,
    mailer: { send: async (mail) => void mails.push(mail) },
    ...overrides,
  });
  return {
    services,
    clock,
    slack,
    mails,
    startWorker: (limits) => startWorker(services, { ...quick, alertsIdleMs: 20, ...limits }),
    async close() {
      await close();
      await slack.close();
    },
  };
}

/** Waits for what must become true, and fails with what it looked at. */
export async function eventually<T>(
  read: () => Promise<T> | T,
  holds: (seen: T) => boolean,
  withinMs = 20_000,
): Promise<T> {
  const end = performance.now() + withinMs;
  // Looking takes the time of what is looked for: the longer it takes, the less often.
  for (let pauseMs = 10; ; pauseMs = Math.min(1.5 * pauseMs, 100)) {
    const seen = await read();
    if (holds(seen)) return seen;
    if (performance.now() > end) throw new Error(`still not so: ${JSON.stringify(seen)}`);
    await sleep(pauseMs);
  }
}
