import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { Dispatcher } from '../../../src/server/notifications/deliveries/dispatcher.ts';
import { deliverySettings } from '../../../src/server/notifications/deliveries/settings.ts';
import { openDatabase } from '../../../src/server/platform/database/open.ts';
import { startOwnPostgres } from '../../support/postgres.ts';
import { eventually, openFixture } from './fixture.ts';
import { addMessenger, addPerson } from './people.ts';

it('what one worker has posted while the database was away is not posted by another', async () => {
  const server = await startOwnPostgres();
  const url = await server.createPreparedDatabase();
  const open = () => openDatabase({ database: { engine: 'postgres', url } }, () => {});
  const fixture = await openFixture(await open());
  const other = await open();
  const teams = Array.from({ length: 20 }, (_, index) => String(100 + index));
  for (const team of teams) {
    const channels = [{ id: `C${team}`, name: 'general' }];
    fixture.slack.control.addTeam({ id: `T${team}`, name: team, channels });
    const person = await addPerson(fixture, `T${team}`);
    await addMessenger(fixture, person, { channel_id: `C${team}` });
  }
  const countOf = async (condition: ReturnType<typeof sql>) => {
    const counted = sql<{ n: number }>`select count(*)::int n from deliveries where ${condition}`;
    return (await counted.execute(other.sql)).rows[0]?.n ?? 0;
  };
  const settings = { ...deliverySettings, leaseMs: 3000, postWithinMs: 1000 };
  fixture.slack.control.setLatency(1500);
  const posting = new Dispatcher(fixture.services, settings);
  fixture.clock.set('2026-01-12T08:00:00Z');
  await eventually(
    () => countOf(sql`sending_at is not null`),
    (count) => count === teams.length,
  );
  const watching = new Dispatcher({ ...fixture.services, database: other }, settings);
  // It has looked at what waits, as a worker does that runs for long.
  await sleep(500);
  await server.stop();
  await sleep(4000);
  await server.start();
  await eventually(
    () => countOf(sql`outcome <> 'pending'`).catch(() => 0),
    (count) => count === teams.length,
  );
  expect(await countOf(sql`outcome = 'delivered' and resends = 0`)).toBe(teams.length);
  expect(fixture.slack.control.log()).toHaveLength(teams.length);
  await Promise.all([posting.stop(3000), watching.stop(3000)]);
  await other.close();
  await fixture.close();
  await server.close();
});
