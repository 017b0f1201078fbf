import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claimNextDue } from '../../../src/server/notifications/deliveries/due.ts';
import { deliverySettings } from '../../../src/server/notifications/deliveries/settings.ts';
import {
  scheduleReadings,
  storeBankTransactions,
} from '../../../src/server/notifications/transactions/store.ts';
import { type Databases, startDatabases } from '../../support/engines.ts';
import { trustedClock } from '../../support/trusted-clock.ts';
import { afterSnapshot, untilWaiting } from '../../support/waiting.ts';
import { type Fixture, openFixture } from '../deliveries/fixture.ts';
import { addMessenger, addPerson } from '../deliveries/people.ts';

describe('transactions that are read just before their message, on postgres', () => {
  let databases: Databases;
  let fixture: Fixture;

  beforeAll(async () => {
    databases = await startDatabases('postgres');
    fixture = await openFixture(await databases.open());
  });
  afterAll(async () => {
    await fixture.close();
    await databases.close();
  });

  const told = { message: '{{operations}}', variables: true, operations: 'sums' } as const;
  const stored = async () =>
    (await fixture.services.database.sql.selectFrom('message_operations').selectAll().execute())[0];

  it('are stored before the message is claimed, or not at all', async () => {
    const { services, clock } = fixture;
    const { sql: database } = services.database;
    clock.set('2026-01-12T07:58:30Z');
    const { user_id: userId, id: messengerId } = await addMessenger(
      fixture,
      await addPerson(fixture),
      {
        ...told,
        active_since: new Date('2026-01-11T12:00:00Z'),
      },
    );
    const [due] = await database
      .transaction()
      .execute((transaction) => scheduleReadings(transaction, clock.now(), 10));
    expect(due?.messenger_id).toBe(messengerId);
    const sending = { userId, messengerId, dueAt: new Date('2026-01-12T08:00:00Z') };
    const read = {
      accounts: { byId: new Map([[1, null]]), byIban: new Map() },
      sealed: 'read',
      fingerprints: [],
      now: clock.now(),
    };
    const { storing, claimed } = await database.transaction().execute(async (change) => {
      await sql`select from messengers where id = ${messengerId} for update`.execute(change);
      const storing = storeBankTransactions(database, sending, read);
      await untilWaiting(services.database, 1);
      clock.set('2026-01-12T08:00:00Z');
      return { storing, claimed: await claimNextDue(services, 10, deliverySettings, trustedClock) };
    });
    await storing;
    // A message that was claimed before has read nothing of it.
    const isStored = (await stored())?.sealed === 'read';
    expect({ isStored, isClaimed: claimed.deliveries.length > 0 }).not.toEqual({
      isStored: true,
      isClaimed: true,
    });
    await claimNextDue(services, 10, deliverySettings, trustedClock);
    await storeBankTransactions(database, sending, { ...read, sealed: 'late' });
    expect((await stored())?.sealed).not.toBe('late');
  });

  it('are scheduled for the others while one notification is being deleted', async () => {
    const { services, clock } = fixture;
    const { sql: database } = services.database;
    await sql`truncate users, slots, deliveries cascade`.execute(database);
    clock.set('2026-01-12T07:00:00Z');
    const camille = await addPerson(fixture);
    const active_since = new Date('2026-01-11T12:00:00Z');
    const kept = await addMessenger(fixture, camille, { ...told, active_since });
    const gone = await addMessenger(fixture, camille, { ...told, active_since });
    clock.set('2026-01-12T07:58:30Z');
    const gate = { table: 'messengers', words: 'insert into message_operations' };
    const due = await afterSnapshot(
      services.database,
      gate,
      () =>
        database
          .transaction()
          .execute((transaction) => scheduleReadings(transaction, clock.now(), 10)),
      () => sql`delete from real_messengers where id = ${gone.id}`.execute(database),
    );
    expect(due.map(({ messenger_id }) => messenger_id)).toEqual([kept.id]);
  });
});
