import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { claimNextDue } from '../../../src/server/notifications/deliveries/due.ts';
import { deliverySettings } from '../../../src/server/notifications/deliveries/settings.ts';
import { nextOf } from '../../../src/server/notifications/schedule/next-sending.ts';
import { removeUnusedSlots, slotFor } from '../../../src/server/notifications/schedule/slots.ts';
import { insertCrowd } from '../../support/crowd.ts';
import { engines } from '../../support/engines.ts';
import { trustedClock } from '../../support/trusted-clock.ts';
import { addMessenger, addPerson, deliveriesOf, messengerNow } from './people.ts';
import { claim, ended, fixture, plan, setUpDeliveries, texts, work } from './world.ts';

describe.each(engines)('planning, on %s', (engine) => {
  setUpDeliveries(engine);

  it('is done once when ten planners work side by side', async () => {
    await insertCrowd(fixture.services, { count: 400, dueAt: new Date('2026-01-12T08:00:00Z') });
    fixture.clock.set('2026-01-12T08:00:00Z');
    const claimed: string[] = [];
    const planner = async () => {
      let total = 0;
      for (;;) {
        const { deliveries, written, waitMs } = await claim();
        claimed.push(...deliveries.map(({ id }) => id));
        total += written;
        if (waitMs > 0) return total;
      }
    };
    const totals = await Promise.all(Array.from({ length: 10 }, planner));
    expect(totals.reduce((one, other) => one + other)).toBe(400);
    const { rows } = await sql`select count(*)::int as deliveries, count(distinct messenger_id)::int
      as messengers from deliveries`.execute(fixture.services.database.sql);
    expect(rows).toEqual([{ deliveries: 400, messengers: 400 }]);
    expect(claimed).toHaveLength(400);
    expect(new Set(claimed).size).toBe(400);
  });

  it('waits for a notification that is being added', async () => {
    if (engine === 'embedded') return;
    const messenger = await addMessenger(fixture, await addPerson(fixture));
    const { sql: database } = fixture.services.database;
    await database.transaction().execute(async (transaction) => {
      const { id } = await slotFor(transaction, messenger, fixture.clock.now());
      const added = { ...messenger, id: fixture.services.randomness.uuid(), slot_id: id };
      await transaction.insertInto('messengers').values(added).execute();
      fixture.clock.set('2026-01-12T08:00:00Z');
      expect(await plan()).toBe(0);
      await removeUnusedSlots(fixture.services);
    });
    expect(await plan()).toBe(2);
  });

  it('leaves out what is paused, incomplete or still to come', async () => {
    const camille = await addPerson(fixture);
    await addMessenger(fixture, camille, { message: '' });
    await addMessenger(fixture, camille, { channel_id: null });
    await addMessenger(fixture, camille, { paused_at: fixture.clock.now() });
    await addMessenger(fixture, camille, { hours: 10 });
    fixture.clock.set('2026-01-12T08:30:00Z');
    expect(await plan()).toBe(0);
  });

  it('says of each day of an outage that it was missed, and sends only the last, marked as late', async () => {
    const { id } = await addMessenger(fixture, await addPerson(fixture));
    fixture.clock.set('2026-01-15T10:12:00Z');
    await work();
    const rows = await ended(id, 4);
    expect(rows.map(({ local_date: day, outcome }) => [day, outcome])).toEqual([
      ['2026-01-12', 'missed'],
      ['2026-01-13', 'missed'],
      ['2026-01-14', 'missed'],
      ['2026-01-15', 'delivered'],
    ]);
    expect(texts()).toEqual(['Bonjour à tous\nMessage prévu à 09:00, envoyé à 11:12.']);
    expect((await messengerNow(fixture, id)).next_at).toEqual(new Date('2026-01-16T08:00:00Z'));
  });

  it('says it of every notification where an earlier day was claimed in part', async () => {
    const camille = await addPerson(fixture);
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.push((await addMessenger(fixture, camille)).id);
    const claimTwo = () => claimNextDue(fixture.services, 2, deliverySettings, trustedClock);
    fixture.clock.set('2026-01-12T08:00:00Z');
    expect(await claimTwo()).toMatchObject({ written: 2, waitMs: 0 });
    fixture.clock.set('2026-01-14T15:00:00Z');
    for (;;) if ((await claimTwo()).waitMs > 0) break;
    for (const id of ids) {
      const days = (await deliveriesOf(fixture, id)).map(({ local_date: day }) => day);
      expect(days).toEqual(['2026-01-12', '2026-01-13', '2026-01-14']);
    }
  });

  it('says it of each day on which the machine did not know the zone', async () => {
    const { id, slot_id } = await addMessenger(fixture, await addPerson(fixture));
    const { sql: database } = fixture.services.database;
    const moveTo = async (zone: string) => {
      await database.updateTable('messengers').set({ zone }).where('id', '=', id).execute();
      await database.updateTable('slots').set({ zone }).where('id', '=', slot_id).execute();
    };
    await moveTo('Mars/Olympus');
    for (const moment of ['2026-01-12T08:00:00Z', '2026-01-14T09:30:00Z']) {
      fixture.clock.set(moment);
      expect(
        await claimNextDue(fixture.services, 10, deliverySettings, trustedClock),
      ).toMatchObject({
        written: 0,
      });
    }
    await moveTo('Europe/Paris');
    fixture.clock.set('2026-01-14T09:40:00Z');
    await work();
    const rows = await ended(id, 3);
    expect(rows.map(({ local_date: day, outcome }) => `${day} ${outcome}`)).toEqual([
      ...['2026-01-12 missed', '2026-01-13 missed', '2026-01-14 delivered'],
    ]);
  });

  it('sends nothing that is more than six hours late', async () => {
    const { id } = await addMessenger(fixture, await addPerson(fixture));
    fixture.clock.set('2026-01-12T14:00:01Z');
    await work();
    expect(await ended(id, 1)).toMatchObject([{ outcome: 'missed', reason: 'service_stopped' }]);
    expect(texts()).toEqual([]);
  });

  it('accounts for a year without service in short steps', async () => {
    const { id } = await addMessenger(fixture, await addPerson(fixture));
    fixture.clock.set('2027-01-12T09:00:00Z');
    await work();
    const rows = await ended(id, 366);
    expect(rows.filter(({ outcome }) => outcome === 'delivered')).toHaveLength(1);
    expect(new Set(rows.map(({ local_date: day }) => day)).size).toBe(366);
  });

  it('sends again tomorrow, not today, when the hour changes after today’s message', async () => {
    const { id } = await addMessenger(fixture, await addPerson(fixture));
    await work();
    fixture.clock.set('2026-01-12T08:00:00Z');
    await ended(id, 1);
    const now = fixture.clock.now();
    const changed = { hours: 18, active_since: now, slot_next_at: now };
    const nothing = { last_date: null, due_at: null };
    const evening = { ...(await messengerNow(fixture, id)), ...changed, ...nothing };
    expect(nextOf(evening, now)?.at).toEqual(new Date('2026-01-13T17:00:00Z'));
  });

  it('moves a stored moment that no longer is the hour, instead of sending at it', async () => {
    const { id, slot_id } = await addMessenger(fixture, await addPerson(fixture));
    const stale = { next_at: new Date('2026-01-12T07:30:00Z') };
    const { sql: database } = fixture.services.database;
    await database.updateTable('slots').set(stale).where('id', '=', slot_id).execute();
    fixture.clock.set('2026-01-12T07:31:00Z');
    await plan();
    expect(await deliveriesOf(fixture, id)).toEqual([]);
    expect((await messengerNow(fixture, id)).next_at).toEqual(new Date('2026-01-12T08:00:00Z'));
  });
});
