import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { Dispatcher } from '../../../src/server/notifications/deliveries/dispatcher.ts';
import { deliverySettings } from '../../../src/server/notifications/deliveries/settings.ts';
import { openDatabase } from '../../../src/server/platform/database/open.ts';
import { startOwnPostgres } from '../../support/postgres.ts';
import { eventually, openFixture } from './fixture.ts';
import { addMessenger, addPerson } from './people.ts';

const settings = { ...deliverySettings, leaseMs: 3000, postWithinMs: 1000 };

it('what one worker has posted while the database was away is not posted by another', async () => {
  const { server, fixture, other, countOf, whenCounted, close } = await openTwo({ due: 20 });
  const posting = new Dispatcher(fixture.services, settings);
  fixture.clock.set('2026-01-12T08:00:00Z');
  await whenCounted(sql`sending_at is not null`, 20);
  const watching = new Dispatcher({ ...fixture.services, database: other }, settings);
  // It has looked at what waits, as a worker does that runs for long.
  await sleep(500);
  await server.stop();
  await sleep(4000);
  await server.start();
  await whenCounted(sql`outcome <> 'pending'`, 20);
  expect(await countOf(sql`outcome = 'delivered' and resends = 0`)).toBe(20);
  expect(fixture.slack.control.log()).toHaveLength(20);
  await Promise.all([posting.stop(3000), watching.stop(3000)]);
  await close();
});

it('what two workers have posted while the database was away is posted by neither once more', async () => {
  const { server, fixture, other, countOf, whenCounted, close } = await openTwo({ due: 40 });
  // Each has a part of them. The outage is longer than the leases and than what a failed claim leaves to others.
  const halved = { ...settings, concurrency: 10, settledWithinMs: 2000 };
  const workers = [
    new Dispatcher(fixture.services, halved),
    new Dispatcher({ ...fixture.services, database: other }, halved),
  ];
  fixture.clock.set('2026-01-12T08:00:00Z');
  await whenCounted(sql`sending_at is not null`, 40);
  await server.stop();
  await sleep(6000);
  await server.start();
  await whenCounted(sql`outcome <> 'pending'`, 40);
  expect(await countOf(sql`resends > 0`)).toBe(0);
  await Promise.all(workers.map((worker) => worker.stop(3000)));
  await close();
});

it('a worker that ends before its answers are written says of how many', async () => {
  const lines: string[] = [];
  const { fixture, whenCounted, close } = await openTwo({ due: 5 });
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
  const { control } = fixture.slack;
  control.setLatency(4000);
  const worker = new Dispatcher({ ...fixture.services, log }, settings);
  fixture.clock.set('2026-01-12T08:00:00Z');
  await eventually(
    () => control.log(),
    ({ length }) => length === 5,
  );
  await worker.stop(100);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      unanswered: 5,
      msg: 'stopped before every answer was written: these count as possibly posted',
    },
  ]);
  // Their answers are written all the same.
  await whenCounted(sql`outcome = 'delivered'`, 5);
  await close();
});

/** A chat that takes its time, so many notifications due at once, and two connections to the database. */
async function openTwo({ due }: { due: number }) {
  const server = await startOwnPostgres();
  const url = await server.createPreparedDatabase();
  const open = () => openDatabase({ database: { engine: 'postgres', url } }, () => {});
  const fixture = await openFixture(await open());
  const other = await open();
  for (let index = 0; index < due; index += 1) {
    const [team, channel] = [`T${100 + index}`, `C${100 + index}`];
    const channels = [{ id: channel, name: 'general' }];
    fixture.slack.control.addTeam({ id: team, name: team, channels });
    await addMessenger(fixture, await addPerson(fixture, team), { channel_id: channel });
  }
  fixture.slack.control.setLatency(1500);
  const countOf = async (condition: ReturnType<typeof sql>) => {
    const counted = sql<{ n: number }>`select count(*)::int n from deliveries where ${condition}`;
    return (await counted.execute(other.sql)).rows[0]?.n ?? 0;
  };
  /** Also while the database is away. */
  const whenCounted = (condition: ReturnType<typeof sql>, count: number) =>
    eventually(
      () => countOf(condition).catch(() => 0),
      (found) => found === count,
    );
  const close = async () => {
    await other.close();
    await fixture.close();
    await server.close();
  };
  return { server, fixture, other, countOf, whenCounted, close };
}
