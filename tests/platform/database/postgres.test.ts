import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from 'vitest';
import { jobKinds } from '../../../src/server/operations/jobs.ts';
import { migrate, migrateTo, schemaAge } from '../../../src/server/platform/database/migrate.ts';
import { type OpenDatabase, openDatabase } from '../../../src/server/platform/database/open.ts';
import { DatabaseOutage } from '../../../src/server/platform/database/outage.ts';
import { createLog } from '../../../src/server/platform/log.ts';
import { openQueue } from '../../../src/server/platform/queue/queue.ts';
import { eventually, openFixture } from '../../notifications/deliveries/fixture.ts';
import { addMessenger, addPerson, deliveriesOf } from '../../notifications/deliveries/people.ts';
import { type OwnPostgresServer, startOwnPostgres } from '../../support/postgres.ts';

let server: OwnPostgresServer;
const opened: OpenDatabase[] = [];

beforeAll(async () => {
  server = await startOwnPostgres();
});
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close();
});
afterAll(() => server.close());

const open = async (url: string) => {
  const database = await openDatabase({ database: { engine: 'postgres', url } }, () => {});
  opened.push(database);
  return database;
};

/** The one that Kysely's migrator takes. */
const migrationLock = '3853314791062309107';

describe('several processes on one PostgreSQL', () => {
  it('may start at the same moment: the schema and the queues are made once', async () => {
    const url = await server.createDatabase();
    const start = async () => {
      const database = await openDatabase({ database: { engine: 'postgres', url } }, () => {});
      opened.push(database);
      await migrate(database);
      const queue = await openQueue(database, jobKinds, { onError: () => {}, supervise: true });
      await queue.close();
      return database;
    };
    const [first] = await Promise.all(Array.from({ length: 6 }, start));
    if (!first) throw new Error('nothing started');
    expect(await first.sql.selectFrom('users').select('id').execute()).toEqual([]);
  });

  it('wait for one that migrates for longer than any other statement may take', async () => {
    const url = await server.createDatabase();
    const [first, second] = [await open(url), await open(url)];
    if (second.engine === 'postgres') second.pool.options.statement_timeout = 50;
    const waitedMs = async () => {
      const { rows } = await sql<{ ms: number }>`select
        extract(epoch from clock_timestamp() - query_start)::float8 * 1000 as ms
        from pg_stat_activity where wait_event = 'advisory'`.execute(first.sql);
      return rows[0]?.ms ?? 0;
    };
    const waiting = await first.sql.connection().execute(async (migrating) => {
      await sql`select pg_advisory_lock(${sql.lit(migrationLock)})`.execute(migrating);
      const ended = migrate(second).then(() => null);
      await eventually(waitedMs, (ms) => ms > 150);
      await sql`select pg_advisory_unlock(${sql.lit(migrationLock)})`.execute(migrating);
      return { ended };
    });
    expect(await waiting.ended).toBeNull();
    expect(await second.sql.selectFrom('users').select('id').execute()).toEqual([]);
  });

  it('go on beside a migration that waits for a long transaction', async () => {
    const url = await server.createDatabase();
    const [long, reader, second] = [await open(url), await open(url), await open(url)];
    await migrateTo(long, '0014-bank-silence');
    const blocked: unknown[] = [];
    const migrated = await long.sql.transaction().execute(async (transaction) => {
      // As a copy of the database by another program does.
      await sql`lock table deletions, users, messengers in access share mode`.execute(transaction);
      const ended = migrate(second, (error) => blocked.push(error)).then(() => null);
      await eventually(
        () => blocked.length,
        (count) => count > 0,
      );
      expect(await reader.sql.selectFrom('users').select('id').execute()).toEqual([]);
      return { ended };
    });
    expect(await migrated.ended).toBeNull();
    expect(await schemaAge(reader)).toBe('same');
    expect(blocked.map(String)).toContainEqual(expect.stringContaining('lock timeout'));
  });

  it('keep their name and their limits, whatever the address of the database says', async () => {
    const url = new URL(await server.createDatabase());
    const given = { application_name: 'compta', statement_timeout: '0', query_timeout: '1' };
    for (const [name, value] of Object.entries(given)) url.searchParams.set(name, value);
    url.searchParams.set('idle_in_transaction_session_timeout', '0');
    const database = await open(url.href);
    const { rows } = await sql<Record<string, string>>`select pg_sleep(0.05)::text as slept,
      current_setting('application_name') as name, current_setting('statement_timeout') as statement,
      current_setting('idle_in_transaction_session_timeout') as idle`.execute(database.sql);
    expect(rows).toEqual([{ slept: '', name: 'tirelire', statement: '12s', idle: '10s' }]);
  });

  it('send each message once when two workers share the work, and one leaves', async () => {
    const url = await server.createPreparedDatabase();
    const database = await openDatabase({ database: { engine: 'postgres', url } }, () => {});
    const fixture = await openFixture(database);
    const workers = [await fixture.startWorker(), await fixture.startWorker()];
    for (let count = 0; count < 40; count += 1) {
      await addMessenger(fixture, await addPerson(fixture));
    }
    fixture.clock.advance({ hours: 1 });
    await eventually(
      () => fixture.slack.control.log().length,
      (count) => count > 5,
    );
    await workers.shift()?.stop();
    await eventually(
      () => fixture.slack.control.log().length,
      (count) => count === 40,
    );
    const ids = fixture.slack.control.log().map(([, , , id]) => id);
    expect(new Set(ids).size).toBe(40);
    await workers.shift()?.stop();
    await fixture.close();
  });
});

describe('a PostgreSQL that goes away and comes back', () => {
  it('costs no message and needs no restart', async () => {
    const url = await server.createPreparedDatabase();
    const database = await openDatabase({ database: { engine: 'postgres', url } }, () => {});
    const fixture = await openFixture(database);
    const worker = await fixture.startWorker();
    const camille = await addPerson(fixture);
    const { id } = await addMessenger(fixture, camille);
    await server.stop();
    fixture.clock.advance({ hours: 1, seconds: 20 });
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await server.start();
    const [delivery] = await eventually(
      () => deliveriesOf(fixture, id),
      ([first]) => first?.outcome === 'delivered',
    );
    expect(delivery).toMatchObject({ attempts: 1, resends: 0 });
    await worker.stop();
    await fixture.close();
  });

  it('keeps the chat’s answers until it is back', async () => {
    const url = await server.createPreparedDatabase();
    const database = await openDatabase({ database: { engine: 'postgres', url } }, () => {});
    const fixture = await openFixture(database);
    const worker = await fixture.startWorker();
    const { id } = await addMessenger(fixture, await addPerson(fixture));
    fixture.slack.control.setLatency(1500);
    fixture.clock.advance({ hours: 1 });
    await eventually(
      () => deliveriesOf(fixture, id),
      ([first]) => first?.sending_at instanceof Date,
    );
    await server.stop();
    await eventually(
      () => fixture.slack.control.log().length,
      (count) => count === 1,
    );
    await server.start();
    const [delivery] = await eventually(
      () => deliveriesOf(fixture, id),
      ([first]) => first?.outcome === 'delivered',
    );
    expect(delivery).toMatchObject({ attempts: 1, resends: 0 });
    expect(fixture.slack.control.log()).toHaveLength(1);
    await worker.stop();
    await fixture.close();
  });
});

test('where no connection is left, the log says so once, though those that are open answer', async () => {
  const url = new URL(await server.createDatabase());
  const admin = await open(url.href);
  await sql`create role narrow login connection limit 1`.execute(admin.sql);
  url.username = 'narrow';
  const database = await open(url.href);
  const lines: string[] = [];
  const outage = new DatabaseOutage();
  const write = (line: string) => void lines.push(JSON.parse(line).msg);
  const log = createLog('info', { write }, (error) => outage.note(error));
  let probes = 0;
  const probe = async () => {
    await sql`select 1`.execute(database.sql);
    probes += 1;
  };
  outage.watch({ log, probe, database });
  const needTwo = async () => {
    const statement = () => sql`select pg_sleep(0.02)`.execute(database.sql);
    const ends = await Promise.allSettled([statement(), statement()]);
    for (const end of ends) if (end.status === 'rejected') log.error({ err: end.reason }, 'failed');
    return probes;
  };
  await eventually(needTwo, (count) => count > 2);
  expect(lines).toEqual(['the database does not answer']);
  await sql`alter role narrow connection limit -1`.execute(admin.sql);
  await expect
    .poll(() => lines, { timeout: 20_000 })
    .toEqual(['the database does not answer', 'the database answers again']);
}, 40_000);
