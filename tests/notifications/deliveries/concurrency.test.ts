import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Worker } from '../../../src/server/app/worker.ts';
import { type Databases, engines, startDatabases } from '../../support/engines.ts';
import { eventually, type Fixture, openFixture } from './fixture.ts';
import { addMessenger, addPerson, bonnard, deliveriesOf, fontaine } from './people.ts';
import { gapOf } from './quick.ts';

describe.each(engines)('many messages crossing, on %s', (engine) => {
  let databases: Databases;
  let fixture: Fixture;
  const workers: Worker[] = [];

  beforeAll(async () => {
    databases = await startDatabases(engine);
    fixture = await openFixture(await databases.open());
  });
  afterEach(async () => {
    for (const worker of workers.splice(0)) await worker.stop();
    fixture.slack.control.clearFaults();
    fixture.slack.control.clearMessages();
    await sql`truncate users, slots, deliveries cascade`.execute(fixture.services.database.sql);
    await sql`truncate chat_limits`.execute(fixture.services.database.sql);
    fixture.clock.set('2026-01-12T07:00:00Z');
  });
  afterAll(async () => {
    await fixture.close();
    await databases.close();
  });

  const start = async (limits = {}) => void workers.push(await fixture.startWorker(limits));
  const arrivals = (team: string) => fixture.slack.control.log({ team });

  it('go into a channel one after the other, oldest first, a gap apart', async () => {
    const camille = await addPerson(fixture);
    for (const [hours, minutes] of [
      [8, 30],
      [8, 15],
      [8, 45],
    ] as const) {
      await addMessenger(fixture, camille, { hours, minutes, message: `${hours}:${minutes}` });
    }
    fixture.clock.set('2026-01-12T08:00:00Z');
    await start({ ...gapOf(200), lateAfterMs: 86_400_000 });
    const messages = await eventually(
      () => fixture.slack.control.messages(bonnard.team, bonnard.general),
      (seen) => seen.length === 3,
    );
    expect(messages.map(({ text }) => text)).toEqual(['8:15', '8:30', '8:45']);
    const times = arrivals(bonnard.team).map(([, , , , ts]) => Number(ts));
    expect(new Set(times).size).toBe(3);
  });

  it('go into a channel a gap apart, also where several workers look for work', async () => {
    const camille = await addPerson(fixture);
    for (let count = 0; count < 6; count += 1) await addMessenger(fixture, camille);
    await start(gapOf(300));
    if (engine === 'postgres') for (let count = 0; count < 3; count += 1) await start(gapOf(300));
    fixture.clock.set('2026-01-12T08:00:00Z');
    const rows = await eventually(
      () => arrivals(bonnard.team),
      ({ length }) => length === 6,
    );
    const times = rows.map(([, , receivedAt]) => receivedAt);
    expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(1400);
  });

  it('of a silent workspace hold up nobody else', async () => {
    fixture.slack.control.addFault({ kind: 'stall', team: bonnard.team, times: null });
    const camille = await addPerson(fixture, bonnard.team);
    for (let count = 0; count < 30; count += 1) {
      await addMessenger(fixture, camille, { channel_id: `C0BTRESOR${count}0` });
    }
    const dominique = await addPerson(fixture, fontaine.team);
    await addMessenger(fixture, dominique, { channel_id: fontaine.general, hours: 9, minutes: 15 });
    fixture.clock.set('2026-01-12T08:15:00Z');
    await start({ concurrency: 16 });
    await eventually(
      () => arrivals(fontaine.team).length,
      (count) => count === 1,
      9000,
    );
    expect(arrivals(bonnard.team)).toHaveLength(0);
    // Lets the stalled requests go, so that stopping need not wait for their time limit.
    fixture.slack.control.clearFaults();
  }, 40_000);

  it('wait as long as Retry-After says for that team, in every worker, and only for it', async () => {
    const limit = { kind: 'ratelimited', team: bonnard.team, retryAfter: 2, times: 1 } as const;
    fixture.slack.control.addFault(limit);
    const camille = await addPerson(fixture, bonnard.team);
    await addMessenger(fixture, camille);
    const later = await addMessenger(fixture, camille, {
      channel_id: bonnard.treasury,
      minutes: 15,
    });
    const dominique = await addPerson(fixture, fontaine.team);
    await addMessenger(fixture, dominique, { channel_id: fontaine.general });
    await start();
    if (engine === 'postgres') await start();
    fixture.clock.set('2026-01-12T08:00:00Z');
    await eventually(
      () => arrivals(fontaine.team).length,
      (count) => count === 1,
    );
    await eventually(
      () => blocked(),
      (count) => count === 1,
    );
    const { rows } = await sql<{ at: number }>`
      select extract(epoch from blocked_until)::float8 * 1000 as at from chat_limits`.execute(
      fixture.services.database.sql,
    );
    fixture.clock.set('2026-01-12T08:15:00Z');
    const arrived = await eventually(
      () => arrivals(bonnard.team),
      ({ length }) => length === 2,
    );
    // The clocks of database and chat are the machine's, read in two ways.
    const [limited = { at: Number.POSITIVE_INFINITY }] = rows;
    for (const [, , receivedAt] of arrived) expect(receivedAt).toBeGreaterThan(limited.at - 500);
    expect(await deliveriesOf(fixture, later.id)).toMatchObject([{ resends: 0 }]);
  });

  it('are held for six hours at most, however many days a Retry-After says', async () => {
    const days = {
      kind: 'ratelimited',
      team: bonnard.team,
      retryAfter: 500_000,
      times: 1,
    } as const;
    fixture.slack.control.addFault(days);
    const { id } = await addMessenger(fixture, await addPerson(fixture, bonnard.team));
    await start();
    fixture.clock.set('2026-01-12T08:00:00Z');
    await eventually(blocked, (count) => count === 1);
    const { rows } = await sql<{ minutes: number }>`select
      round(extract(epoch from blocked_until - now()) / 60)::int as minutes from chat_limits`.execute(
      fixture.services.database.sql,
    );
    expect(rows).toEqual([{ minutes: 360 }]);
    // Its own wait would end when it is of no use any more.
    expect(await deliveriesOf(fixture, id)).toMatchObject([{ outcome: 'missed', attempts: 1 }]);
  });

  it('stop in order: what is in flight ends, the rest goes back', async () => {
    fixture.slack.control.clearRequests();
    fixture.slack.control.setLatency(300);
    const camille = await addPerson(fixture);
    for (let minutes = 0; minutes <= 45; minutes += 15) {
      await addMessenger(fixture, camille, { minutes });
    }
    fixture.clock.set('2026-01-12T08:45:00Z');
    await start(gapOf(5000));
    await eventually(
      () => fixture.slack.control.requests().length,
      (count) => count === 1,
    );
    await workers.splice(0)[0]?.stop();
    fixture.slack.control.setLatency(0);
    expect(arrivals(bonnard.team)).toHaveLength(1);
    expect(await sending()).toBe(0);
    await start();
    await eventually(
      () => arrivals(bonnard.team).length,
      (count) => count === 4,
      5000,
    );
  });

  async function count(condition: string): Promise<number> {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n
      from ${sql.raw(condition)}`.execute(fixture.services.database.sql);
    return rows[0]?.n ?? 0;
  }
  const sending = () => count("deliveries where outcome = 'pending' and sending_at is not null");
  const blocked = () => count('chat_limits where blocked_until > now()');
});
