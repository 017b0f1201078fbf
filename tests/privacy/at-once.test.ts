import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sendConsentReminders } from '../../src/server/banking/reminders/reminders.ts';
import { queueMail } from '../../src/server/identity/mails/outbox.ts';
import { removeSecondFactor } from '../../src/server/identity/second-factor/enrolment.ts';
import { renameUser } from '../../src/server/identity/users/queries.ts';
import { requestDeletion } from '../../src/server/privacy/deletion/requesting.ts';
import { workOnDeletion } from '../../src/server/privacy/deletion/work.ts';
import { type Fixture, openFixture } from '../notifications/deliveries/fixture.ts';
import { addMessenger, addPerson, messengerNow } from '../notifications/deliveries/people.ts';
import { storeAccounts } from '../shared/message/stored-accounts.ts';
import { type Databases, startDatabases } from '../support/engines.ts';
import { afterSnapshot, untilWaiting } from '../support/waiting.ts';

/** On PostgreSQL, where a deletion and what crosses it do run at the same time. */
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

it('a notification that is being resumed when the deletion is asked for stays stopped', async () => {
  const { database } = fixture.services;
  const camille = await addPerson(fixture);
  const { id } = await addMessenger(fixture, camille, { stopped: true });
  const { request } = await database.sql.transaction().execute(async (change) => {
    await sql`update messengers set stopped = false where id = ${id}`.execute(change);
    const request = requestDeletion(fixture.services, camille.userId);
    await Promise.race([request, untilWaiting(database, 1)]);
    return { request };
  });
  expect(await request).not.toBeNull();
  expect(await messengerNow(fixture, id)).toMatchObject({ stopped: true });
});

it('a name that is given while the account is closed is not kept', async () => {
  const { services } = fixture;
  const { userId } = await addPerson(fixture);
  const { database } = services;
  const { rename } = await database.sql.transaction().execute(async (closing) => {
    await sql`update users set firstname = '', email = '' where id = ${userId}`.execute(closing);
    const rename = renameUser(services, userId, { firstname: 'Camille' }).catch(({ code }) => code);
    await untilWaiting(database, 1);
    return { rename };
  });
  expect(await rename).toBe('User_Not_Found');
  const names = database.sql.selectFrom('users').select('firstname').where('id', '=', userId);
  expect(await names.execute()).toEqual([{ firstname: '' }]);
  await database.sql.deleteFrom('users').where('id', '=', userId).execute();
  const late = renameUser(services, userId, { firstname: 'Camille' });
  await expect(late).rejects.toMatchObject({ code: 'User_Not_Found' });
});

const mail = { cause: 'test', subject: 'Bonjour', body: 'Bonjour' };
const mails = (userId: string) =>
  fixture.services.database.sql
    .selectFrom('mails')
    .select('recipient')
    .where('user_id', '=', userId)
    .execute();

it('a mail that is written while the deletion is asked for is not sent', async () => {
  const { services, clock } = fixture;
  const { userId } = await addPerson(fixture);
  const { request } = await services.database.sql.transaction().execute(async (writing) => {
    await queueMail(services, writing, { ...mail, userId, now: clock.now() });
    const request = requestDeletion(services, userId);
    await untilWaiting(services.database, 1);
    return { request };
  });
  expect(await request).not.toBeNull();
  expect(await mails(userId)).toEqual([]);
});

it('a second factor that is removed while the deletion is asked for spoils neither', async () => {
  const { services, clock } = fixture;
  const { userId: user_id } = await addPerson(fixture);
  const now = clock.now();
  await services.database.sql
    .insertInto('second_factors')
    .values({ user_id, sealed_secret: '', used_step: 1, created_at: now, confirmed_at: now })
    .execute();
  let request: Promise<unknown> = Promise.resolve();
  const wasOn = await afterSnapshot(
    services.database,
    { table: 'users', words: 'insert into mails' },
    () => removeSecondFactor(services, user_id),
    async () => {
      request = requestDeletion(services, user_id);
      request.catch(() => {});
      await untilWaiting(services.database, 2);
    },
  );
  expect(wasOn).toBe(true);
  expect(await request).not.toBeNull();
});

it('no mail is written to an account whose deletion is being noted', async () => {
  const { services, clock } = fixture;
  const { sql: database } = services.database;
  const { userId } = await addPerson(fixture);
  const { writing } = await database.transaction().execute(async (deletion) => {
    // As `requestDeletion`.
    await sql`update users set email = '', email_key = 'deleted' where id = ${userId}`.execute(
      deletion,
    );
    const writing = database
      .transaction()
      .execute((other) => queueMail(services, other, { ...mail, userId, now: clock.now() }));
    await untilWaiting(services.database, 1);
    return { writing };
  });
  await writing;
  expect(await mails(userId)).toEqual([]);
});

it('others are reminded of a consent that ends while one account is being erased', async () => {
  const { services, clock } = fixture;
  const { database } = services;
  const people = [await addPerson(fixture), await addPerson(fixture)];
  for (const { userId } of people) {
    await storeAccounts(services, userId, [{ id: 1, name: 'Courant' }]);
  }
  const authentication_expires_at = new Date(clock.now().getTime() + 86_400_000);
  await database.sql.updateTable('bank_connections').set({ authentication_expires_at }).execute();
  const gate = { table: 'bank_connections', words: 'insert into bank_reminders' };
  const count = await afterSnapshot(
    database,
    gate,
    () => sendConsentReminders(services),
    () => sql`delete from users where id = ${people[0]?.userId}`.execute(database.sql),
  );
  expect(count).toBe(1);
});

it('the erasure and a reading that is being stored wait, and never for each other', async () => {
  const { services } = fixture;
  const { sql: database } = services.database;
  const { userId } = await addPerson(fixture);
  await storeAccounts(services, userId, [{ id: 1, name: 'Courant' }]);
  await database
    .insertInto('bank_refreshes')
    .values({ user_id: userId, source: 'bridge' })
    .execute();
  await requestDeletion(services, userId);
  const { id: deletionId } = await database
    .selectFrom('deletions')
    .select('id')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  const { erasure } = await database.transaction().execute(async (reading) => {
    // As `storeReading`.
    await sql`select from bank_refreshes where user_id = ${userId} for update`.execute(reading);
    const erasure = workOnDeletion({ ...services, bankSources: new Map() }, { deletionId });
    erasure.catch(() => {});
    await untilWaiting(services.database, 1);
    await sql`insert into bank_connections (user_id, id, source, source_id, bank_id, bank_name, state,
      status, seen_at) values (${userId}, 9, 'bridge', '9', 9, 'Neuf', 'ok', 0, now())`.execute(
      reading,
    );
    await sql`update bank_accounts set balance_minor = 1 where user_id = ${userId}`.execute(
      reading,
    );
    return { erasure };
  });
  await erasure;
  const left = await database.selectFrom('users').select('id').where('id', '=', userId).execute();
  expect(left).toEqual([]);
});
