import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { Worker } from '../../../src/server/app/worker.ts';
import { claimNextDue } from '../../../src/server/notifications/deliveries/due.ts';
import { deliverySettings } from '../../../src/server/notifications/deliveries/settings.ts';
import { type Databases, type Engine, startDatabases } from '../../support/engines.ts';
import { trustedClock } from '../../support/trusted-clock.ts';
import { eventually, type Fixture, openFixture } from './fixture.ts';
import { bonnard, deliveriesOf } from './people.ts';

export let fixture: Fixture;
let worker: Worker | null = null;

/**
 * One database for the tests of a file; after each, nobody is in it, and it is 08:00 in Paris again.
 * `overrides` are of its services.
 */
export function setUpDeliveries(
  engine: Engine,
  overrides: Parameters<typeof openFixture>[1] = {},
): void {
  let databases: Databases;
  beforeAll(async () => {
    databases = await startDatabases(engine);
    fixture = await openFixture(await databases.open(), overrides);
  });
  afterEach(async () => {
    await worker?.stop();
    worker = null;
    await sql`truncate users, slots, deliveries cascade`.execute(fixture.services.database.sql);
    fixture.slack.control.clearMessages();
    fixture.clock.set('2026-01-12T07:00:00Z');
  });
  afterAll(async () => {
    await fixture.close();
    await databases.close();
  });
}

/** Lets a worker work until the end of the test, in place of the one before. */
export async function work(...settings: Parameters<Fixture['startWorker']>): Promise<void> {
  await worker?.stop();
  worker = await fixture.startWorker(...settings);
}

export const claim = () => claimNextDue(fixture.services, 50, deliverySettings, trustedClock);
export const plan = async () => (await claim()).written;

/** What arrived in the channel of the first person. */
export const texts = () =>
  fixture.slack.control.messages(bonnard.team, bonnard.general).map(({ text }) => text);

/** The deliveries of a notification, once there are so many and none is pending. */
export const ended = (id: string, count: number) =>
  eventually(
    () => deliveriesOf(fixture, id),
    (rows) => rows.length === count && rows.every(({ outcome }) => outcome !== 'pending'),
  );
