import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { upkeepJobs } from '../../../src/server/operations/jobs.ts';
import { runHourlyUpkeep } from '../../../src/server/operations/upkeep/hourly.ts';
import { eventually, type Fixture, openFixture } from '../../notifications/deliveries/fixture.ts';
import { addMessenger, addPerson } from '../../notifications/deliveries/people.ts';
import { type Databases, engines, startDatabases } from '../../support/engines.ts';

let fixture: Fixture;

describe.each(engines)('an upkeep of which a step fails, on %s', (engine) => {
  let databases: Databases;

  beforeAll(async () => {
    databases = await startDatabases(engine);
  });
  beforeEach(async () => {
    fixture = await openFixture(await databases.open());
    await addOldDelivery();
    await refuseToDelete('deliveries');
  });
  afterEach(() => fixture.close());
  afterAll(() => databases.close());

  it('does all the others, and says which failed', async () => {
    const { database } = fixture.services;
    await addExpiredSession();
    await addExpiredAttempt();
    await addLostErasure();
    const lines: object[] = [];
    const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
    await expect(runHourlyUpkeep({ ...fixture.services, log })).rejects.toThrow(/: deliveries$/);
    expect(await database.sql.selectFrom('sessions').selectAll().execute()).toEqual([]);
    expect(await database.sql.selectFrom('attempts').selectAll().execute()).toEqual([]);
    expect(await jobsOf('deletions')).toMatchObject([{ state: 'created' }]);
    expect(lines).toMatchObject([{ step: 'deliveries', err: { message: 'kept for good' } }]);
  });

  it('has failed, as the queue knows it', async () => {
    const worker = await fixture.startWorker();
    const { database, queue } = fixture.services;
    await database.sql
      .transaction()
      .execute((transaction) => queue.insert(transaction, upkeepJobs, [{ data: {} }]));
    queue.announce(upkeepJobs);
    const jobs = await eventually(
      () => jobsOf('upkeep'),
      ([first]) => first?.state === 'failed',
    );
    expect(jobs).toMatchObject([{ output: { message: 'steps that failed: deliveries' } }]);
    await worker.stop();
  });
});

const daysAgo = (days: number) => new Date(fixture.clock.now().getTime() - days * 86_400_000);

async function addOldDelivery(): Promise<void> {
  const { database, randomness } = fixture.services;
  const camille = await addPerson(fixture);
  const { id } = await addMessenger(fixture, camille);
  const old = daysAgo(401);
  await database.sql
    .insertInto('deliveries')
    .values({
      ...{ user_id: camille.userId, id: randomness.uuid(), messenger_id: id, kind: 'daily' },
      ...{ local_date: old.toISOString().slice(0, 10), due_at: old, created_at: old },
      outcome: 'delivered',
    })
    .execute();
}

async function addExpiredSession(): Promise<void> {
  const { database, randomness } = fixture.services;
  const [begun, ended] = [daysAgo(2), daysAgo(1)];
  const times = { created_at: begun, last_used_at: begun, expires_at: ended };
  await database.sql
    .insertInto('sessions')
    .values({ token_hash: 'old', user_id: randomness.uuid(), device: null, ...times })
    .execute();
}

async function addExpiredAttempt(): Promise<void> {
  const times = { counted_at: daysAgo(1), expires_at: daysAgo(1) };
  await fixture.services.database.sql
    .insertInto('attempts')
    .values({ counter: 'old', account: 'of somebody', ...times })
    .execute();
}

async function addLostErasure(): Promise<void> {
  const { database, randomness } = fixture.services;
  const times = { requested_at: daysAgo(1), tried_at: daysAgo(1) };
  await database.sql
    .insertInto('deletions')
    .values({ id: randomness.uuid(), receipt_hash: 'lost', ...times })
    .execute();
}

async function refuseToDelete(table: string): Promise<void> {
  const database = fixture.services.database.sql;
  await sql`create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'kept for good'; end $$`.execute(database);
  await sql`create trigger kept before delete on ${sql.table(table)}
    for each row execute function refuse()`.execute(database);
}

async function jobsOf(name: string): Promise<{ state: string; output: unknown }[]> {
  const { rows } = await sql<{ state: string; output: unknown }>`
    select state, output from pgboss.job where name = ${name}`.execute(
    fixture.services.database.sql,
  );
  return rows;
}
