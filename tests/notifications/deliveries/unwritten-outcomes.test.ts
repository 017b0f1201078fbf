import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely, KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Dispatcher } from '../../../src/server/notifications/deliveries/dispatcher.ts';
import { claimNextDue } from '../../../src/server/notifications/deliveries/due.ts';
import { OutcomeWriter } from '../../../src/server/notifications/deliveries/outcome-writer.ts';
import { deliverySettings } from '../../../src/server/notifications/deliveries/settings.ts';
import { pauseAfterRefusal } from '../../../src/server/notifications/destinations/pausing.ts';
import type { Schema } from '../../../src/server/platform/database/schema.ts';
import { openPreparedDatabase } from '../../support/memory-database.ts';
import { trustedClock } from '../../support/trusted-clock.ts';
import { eventually, type Fixture, openFixture } from './fixture.ts';
import { addMessenger, addPerson, bonnard, deliveriesOf, messengerNow } from './people.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture(await openPreparedDatabase());
});
afterAll(() => fixture.close());

it('an answer that the database does not take yet is written before anything is claimed again', async () => {
  const { id } = await addMessenger(fixture, await addPerson(fixture));
  fixture.clock.set('2026-01-12T08:00:00Z');
  const { database } = fixture.services;
  const events: string[] = [];
  let refusals = 3;
  const plugin = watching(database.sql, (statement) => {
    if (/skip locked/.test(statement)) events.push('claim');
    if (!/set outcome = coalesce/.test(statement)) return;
    refusals -= 1;
    events.push(refusals < 0 ? 'written' : 'refused');
    if (refusals >= 0) throw new Error('the database is away');
  });
  const dispatcher = new Dispatcher(
    { ...fixture.services, database: { ...database, sql: database.sql.withPlugin(plugin) } },
    { ...deliverySettings, idleMs: 60 },
  );
  await eventually(
    () => deliveriesOf(fixture, id),
    ([first]) => first?.outcome === 'delivered',
  );
  await dispatcher.stop(1000);
  const away = events.slice(events.indexOf('refused'), events.indexOf('written'));
  expect(away.filter((event) => event === 'refused')).toHaveLength(3);
  expect(away.filter((event) => event !== 'refused').length).toBeLessThanOrEqual(1);
  expect(fixture.slack.control.log({ team: bonnard.team })).toHaveLength(1);
});

it('an answer that the database refuses is told to the operator before the writer has ended', async () => {
  await addMessenger(fixture, await addPerson(fixture));
  fixture.clock.set('2026-01-13T08:00:00Z');
  const { deliveries } = await claimNextDue(fixture.services, 10, deliverySettings, trustedClock);
  const [delivery] = deliveries;
  if (!delivery) throw new Error('nothing is due');
  const { database } = fixture.services;
  const plugin = watching(database.sql, (statement) => {
    if (/set outcome = coalesce/.test(statement)) throw new RangeError('refused');
  });
  const told: string[] = [];
  const faults: typeof fixture.services.faults = {
    async record(_transaction, [fault]) {
      // Longer than the writer waits between two tries.
      await sleep(400);
      told.push(fault?.code ?? '', fault?.deliveryId ?? '');
    },
    committed: () => void told.push('committed'),
  };
  const writer = new OutcomeWriter({
    ...fixture.services,
    faults,
    database: { ...database, sql: database.sql.withPlugin(plugin) },
  });
  writer.add({ delivery, change: null, againAfterSeconds: 60 });
  await writer.flush();
  expect(told).toEqual(['outcome_refused', delivery.id, 'committed']);
});

/** Calls `onStatement` with the text of each statement before it is sent. */
function watching(sql: Kysely<Schema>, onStatement: (statement: string) => void): KyselyPlugin {
  return {
    transformQuery({ node, queryId }) {
      onStatement(sql.getExecutor().compileQuery(node, queryId).sql);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
}

it('a refusal that concerned the token before the last one pauses nothing', async () => {
  const camille = await addPerson(fixture);
  const { id } = await addMessenger(fixture, camille);
  const { sealed_secret: sealedSecret } = await fixture.services.database.sql
    .selectFrom('destinations')
    .select('sealed_secret')
    .where('id', '=', camille.destinationId)
    .executeTakeFirstOrThrow();
  const refusal = {
    ...{ userId: camille.userId, messengerId: id, destinationId: camille.destinationId },
    channelId: bonnard.general,
    kind: 'permission' as const,
    code: 'missing_scope',
    isOfMessage: true,
  };
  const pauseFor = async (token: string) => {
    const now = fixture.clock.now();
    await fixture.services.database.sql
      .transaction()
      .execute((sql) =>
        pauseAfterRefusal(fixture.services, sql, { ...refusal, sealedSecret: token }, now),
      );
    return (await messengerNow(fixture, id)).paused_reason;
  };
  expect(await pauseFor('the token before')).toBeNull();
  expect(await pauseFor(sealedSecret)).toBe('missing_scope');
});
