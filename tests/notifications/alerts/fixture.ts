import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { Worker } from '../../../src/server/app/worker.ts';
import { plain } from '../../shared/message/samples.ts';
import { type Databases, type Engine, startDatabases } from '../../support/engines.ts';
import { eventually, type Fixture, openFixture } from '../deliveries/fixture.ts';
import {
  addMessenger,
  addPerson,
  bonnard,
  deliveriesOf,
  type SeededPerson,
} from '../deliveries/people.ts';
import { type ReportedBalance, type Watched, watch } from './watched.ts';

/** A person with a notification and a bank whose figures a test says. Each test has others. */
export let fixture: Fixture;
export let camille: SeededPerson;
export let bank: Watched;
export let messenger: Awaited<ReturnType<typeof addMessenger>>;
let worker: Worker | null;

/** To be called once for each engine: it has a database and a program of its own. */
export function setUpAlerts(engine: Engine): void {
  let databases: Databases;

  beforeAll(async () => {
    databases = await startDatabases(engine);
    fixture = await openFixture(await databases.open());
  });
  beforeEach(async () => {
    // A Monday, 10:00 in Paris.
    fixture.clock.set('2026-01-12T09:00:00Z');
    camille = await addPerson(fixture);
    bank = await watch(fixture, camille);
    messenger = await addMessenger(fixture, camille);
    worker = null;
  });
  afterEach(async () => {
    await worker?.stop();
    await sql`truncate users, slots, deliveries cascade`.execute(fixture.services.database.sql);
    fixture.slack.control.clearMessages();
    fixture.slack.control.clearFaults();
  });
  afterAll(async () => {
    await fixture.close();
    await databases.close();
  });
}

export async function work(): Promise<void> {
  worker = await fixture.startWorker();
}

export const posted = () =>
  fixture.slack.control.messages(bonnard.team, bonnard.general).map(({ text }) => plain(text));

export const alertsSent = async () =>
  (await deliveriesOf(fixture, messenger.id)).filter(({ kind }) => kind === 'alert');

export const sent = (count: number) =>
  eventually(
    alertsSent,
    (rows) => rows.filter((row) => row.outcome !== 'pending').length === count,
  );

/** The journal is empty: everything that was read was evaluated. */
export const evaluated = () =>
  eventually(
    () => fixture.services.database.sql.selectFrom('alert_readings').selectAll().execute(),
    (rows) => rows.length === 0,
  );

export const crossings = () =>
  fixture.services.database.sql.selectFrom('alert_crossings').selectAll().orderBy('id').execute();

export async function later(minutes: number, said: Record<string, ReportedBalance>): Promise<void> {
  fixture.clock.advance({ minutes });
  await bank.read(said);
}
