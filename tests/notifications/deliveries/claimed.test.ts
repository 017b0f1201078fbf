import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { ClaimedDelivery } from '../../../src/server/notifications/deliveries/attempt.ts';
import { claimWaiting } from '../../../src/server/notifications/deliveries/claiming-waiting.ts';
import { claimNextDue } from '../../../src/server/notifications/deliveries/due.ts';
import { outcomeOf } from '../../../src/server/notifications/deliveries/outcome.ts';
import { postAttempt } from '../../../src/server/notifications/deliveries/posting.ts';
import { recordOutcomes } from '../../../src/server/notifications/deliveries/recording-outcomes.ts';
import { deliverySettings } from '../../../src/server/notifications/deliveries/settings.ts';
import { sendTest } from '../../../src/server/notifications/deliveries/test-messages.ts';
import { monotonicMs } from '../../../src/server/platform/clock.ts';
import type { ChatProvider } from '../../../src/server/providers/chats/port.ts';
import type { Repeat } from '../../../src/server/providers/chats/posting.ts';
import { engines } from '../../support/engines.ts';
import { trustedClock } from '../../support/trusted-clock.ts';
import { eventually } from './fixture.ts';
import { actorOf, addMessenger, addPerson, bonnard, deliveriesOf, fontaine } from './people.ts';
import { gapOf } from './quick.ts';
import { fixture, setUpDeliveries, work } from './world.ts';

describe.each(engines)('a claimed delivery, on %s', (engine) => {
  setUpDeliveries(engine);

  /** The first claim of the only notification, at its hour. */
  async function claimAtNine() {
    fixture.clock.set('2026-01-12T08:00:00Z');
    return (await claimNextDue(fixture.services, 10, deliverySettings, trustedClock)).deliveries;
  }

  const claimAgain = (limits = {}, services = fixture.services) =>
    claimWaiting(services, {
      ...{ now: fixture.clock.now(), count: 10, settings: { ...deliverySettings, ...limits } },
      ...{ held: [], takesOver: true },
    });

  const nothing = { deliveries: [], outcomes: [] };

  /** For the worker and for the database, whose clock the leases follow. */
  async function pass(seconds: number): Promise<void> {
    fixture.clock.advance({ seconds });
    await sql`update deliveries set run_at = run_at - ${seconds} * interval '1 s'`.execute(
      fixture.services.database.sql,
    );
  }

  it('is left there by another that looks for work, and taken over when it stays so', async () => {
    await addMessenger(fixture, await addPerson(fixture));
    expect(await claimAtNine()).toMatchObject([{ attempts: 1, resends: 0 }]);
    expect(await claimAtNine()).toEqual([]);
    await pass(40);
    expect(await claimAgain()).toEqual(nothing);
    await pass(5);
    expect(await claimAgain()).toMatchObject({
      ...{ deliveries: [{ attempts: 2, resends: 1 }], outcomes: [] },
    });
    expect(await claimAgain()).toEqual(nothing);
  });

  it('is not ended by another, not even when it is a test or already too late', async () => {
    const { id } = await addMessenger(fixture, await addPerson(fixture));
    await claimAtNine();
    await pass(20);
    expect(await claimAgain({ uselessAfterMs: 10_000 })).toEqual(nothing);
    const { sql: database } = fixture.services.database;
    const test = { kind: 'test' } as const;
    await database.updateTable('deliveries').set(test).where('messenger_id', '=', id).execute();
    expect(await claimAgain()).toEqual(nothing);
    expect(await deliveriesOf(fixture, id)).toMatchObject([{ outcome: 'pending', attempts: 1 }]);
  });

  it.each([
    ['service', '', '', true],
    ['team', bonnard.team, '', true],
    ['channel', bonnard.team, bonnard.general, true],
    ['channel', bonnard.team, bonnard.treasury, false],
    ['turn', bonnard.team, bonnard.general, false],
  ] as const)('waits for a limit of its %s (%s %s): %s', async (scope, team, channel, waits) => {
    await addMessenger(fixture, await addPerson(fixture));
    const { sql: database } = fixture.services.database;
    await sql`insert into chat_limits (chat, scope, team_id, channel_id, blocked_until)
      values ('slack', ${scope}, ${team}, ${channel}, now() + interval '1 hour')`.execute(database);
    expect(await claimAtNine()).toHaveLength(waits ? 0 : 1);
    expect(await claimAgain()).toEqual(nothing);
    await database.deleteFrom('chat_limits').execute();
  });

  it.each<[Repeat, string]>([
    ['safe', 'resends'],
    [{ withinMs: 61_000 }, 'resends'],
    [{ withinMs: 59_000 }, 'uncertain'],
    ['never', 'uncertain'],
  ])('left by a killed worker follows the rule of its chat: %j', async (repeat, expected) => {
    await addMessenger(fixture, await addPerson(fixture));
    await claimAtNine();
    await pass(60);
    const slack = fixture.services.chats.get('slack') as ChatProvider;
    const services = { ...fixture.services, chats: new Map([['slack', { ...slack, repeat }]]) };
    const uncertain = { outcome: 'uncertain', reason: 'unconfirmed' };
    expect(await claimAgain({}, services)).toMatchObject(
      expected === 'resends'
        ? { deliveries: [{ resends: 1 }], outcomes: [] }
        : { deliveries: [], outcomes: [{ change: uncertain }] },
    );
  });

  it.each([
    [0, 'delivered'],
    [2, 'uncertain'],
  ])('is repeated only while its chat knows it still: %d s later it is %s', async (wait, end) => {
    await addMessenger(fixture, await addPerson(fixture));
    await claimAtNine();
    await pass(60);
    const repeat = { withinMs: 61_000 };
    const slack = fixture.services.chats.get('slack') as ChatProvider;
    const services = { ...fixture.services, chats: new Map([['slack', { ...slack, repeat }]]) };
    const [claimed] = (await claimAgain({}, services)).deliveries;
    if (!claimed) throw new Error('nothing was claimed');
    const begunAt = fixture.clock.now();
    // In the limiter.
    fixture.clock.advance({ seconds: wait });
    const asked = { ...begun(claimed), begunAt };
    const { attempt, result } = await postAttempt(services, asked, deliverySettings);
    const now = fixture.clock.now();
    const outcome = outcomeOf(attempt, result, { now, settings: deliverySettings, repeat });
    expect(outcome.change).toMatchObject({ outcome: end });
    expect(fixture.slack.control.log()).toHaveLength(end === 'delivered' ? 1 : 0);
  });

  it('is not posted by a worker that comes to it too late, which knows so', async () => {
    await addMessenger(fixture, await addPerson(fixture));
    const [claimed] = await claimAtNine();
    if (!claimed) throw new Error('nothing was claimed');
    const asked = { ...begun(claimed), postBy: monotonicMs() - 1 };
    const { result } = await postAttempt(fixture.services, asked, deliverySettings);
    expect(result).toMatchObject({ end: 'transient', code: 'too_late' });
    expect(fixture.slack.control.log()).toEqual([]);
  });

  const begun = (claimed: ClaimedDelivery) => ({
    ...{ ...claimed, channelId: claimed.channelId ?? '', data: null },
    ...{ begunAt: fixture.clock.now(), postBy: Number.POSITIVE_INFINITY },
  });

  it('counts as failed only where its chat did not take it', async () => {
    await addMessenger(fixture, await addPerson(fixture));
    let [claimed] = await claimAtNine();
    const endAs = async (reason: string | null) => {
      if (!claimed) throw new Error('nothing was claimed');
      const change = { outcome: 'pending', reason, isUnposted: true } as const;
      const outcome = { delivery: claimed, change, againAfterSeconds: 0 };
      // Written again, as where the answer of the database is lost.
      for (let time = 0; time < 2; time += 1) {
        await recordOutcomes(fixture.services, [outcome], fixture.clock.now());
      }
      [claimed] = (await claimAgain()).deliveries;
    };
    await endAs(null);
    expect(claimed).toMatchObject({ attempts: 2, failures: 0 });
    await endAs('http_503');
    expect(claimed).toMatchObject({ attempts: 3, failures: 1 });
    await endAs('http_503');
    await endAs(null);
    expect(claimed).toMatchObject({ attempts: 5, failures: 2 });
  });

  it('may stand in the chat, also when its notification was paused meanwhile', async () => {
    const { id } = await addMessenger(fixture, await addPerson(fixture));
    await claimAtNine();
    const paused = { paused_at: fixture.clock.now(), paused_reason: 'not_in_channel' };
    const { sql: database } = fixture.services.database;
    await database.updateTable('messengers').set(paused).where('id', '=', id).execute();
    await pass(60);
    expect(await claimAgain()).toMatchObject({
      ...{ deliveries: [], outcomes: [{ change: { outcome: 'uncertain' } }] },
    });
  });

  it('is not a test that somebody gave up with the process that asked for it', async () => {
    const camille = await addPerson(fixture);
    const { id } = await addMessenger(fixture, camille);
    const asked = sendTest(fixture.services, actorOf(camille), id, {}, 60_000).catch(
      (error) => error,
    );
    await eventually(
      () => deliveriesOf(fixture, id),
      (rows) => rows.length === 1,
    );
    fixture.clock.advance({ minutes: 4 });
    await work();
    expect(await asked).toMatchObject({ code: 'Delivery_Unanswered' });
    expect(await deliveriesOf(fixture, id)).toMatchObject([{ outcome: 'cancelled', draft: null }]);
    expect(fixture.slack.control.log({ team: bonnard.team })).toHaveLength(0);
  });

  it('is not posted as a test that waited for its channel when its person was told that it is cancelled', async () => {
    const camille = await addPerson(fixture);
    const { id } = await addMessenger(fixture, camille);
    await work(gapOf(1500));
    const test = (message: string, patienceMs: number) =>
      sendTest(fixture.services, actorOf(camille), id, { message }, patienceMs);
    await test('Premier', 10_000);
    const given = await test('Deuxième', 300).catch((error) => error);
    expect(given).toMatchObject({ code: 'Delivery_Unanswered' });
    expect(given.message).toContain('Le test est annulé.');
    await test('Troisième', 10_000);
    const texts = fixture.slack.control.messages(bonnard.team, bonnard.general);
    expect(texts.map(({ text }) => text)).toEqual(['Premier', 'Troisième']);
    expect((await deliveriesOf(fixture, id)).map(({ outcome }) => outcome)).toEqual([
      ...['delivered', 'cancelled', 'delivered'],
    ]);
  });

  it('does not wait for a notification whose zone this machine does not know', async () => {
    const camille = await addPerson(fixture);
    const lost = await addMessenger(fixture, camille, { zone: 'Europe/Madrid' });
    const unknown = { zone: 'Mars/Olympus' };
    const { sql: database } = fixture.services.database;
    await database.updateTable('messengers').set(unknown).where('id', '=', lost.id).execute();
    await database.updateTable('slots').set(unknown).where('id', '=', lost.slot_id).execute();
    const dominique = await addPerson(fixture, fontaine.team);
    const good = await addMessenger(fixture, dominique, { channel_id: fontaine.general });
    fixture.clock.set('2026-01-12T08:00:00Z');
    await work();
    await eventually(
      () => deliveriesOf(fixture, good.id),
      ([first]) => first?.outcome === 'delivered',
    );
    expect(await deliveriesOf(fixture, lost.id)).toEqual([]);
  });

  it('is never a blank test', async () => {
    const camille = await addPerson(fixture);
    const { id } = await addMessenger(fixture, camille);
    const blank = sendTest(fixture.services, actorOf(camille), id, { message: ' \n ' }, 1000);
    await expect(blank).rejects.toMatchObject({ code: 'Invalid_Messenger' });
  });
});
