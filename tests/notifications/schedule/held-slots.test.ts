import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { claimNextDue } from '../../../src/server/notifications/deliveries/due.ts';
import { deliverySettings } from '../../../src/server/notifications/deliveries/settings.ts';
import { changeMessenger } from '../../../src/server/notifications/messengers/changes.ts';
import { deleteMessenger } from '../../../src/server/notifications/messengers/queries.ts';
import { removeUnusedSlots, slotFor } from '../../../src/server/notifications/schedule/slots.ts';
import { type Databases, startDatabases } from '../../support/engines.ts';
import { trustedClock } from '../../support/trusted-clock.ts';
import { afterSnapshot, untilWaiting } from '../../support/waiting.ts';
import { type Fixture, openFixture } from '../deliveries/fixture.ts';
import {
  actorOf,
  addMessenger,
  addPerson,
  deliveriesOf,
  messengerNow,
} from '../deliveries/people.ts';

describe('slots that are held, on postgres', () => {
  let databases: Databases;
  let fixture: Fixture;

  beforeAll(async () => {
    databases = await startDatabases('postgres');
    fixture = await openFixture(await databases.open());
  });
  afterEach(() => run('truncate users, slots, deliveries cascade'));
  afterAll(async () => {
    await fixture.close();
    await databases.close();
  });

  const run = (text: string) => sql.raw(text).execute(fixture.services.database.sql);
  const transaction = () => fixture.services.database.sql.transaction();

  /** A notification at 09:00, and the slot of 10:00 that it is about to get. */
  async function movingMessenger() {
    const camille = await addPerson(fixture);
    const messenger = await addMessenger(fixture, camille);
    const { database, clock } = fixture.services;
    const ten = await slotFor(database.sql, { ...messenger, hours: 10 }, clock.now());
    const move = `update messengers set slot_id = '${ten.id}', hours = 10 where id = '${messenger.id}'`;
    return { ...messenger, ten: ten.id, move };
  }

  it('a deletion that waited for a change of the hour holds the new slot, and leaves no delivery', async () => {
    const { user_id: userId, id, slot_id: nine, ten, move } = await movingMessenger();
    const { database } = fixture.services;
    // A claim of the new slot, which ends last.
    const { deletion } = await transaction().execute(async (claim) => {
      await sql`select from slots where id = ${ten} for no key update`.execute(claim);
      const { deletion } = await transaction().execute(async (change) => {
        await sql`select from slots where id in (${nine}, ${ten}) for key share`.execute(change);
        await sql`select from slots where id = ${nine} for share`.execute(change);
        await sql.raw(move).execute(change);
        const deletion = deleteMessenger(fixture.services, userId, id);
        await untilWaiting(database, 1);
        return { deletion };
      });
      const isOver = await Promise.race([deletion, untilWaiting(database, 1)]);
      expect(isOver).toBeUndefined();
      await sql`insert into deliveries (user_id, messenger_id, local_date, id, kind, due_at, created_at)
        values (${userId}, ${id}, '2026-01-12', ${id}, 'daily', now(), now())`.execute(claim);
      return { deletion };
    });
    expect(await deletion).toBe(true);
    expect(await deliveriesOf(fixture, id)).toEqual([]);
  });

  it('what one person changes all the time, several at once, keeps no claim from the slot', async () => {
    const { services, clock } = fixture;
    const person = await addPerson(fixture);
    const messengers = [];
    for (let count = 0; count < 4; count += 1) messengers.push(await addMessenger(fixture, person));
    clock.set('2026-01-12T08:00:00Z');
    let isOver = false;
    const changeOnAndOn = async ({ id }: { id: string }) => {
      for (let count = 0; !isOver; count += 1) {
        await changeMessenger(services, actorOf(person), id, { message: `Bonjour ${count}` });
      }
    };
    const changes = [...messengers, ...messengers].map(changeOnAndOn);
    const free = sql`select from slots for no key update skip locked`;
    await expect.poll(async () => (await free.execute(services.database.sql)).rows.length).toBe(0);
    const { deliveries } = await claimNextDue(services, 10, deliverySettings, trustedClock);
    isOver = true;
    await Promise.all(changes);
    expect(deliveries).toHaveLength(4);
  });

  it('a change that waited for a change of the hour holds the new slot', async () => {
    const { user_id: userId, id, slot_id: nine, ten, move } = await movingMessenger();
    const { database } = fixture.services;
    const { pause } = await transaction().execute(async (claim) => {
      await sql`select from slots where id = ${ten} for no key update`.execute(claim);
      const { pause } = await transaction().execute(async (change) => {
        await sql`select from slots where id = ${nine} for no key update`.execute(change);
        await sql.raw(move).execute(change);
        const pause = changeMessenger(fixture.services, actorOf({ userId }), id, {
          message: 'Bonsoir',
        });
        await untilWaiting(database, 1);
        return { pause };
      });
      const isOver = await Promise.race([pause, untilWaiting(database, 1)]);
      expect(isOver).toBeUndefined();
      return { pause };
    });
    await pause;
    expect(await messengerNow(fixture, id)).toMatchObject({ hours: 10, message: 'Bonsoir' });
  });

  it('a slot that gets a notification while unused ones are removed stays, and nothing fails', async () => {
    const camille = await addPerson(fixture);
    const { id } = await addMessenger(fixture, camille);
    const { database, clock } = fixture.services;
    const schedule = { user_id: camille.userId, hours: 10, minutes: 0, zone: 'Europe/Paris' };
    const rest = { offset_minutes: null, days: 127, holidays: null };
    const { id: ten } = await slotFor(database.sql, { ...schedule, ...rest }, clock.now());
    await run("update slots set next_at = now() + interval '1 day'");
    const gate = { table: 'slots', words: 'skip locked' };
    await afterSnapshot(
      database,
      gate,
      () => removeUnusedSlots(fixture.services),
      () => run(`update messengers set slot_id = '${ten}' where id = '${id}'`),
    );
    await removeUnusedSlots(fixture.services);
    expect(await database.sql.selectFrom('slots').select('id').execute()).toEqual([{ id: ten }]);
  });
});
