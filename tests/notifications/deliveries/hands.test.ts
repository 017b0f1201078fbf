import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Worker } from '../../../src/server/app/worker.ts';
import { begin } from '../../../src/server/notifications/deliveries/beginning.ts';
import { ticketsOf } from '../../../src/server/notifications/deliveries/packs.ts';
import { planDue } from '../../../src/server/notifications/deliveries/planning.ts';
import { deliverySettings } from '../../../src/server/notifications/deliveries/settings.ts';
import { sendTest } from '../../../src/server/notifications/deliveries/testing.ts';
import { deliveryJobs } from '../../../src/server/notifications/jobs.ts';
import type { ChatProvider } from '../../../src/server/providers/chats/port.ts';
import type { Repeat } from '../../../src/server/providers/chats/posting.ts';
import { type Databases, engines, startDatabases } from '../../support/engines.ts';
import { addMessenger, addPerson, bonnard, deliveriesOf, fontaine } from './people.ts';
import { eventually, openWorld, type World } from './world.ts';

describe.each(engines)('a delivery in the hands of a worker, on %s', (engine) => {
  let databases: Databases;
  let world: World;
  let worker: Worker | null = null;

  beforeAll(async () => {
    databases = await startDatabases(engine);
    world = await openWorld(await databases.open());
  });
  afterEach(async () => {
    await worker?.stop();
    worker = null;
    world.slack.control.clearMessages();
    await sql`truncate users cascade`.execute(world.services.database.sql);
    await world.services.queue.clear(deliveryJobs);
    world.clock.set('2026-01-12T07:00:00Z');
  });
  afterAll(async () => {
    await world.close();
    await databases.close();
  });

  it('is left there by another that has a job for it too, and taken over when it stays so', async () => {
    await addMessenger(world, await addPerson(world));
    world.clock.set('2026-01-12T08:00:00Z');
    await planDue(world.services, world.clock.now(), deliverySettings);
    const tickets = (await world.services.queue.fetch(deliveryJobs, 1)).flatMap(ticketsOf);
    const beginNow = () => begin(world.services, tickets, world.clock.now(), deliverySettings);
    expect((await beginNow()).attempts).toMatchObject([{ number: 1, resends: 0 }]);
    world.clock.advance({ seconds: 24 });
    expect(await beginNow()).toMatchObject({
      attempts: [],
      settlements: [{ change: null, againAfterSeconds: 1 }],
    });
    world.clock.advance({ seconds: 1 });
    expect((await beginNow()).attempts).toMatchObject([{ number: 2, resends: 1 }]);
  });

  it('is not ended by another, not even when it is a test or already too late', async () => {
    const { id } = await addMessenger(world, await addPerson(world));
    world.clock.set('2026-01-12T08:00:00Z');
    await planDue(world.services, world.clock.now(), deliverySettings);
    const tickets = (await world.services.queue.fetch(deliveryJobs, 1)).flatMap(ticketsOf);
    const beginNow = (limits = {}) =>
      begin(world.services, tickets, world.clock.now(), { ...deliverySettings, ...limits });
    await beginNow();
    world.clock.advance({ seconds: 20 });
    const left = { settlements: [{ change: null, againAfterSeconds: 1 }] };
    expect(await beginNow({ uselessAfterMs: 10_000 })).toMatchObject(left);
    const { sql: database } = world.services.database;
    const test = { kind: 'test' } as const;
    await database.updateTable('deliveries').set(test).where('messenger_id', '=', id).execute();
    expect(await beginNow()).toMatchObject(left);
  });

  it.each([
    ['service', '', '', true],
    ['team', bonnard.team, '', true],
    ['channel', bonnard.team, bonnard.general, true],
    ['channel', bonnard.team, bonnard.treasury, false],
    ['turn', bonnard.team, bonnard.general, false],
  ] as const)('waits for a limit of its %s (%s %s): %s', async (scope, team, channel, waits) => {
    await addMessenger(world, await addPerson(world));
    world.clock.set('2026-01-12T08:00:00Z');
    await planDue(world.services, world.clock.now(), deliverySettings);
    const { sql: database } = world.services.database;
    await sql`insert into chat_limits (chat, scope, team_id, channel_id, blocked_until)
      values ('slack', ${scope}, ${team}, ${channel}, now() + interval '1 hour')`.execute(database);
    const tickets = (await world.services.queue.fetch(deliveryJobs, 1)).flatMap(ticketsOf);
    const { attempts } = await begin(world.services, tickets, world.clock.now(), deliverySettings);
    expect(attempts).toHaveLength(waits ? 0 : 1);
    await database.deleteFrom('chat_limits').execute();
  });

  it.each<[Repeat, string]>([
    ['safe', 'resends'],
    [{ withinMs: 61_000 }, 'resends'],
    [{ withinMs: 59_000 }, 'uncertain'],
    ['never', 'uncertain'],
  ])('left by a killed worker follows the rule of its chat: %j', async (repeat, expected) => {
    await addMessenger(world, await addPerson(world));
    world.clock.set('2026-01-12T08:00:00Z');
    await planDue(world.services, world.clock.now(), deliverySettings);
    const tickets = (await world.services.queue.fetch(deliveryJobs, 1)).flatMap(ticketsOf);
    await begin(world.services, tickets, world.clock.now(), deliverySettings);
    world.clock.advance({ minutes: 1 });
    const slack = world.services.chats.get('slack') as ChatProvider;
    const services = { ...world.services, chats: new Map([['slack', { ...slack, repeat }]]) };
    const begun = await begin(services, tickets, world.clock.now(), deliverySettings);
    expect(begun).toMatchObject(
      expected === 'resends'
        ? { attempts: [{ resends: 1 }], settlements: [] }
        : {
            attempts: [],
            settlements: [{ change: { outcome: 'uncertain', reason: 'unconfirmed' } }],
          },
    );
  });

  it('may stand in the chat, also when its notification was paused meanwhile', async () => {
    const { id } = await addMessenger(world, await addPerson(world));
    world.clock.set('2026-01-12T08:00:00Z');
    await planDue(world.services, world.clock.now(), deliverySettings);
    const tickets = (await world.services.queue.fetch(deliveryJobs, 1)).flatMap(ticketsOf);
    await begin(world.services, tickets, world.clock.now(), deliverySettings);
    const paused = { paused_at: world.clock.now(), paused_reason: 'not_in_channel' };
    const { sql: database } = world.services.database;
    await database.updateTable('messengers').set(paused).where('id', '=', id).execute();
    world.clock.advance({ minutes: 1 });
    const { settlements } = await begin(
      world.services,
      tickets,
      world.clock.now(),
      deliverySettings,
    );
    expect(settlements).toMatchObject([{ change: { outcome: 'uncertain' } }]);
  });

  it('is not a test that somebody gave up with the process that asked for it', async () => {
    const camille = await addPerson(world);
    const { id } = await addMessenger(world, camille);
    const asked = sendTest(world.services, camille.userId, id, {}, 60_000).catch((error) => error);
    await eventually(
      () => deliveriesOf(world, id),
      (rows) => rows.length === 1,
    );
    world.clock.advance({ minutes: 2 });
    worker = await world.startWorker();
    expect(await asked).toMatchObject({ code: 'Delivery_Unanswered' });
    expect(await deliveriesOf(world, id)).toMatchObject([{ outcome: 'cancelled', draft: null }]);
    expect(world.slack.control.log({ team: bonnard.team })).toHaveLength(0);
  });

  it('does not wait for a notification whose zone this machine does not know', async () => {
    const camille = await addPerson(world);
    const lost = await addMessenger(world, camille);
    const unknown = { zone: 'Mars/Olympus' };
    const { sql: database } = world.services.database;
    await database.updateTable('messengers').set(unknown).where('id', '=', lost.id).execute();
    const dominique = await addPerson(world, fontaine.team);
    const good = await addMessenger(world, dominique, { channel_id: fontaine.general });
    world.clock.set('2026-01-12T08:00:00Z');
    worker = await world.startWorker();
    await eventually(
      () => deliveriesOf(world, good.id),
      ([first]) => first?.outcome === 'delivered',
    );
    expect(await deliveriesOf(world, lost.id)).toEqual([]);
  });

  it('is never a blank test', async () => {
    const camille = await addPerson(world);
    const { id } = await addMessenger(world, camille);
    const blank = sendTest(world.services, camille.userId, id, { message: ' \n ' }, 1000);
    await expect(blank).rejects.toMatchObject({ code: 'Invalid_Messenger' });
  });
});
