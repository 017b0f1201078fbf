import { sql } from 'kysely';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { startServer } from '../../../src/server/app/server.ts';
import { ClockWatch } from '../../../src/server/notifications/deliveries/clock-watch.ts';
import { claimNextDue } from '../../../src/server/notifications/deliveries/due.ts';
import { deliverySettings } from '../../../src/server/notifications/deliveries/settings.ts';
import { endImpossibleWaits } from '../../../src/server/notifications/deliveries/store.ts';
import { checkDatabase } from '../../../src/server/operations/doctor/database-checks.ts';
import { configurationFor } from '../../support/configuration.ts';
import { engines } from '../../support/engines.ts';
import { openPreparedDatabase } from '../../support/memory-database.ts';
import { trustedClock } from '../../support/trusted-clock.ts';
import { eventually, openFixture } from './fixture.ts';
import { addMessenger, addPerson, bonnard, deliveriesOf, fontaine, makeDue } from './people.ts';
import { fixture, setUpDeliveries, work } from './world.ts';

const tenDaysMs = 10 * 86_400_000;

describe.each(engines)('a clock that is wrong, on %s', (engine) => {
  const lines: string[] = [];
  let behindMs = 0;
  setUpDeliveries(engine, {
    machineClock: { now: () => new Date(Date.now() - behindMs) },
    log: pino({}, { write: (line: string) => void lines.push(line) }),
  });
  afterEach(() => {
    behindMs = 0;
    lines.length = 0;
  });

  const said = (words: string) =>
    eventually(
      () => lines.some((line) => line.includes(words)),
      (isSaid) => isSaid,
    );
  const daysOf = async (id: string) =>
    (await deliveriesOf(fixture, id)).map(({ local_date: day, outcome }) => `${day} ${outcome}`);

  it('ten days behind that of the database, changes no history and sends nothing until it is right', async () => {
    const { id } = await addMessenger(fixture, await addPerson(fixture));
    fixture.clock.set('2026-01-14T16:00:00Z');
    while ((await claimNextDue(fixture.services, 10, deliverySettings, trustedClock)).waitMs === 0);
    const history = ['2026-01-12 missed', '2026-01-13 missed', '2026-01-14 missed'];
    expect(await daysOf(id)).toEqual(history);
    behindMs = tenDaysMs;
    fixture.clock.set(new Date(Date.parse('2026-01-15T08:00:00Z') - tenDaysMs));
    await work();
    await said('the clocks of database and machine differ');
    fixture.clock.set('2026-01-15T08:00:00Z');
    expect(await daysOf(id)).toEqual(history);
    behindMs = 0;
    await eventually(
      () => daysOf(id),
      (days) => days.at(-1) === '2026-01-15 delivered',
    );
    expect(await daysOf(id)).toEqual([...history, '2026-01-15 delivered']);
    await said('agree again');
  });

  it('ten days ahead of that of the database, ends nothing that waits until it is right', async () => {
    const { id } = await addMessenger(fixture, await addPerson(fixture));
    fixture.clock.set('2026-01-12T08:00:00Z');
    await claimNextDue(fixture.services, 10, deliverySettings, trustedClock);
    await sql`update deliveries set sending_at = null, run_at = now()`.execute(
      fixture.services.database.sql,
    );
    behindMs = -tenDaysMs;
    fixture.clock.set(new Date(Date.parse('2026-01-12T08:00:00Z') + tenDaysMs));
    await work();
    await said('the clocks of database and machine differ');
    expect(await daysOf(id)).toEqual(['2026-01-12 pending']);
    fixture.clock.set('2026-01-12T08:01:00Z');
    behindMs = 0;
    await eventually(
      () => daysOf(id),
      (days) => days[0] === '2026-01-12 delivered',
    );
  });

  it('of the database, has made what waits wait for days, and it is sent once it is right', async () => {
    const { id } = await addMessenger(fixture, await addPerson(fixture));
    fixture.clock.set('2026-01-12T08:00:00Z');
    await claimNextDue(fixture.services, 10, deliverySettings, trustedClock);
    const { sql: database } = fixture.services.database;
    await sql`update deliveries set sending_at = null, run_at = now() + interval '10 days'`.execute(
      database,
    );
    await sql`insert into chat_limits (chat, scope, team_id, channel_id, blocked_until)
      values ('slack', 'team', ${bonnard.team}, '', now() + interval '10 days')`.execute(database);
    await work();
    await eventually(
      () => daysOf(id),
      (days) => days[0] === '2026-01-12 delivered',
    );
  });

  it('two hours ahead and set right again, keeps no message waiting for two hours', async () => {
    const { id } = await addMessenger(fixture, await addPerson(fixture));
    const { sql: database } = fixture.services.database;
    const watch = new ClockWatch(fixture.services, deliverySettings.steadyClockMs);
    const eight = new Date('2026-01-12T08:00:00Z');
    const ahead = new Date('2026-01-12T10:00:00Z');
    fixture.clock.set(eight);
    await watch.check(eight, new Date(), null);
    await claimNextDue(fixture.services, 10, deliverySettings, trustedClock);
    await watch.check(ahead, new Date(), eight);
    // As the database wrote them at ten: a retry in five seconds, and thirty that the chat asks for.
    await sql`update deliveries set sending_at = null,
      run_at = now() + interval '2 hours 5 seconds'`.execute(database);
    await sql`insert into chat_limits (chat, scope, team_id, channel_id, blocked_until)
      values ('slack', 'team', ${bonnard.team}, '', now() + interval '2 hours 30 seconds')`.execute(
      database,
    );
    const minuteLater = new Date('2026-01-12T08:01:00Z');
    expect(await watch.check(minuteLater, new Date(), ahead)).toBe('everything');
    const { rows } = await sql`
      select run_at <= now() + interval '1 minute' as soon,
        blocked_until <= now() + interval '1 minute' as free
      from deliveries, chat_limits where messenger_id = ${id}`.execute(database);
    expect(rows).toEqual([{ soon: true, free: true }]);
    await sql`delete from chat_limits`.execute(database);
  });

  it('leaves the longest waits of a chat alone', async () => {
    const { id } = await addMessenger(fixture, await addPerson(fixture));
    fixture.clock.set('2026-01-12T08:00:00Z');
    await claimNextDue(fixture.services, 10, deliverySettings, trustedClock);
    const { sql: database } = fixture.services.database;
    const later = sql`now() + interval '6 hours'`;
    await sql`update deliveries set sending_at = null, run_at = ${later}`.execute(database);
    await sql`insert into chat_limits (chat, scope, team_id, channel_id, blocked_until)
      values ('slack', 'team', ${bonnard.team}, '', ${later})`.execute(database);
    await endImpossibleWaits(fixture.services);
    const { numDeletedRows } = await database.deleteFrom('chat_limits').executeTakeFirst();
    expect(numDeletedRows).toBe(1n);
    const rows = await database
      .selectFrom('deliveries')
      .select('run_at')
      .where('messenger_id', '=', id)
      .where('run_at', '>', sql<Date>`now() + interval '5 hours'`)
      .execute();
    expect(rows).toHaveLength(1);
  });

  it('earlier than slots were claimed, sends and counts no day as missed until it has run evenly', async () => {
    const camille = await addPerson(fixture);
    const late = await addMessenger(fixture, camille, { active_since: new Date('2026-01-01') });
    const other = await addMessenger(fixture, await addPerson(fixture, fontaine.team), {
      ...{ hours: 10, channel_id: fontaine.general },
    });
    await makeDue(fixture, late, new Date('2026-01-10T08:00:00Z'));
    const claimed_at = new Date('2030-01-01T08:00:00Z');
    const { sql: database } = fixture.services.database;
    await database.updateTable('slots').set({ claimed_at }).execute();
    fixture.clock.set('2026-01-12T09:00:00Z');
    await work({ steadyClockMs: 600_000 });
    await eventually(
      () => daysOf(other.id),
      (days) => days[0] === '2026-01-12 delivered',
    );
    expect(await daysOf(late.id)).toEqual([]);
    await database.updateTable('slots').set({ claimed_at }).execute();
    await work({ steadyClockMs: 50 });
    await said('the clock was set back');
    await eventually(
      () => daysOf(late.id),
      (days) => days.at(-1) === '2026-01-12 delivered',
    );
    expect(await daysOf(late.id)).toEqual([
      ...['2026-01-10 missed', '2026-01-11 missed', '2026-01-12 delivered'],
    ]);
  });

  it('earlier than slots were claimed, sends what is due behind many missed days', async () => {
    const camille = await addPerson(fixture);
    for (let quarter = 40; quarter <= 60; quarter += 1) {
      const hour = { hours: Math.floor(quarter / 4), minutes: (quarter % 4) * 15 };
      await addMessenger(fixture, camille, hour);
    }
    await sql`update slots set next_at = next_at - interval '2 days', local_date = local_date - 2`.execute(
      fixture.services.database.sql,
    );
    await addMessenger(fixture, camille);
    fixture.clock.set('2026-01-12T08:00:00Z');
    const watch = { ...trustedClock, check: async () => 'sendings' as const };
    const claimed = await claimNextDue(fixture.services, 10, deliverySettings, watch);
    expect(claimed.deliveries).toMatchObject([{ localDate: '2026-01-12' }]);
  });

  it('accounts for no day before a notification began, whatever its slot says', async () => {
    const messenger = await addMessenger(fixture, await addPerson(fixture));
    const { sql: database } = fixture.services.database;
    const due = { next_at: new Date('2025-12-20T08:00:00Z'), local_date: '2025-12-20' };
    await database.updateTable('slots').set(due).execute();
    fixture.clock.set('2026-01-12T08:00:00Z');
    await work();
    await eventually(
      () => daysOf(messenger.id),
      (days) => days.length > 0 && !days.join().includes('pending'),
    );
    expect(await daysOf(messenger.id)).toEqual(['2026-01-12 delivered']);
    expect(fixture.slack.control.messages(bonnard.team, bonnard.general)).toHaveLength(1);
  });

  it('that jumps ahead, as after a sleep, sends what waits here and what is under way once', async () => {
    const camille = await addPerson(fixture);
    const [first, second] = [
      await addMessenger(fixture, camille),
      await addMessenger(fixture, camille),
    ];
    fixture.slack.control.addFault({ kind: 'delay', ms: 1500, posted: true, times: 1 });
    fixture.clock.set('2026-01-12T08:00:00Z');
    await work();
    await eventually(
      () => fixture.slack.control.log().length,
      (count) => count === 1,
    );
    // The machine slept: the leases of both have ended, by the clocks of the machine and the database.
    behindMs = -55_000;
    fixture.clock.advance({ seconds: 55 });
    await sql`update deliveries set run_at = run_at - interval '55 seconds'`.execute(
      fixture.services.database.sql,
    );
    const ended = await Promise.all(
      [first, second].map(({ id }) =>
        eventually(
          () => deliveriesOf(fixture, id),
          ([one]) => one?.outcome === 'delivered',
        ),
      ),
    );
    expect(fixture.slack.control.log()).toHaveLength(2);
    expect(ended.flat().map(({ resends }) => resends)).toEqual([0, 0]);
  });

  it('of the database, which ends leases early, leaves to a worker what it holds', async () => {
    const camille = await addPerson(fixture);
    for (let count = 0; count < 2; count += 1) await addMessenger(fixture, camille);
    fixture.slack.control.addFault({ kind: 'delay', ms: 1500, posted: true, times: 1 });
    fixture.clock.set('2026-01-12T08:00:00Z');
    await work();
    await eventually(
      () => fixture.slack.control.log().length,
      (count) => count === 1,
    );
    await sql`update deliveries set run_at = now()`.execute(fixture.services.database.sql);
    const ended = await eventually(
      () => fixture.services.database.sql.selectFrom('deliveries').selectAll().execute(),
      (rows) => rows.every(({ outcome }) => outcome === 'delivered'),
    );
    expect(ended.map(({ resends }) => resends)).toEqual([0, 0]);
    expect(fixture.slack.control.log()).toHaveLength(2);
  });

  it('of the zone’s own rules, now an hour earlier, loses no day', async () => {
    const messenger = await addMessenger(fixture, await addPerson(fixture));
    const { sql: database } = fixture.services.database;
    const stored = { next_at: new Date('2026-01-12T09:00:00Z') };
    await database.updateTable('slots').set(stored).where('id', '=', messenger.slot_id).execute();
    fixture.clock.set('2026-01-12T09:00:01Z');
    expect(
      (await claimNextDue(fixture.services, 10, deliverySettings, trustedClock)).deliveries,
    ).toHaveLength(1);
    const [delivery] = await deliveriesOf(fixture, messenger.id);
    expect(delivery).toMatchObject({ local_date: '2026-01-12' });
    expect(delivery?.due_at).toEqual(new Date('2026-01-12T08:00:00Z'));
  });
});

describe('a machine whose clock is not that of the database', () => {
  const machineClock = { now: () => new Date(Date.now() - tenDaysMs) };

  it('is not ready while it would have to send', async () => {
    const database = await openPreparedDatabase();
    const clock = { now: () => new Date('2026-01-12T07:00:00Z') };
    const log = pino({ level: 'silent' });
    const server = await startServer(configurationFor('http://127.0.0.1:1'), {
      ...{ database, clock, machineClock, log, mailer: { send: async () => {} } },
    });
    const { status } = await fetch(`http://127.0.0.1:${server.port}/readyz`);
    expect(status).toBe(503);
    await server.stop();
  });

  it('is told so by the doctor', async () => {
    const fixture = await openFixture(await openPreparedDatabase(), { machineClock });
    const { services } = fixture;
    const [openQueue, secrets] = [async () => services.queue, () => []];
    const lines: string[] = [];
    for await (const line of checkDatabase({
      ...services,
      clock: machineClock,
      openQueue,
      secrets,
    })) {
      lines.push(line);
    }
    const [finding] = lines.filter((line) => line.includes('Horloge'));
    expect(finding).toMatch(/fault.*864000 s d'écart\. Aucun message ne part/);
    await fixture.close();
  });
});
