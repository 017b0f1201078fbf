import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runHourlyUpkeep } from '../../../src/server/operations/upkeep/hourly.ts';
import { type Fixture, openFixture } from '../../notifications/deliveries/fixture.ts';
import {
  addMessenger,
  addPerson,
  deliveriesOf,
  type SeededPerson,
} from '../../notifications/deliveries/people.ts';
import { openPreparedDatabase } from '../../support/memory-database.ts';

let fixture: Fixture;
let camille: SeededPerson;

beforeAll(async () => {
  fixture = await openFixture(await openPreparedDatabase());
  camille = await addPerson(fixture);
});
afterAll(() => fixture.close());

describe('what has no use any more', () => {
  it('is removed: history after 400 days, and sessions that expired', async () => {
    const { database, clock, randomness } = fixture.services;
    const { id } = await addMessenger(fixture, camille);
    const now = clock.now();
    const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
    for (const days of [399, 401]) {
      await database.sql
        .insertInto('deliveries')
        .values({
          ...{ user_id: camille.userId, id: randomness.uuid(), messenger_id: id, kind: 'daily' },
          local_date: daysAgo(days).toISOString().slice(0, 10),
          ...{ due_at: daysAgo(days), created_at: daysAgo(days) },
        })
        .execute();
    }
    for (const [token_hash, expires_at] of [
      ['old', daysAgo(1)],
      ['new', daysAgo(-1)],
    ] as const) {
      const session = { user_id: camille.userId, created_at: now, last_used_at: now, device: null };
      await database.sql
        .insertInto('sessions')
        .values({ token_hash, expires_at, ...session })
        .execute();
    }

    await runHourlyUpkeep(fixture.services);

    expect((await deliveriesOf(fixture, id)).map(({ due_at: due }) => due)).toEqual([daysAgo(399)]);
    const sessions = await database.sql.selectFrom('sessions').select('token_hash').execute();
    expect(sessions).toEqual([{ token_hash: 'new' }]);
  });

  it('is dropped with its month where that is over, and the next months are there', async () => {
    const { database, randomness } = fixture.services;
    const { id } = await addMessenger(fixture, camille);
    await sql`create table deliveries_2024_11 partition of deliveries
      for values from ('2024-11-01') to ('2024-12-01')`.execute(database.sql);
    const due = new Date('2024-11-12T08:00:00Z');
    await database.sql
      .insertInto('deliveries')
      .values({
        ...{ user_id: camille.userId, id: randomness.uuid(), messenger_id: id, kind: 'daily' },
        ...{ local_date: '2024-11-12', due_at: due, created_at: due },
      })
      .execute();
    await runHourlyUpkeep(fixture.services);
    expect(await deliveriesOf(fixture, id)).toEqual([]);
    const { rows } = await sql<{ name: string }>`select relname as name from pg_class
      where relname like 'deliveries\\_20__\\___' and relkind = 'r'`.execute(database.sql);
    const names = rows.map(({ name }) => name);
    expect(names).not.toContain('deliveries_2024_11');
    expect(names).toEqual(expect.arrayContaining(['deliveries_2026_02', 'deliveries_2026_03']));
  });
});

describe('a machine whose clock is not that of the database', () => {
  it('removes nothing until they agree', async () => {
    const { database, clock } = fixture.services;
    const begun = clock.now();
    const expired = { token_hash: 'expired', expires_at: new Date(begun.getTime() - 1000) };
    const session = { user_id: camille.userId, created_at: begun, last_used_at: begun };
    await database.sql
      .insertInto('sessions')
      .values({ ...session, ...expired, device: null })
      .execute();
    const isKept = async () => {
      const sessions = database.sql.selectFrom('sessions').select('token_hash');
      return (await sessions.execute()).some(({ token_hash: hash }) => hash === 'expired');
    };
    const lines: object[] = [];
    const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
    for (const days of [31, -31]) {
      const machineClock = { now: () => new Date(Date.now() + days * 86_400_000) };
      const upkeep = runHourlyUpkeep({ ...fixture.services, machineClock, log });
      await expect(upkeep).rejects.toThrow('clocks of database and machine differ');
    }
    const said = { msg: 'no upkeep is done: the clocks of database and machine differ' };
    expect(lines).toMatchObject([said, said]);
    expect(await isKept()).toBe(true);
    // The clock of these tests is months away from both, as the demonstration's may be.
    await runHourlyUpkeep(fixture.services);
    expect(await isKept()).toBe(false);
  });
});
