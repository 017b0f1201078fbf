import { describe, expect, it } from 'vitest';
import { engines } from '../../support/engines.ts';
import { eventually } from './fixture.ts';
import { addMessenger, addPerson, bonnard, deliveriesOf, messengerNow } from './people.ts';
import { ended, fixture, plan, setUpDeliveries, texts, work } from './world.ts';

describe.each(engines)('after a clock that ran ahead, on %s', (engine) => {
  setUpDeliveries(engine);

  it('sends nothing twice when the clock jumps back, or forward and back', async () => {
    const { id } = await addMessenger(fixture, await addPerson(fixture));
    await work();
    fixture.clock.set('2026-01-12T08:00:00Z');
    await ended(id, 1);
    fixture.clock.set('2026-01-11T07:00:00Z');
    await eventually(
      () => plan(),
      (planned) => planned === 0,
    );
    fixture.clock.set('2026-01-12T08:00:00Z');
    fixture.clock.set('2026-01-13T08:00:30Z');
    await ended(id, 2);
    fixture.clock.set('2026-01-12T08:00:30Z');
    expect(await plan()).toBe(0);
    expect(texts()).toHaveLength(2);
  });

  it('goes on at the next day after a clock that ran far ahead was set right', async () => {
    const { id } = await addMessenger(fixture, await addPerson(fixture));
    await work();
    fixture.clock.set('2026-01-12T08:00:00Z');
    await ended(id, 1);
    fixture.clock.set('2026-02-21T08:00:00Z');
    await ended(id, 41);
    expect(texts()).toHaveLength(2);
    fixture.clock.set('2026-01-12T09:00:00Z');
    await eventually(
      () => messengerNow(fixture, id),
      ({ next_at: at }) => at?.toISOString() === '2026-01-13T08:00:00.000Z',
    );
    expect((await messengerNow(fixture, id)).planned_on).toBe('2026-01-12');
    expect((await deliveriesOf(fixture, id)).map(({ local_date: day }) => day)).toEqual([
      '2026-01-12',
      '2026-02-21',
    ]);
    fixture.clock.set('2026-01-13T08:00:00Z');
    await ended(id, 3);
    expect(texts()).toHaveLength(3);
  });

  it.each([9, 20, 28, 40])(
    'sends today’s after a clock that ran %d hours ahead had counted it as missed',
    async (hours) => {
      fixture.clock.set('2026-01-12T06:00:00Z');
      const { id } = await addMessenger(fixture, await addPerson(fixture));
      await work();
      fixture.clock.set(new Date(Date.parse('2026-01-12T06:00:00Z') + hours * 3_600_000));
      await eventually(
        () => deliveriesOf(fixture, id),
        (rows) => rows.some(({ outcome }) => outcome === 'missed'),
      );
      fixture.clock.set('2026-01-12T06:01:00Z');
      await eventually(
        () => messengerNow(fixture, id),
        ({ next_at: at }) => at?.toISOString() === '2026-01-12T08:00:00.000Z',
      );
      fixture.clock.set('2026-01-12T08:00:00Z');
      await eventually(
        () => deliveriesOf(fixture, id),
        (rows) =>
          rows.some(
            ({ outcome, local_date: day }) => outcome === 'delivered' && day === '2026-01-12',
          ),
      );
    },
  );

  it('names where today’s was posted, not where a day stood that a clock ahead counted as missed', async () => {
    fixture.clock.set('2026-01-12T06:00:00Z');
    const { id } = await addMessenger(fixture, await addPerson(fixture));
    fixture.clock.set('2026-01-12T15:00:00Z');
    expect(await plan()).toBe(1);
    fixture.clock.set('2026-01-12T06:01:00Z');
    const { sql: database } = fixture.services.database;
    const chosen = { channel_id: bonnard.treasury, channel_name: 'trésorerie' };
    await database.updateTable('messengers').set(chosen).where('id', '=', id).execute();
    await work();
    await eventually(
      () => messengerNow(fixture, id),
      ({ next_at: at }) => at?.toISOString() === '2026-01-12T08:00:00.000Z',
    );
    fixture.clock.set('2026-01-12T08:00:00Z');
    const rows = await eventually(
      () => deliveriesOf(fixture, id),
      ([first]) => first?.outcome === 'delivered',
    );
    expect(rows).toMatchObject([chosen]);
  });

  it('never sends again the day that a clock ahead has sent', async () => {
    const { id } = await addMessenger(fixture, await addPerson(fixture));
    await work();
    fixture.clock.set('2026-01-15T08:00:00Z');
    await ended(id, 4);
    fixture.clock.set('2026-01-12T07:30:00Z');
    await eventually(
      () => messengerNow(fixture, id),
      ({ next_at: at }) => at?.toISOString() === '2026-01-12T08:00:00.000Z',
    );
    for (const day of [12, 13, 14]) {
      fixture.clock.set(`2026-01-${day}T08:00:00Z`);
      await ended(id, day - 10);
    }
    fixture.clock.set('2026-01-15T08:00:00Z');
    await eventually(
      () => messengerNow(fixture, id),
      ({ next_at: at }) => at?.toISOString() === '2026-01-16T08:00:00.000Z',
    );
    await ended(id, 4);
    expect(texts()).toHaveLength(4);
  });

  it('begins with what a clock ahead has left, saved or paused under it', async () => {
    const camille = await addPerson(fixture);
    const far = new Date('2026-03-01T08:00:00Z');
    const savedThen = new Date('2026-01-19T08:00:00Z');
    const saved = await addMessenger(fixture, camille, {
      ...{ active_since: savedThen, updated_at: savedThen },
    });
    const planned = { planned_on: '2026-02-28', stopped: true };
    const paused = await addMessenger(fixture, camille, planned);
    const later = { paused_until: '2026-03-01', planned_on: '2026-01-11' };
    const asked = await addMessenger(fixture, camille, later);
    const weekly = { days: 1, planned_on: '2026-01-12' };
    const mondays = await addMessenger(fixture, camille, weekly);
    const ahead = { next_at: far, local_date: '2026-03-01', claimed_at: far };
    const { sql: database } = fixture.services.database;
    await database.updateTable('slots').set(ahead).where('id', '=', saved.slot_id).execute();
    await work();
    await eventually(
      () => messengerNow(fixture, saved.id),
      ({ next_at: at }) => at?.toISOString() === '2026-01-12T08:00:00.000Z',
    );
    expect(await messengerNow(fixture, paused.id)).toMatchObject({
      planned_on: null,
      next_at: null,
    });
    expect(await messengerNow(fixture, asked.id)).toMatchObject({ ...later, next_at: far });
    expect(await messengerNow(fixture, mondays.id)).toMatchObject({
      ...{ ...weekly, next_at: new Date('2026-01-19T08:00:00Z') },
    });
  });
});
