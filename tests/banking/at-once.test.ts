import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import {
  eraseConnection,
  noteErasureOfUnread,
} from '../../src/server/banking/connections/erasing.ts';
import { listConnections } from '../../src/server/banking/connections/queries.ts';
import {
  createManualAccount,
  removeManualAccount,
} from '../../src/server/banking/manual/changes.ts';
import { createBankRefreshes } from '../../src/server/banking/refreshing/refreshes.ts';
import { changeSecret, changeSecretIn } from '../../src/server/banking/source-links/queries.ts';
import { lockUser } from '../../src/server/identity/users/queries.ts';
import { type Fixture, openFixture } from '../notifications/deliveries/fixture.ts';
import { addMessenger, addPerson } from '../notifications/deliveries/people.ts';
import { clientDetails } from '../providers/banks/source-fixture.ts';
import { storeAccounts } from '../shared/message/stored-accounts.ts';
import { type Databases, startDatabases } from '../support/engines.ts';
import { untilWaiting } from '../support/waiting.ts';
import { scriptedSource } from './scripted-source.ts';

/** On PostgreSQL, where what crosses a removal does run at the same time. */
let databases: Databases;
let fixture: Fixture;
beforeAll(async () => {
  databases = await startDatabases('postgres');
  fixture = await openFixture(await databases.open());
});
afterEach(async () => {
  await sql`truncate users, slots, deliveries cascade`.execute(fixture.services.database.sql);
});
afterAll(async () => {
  await fixture.close();
  await databases.close();
});

it('a bank is removed although the database undid it for what is written of its messages', async () => {
  const { services, clock } = fixture;
  const { database } = services;
  const camille = await addPerson(fixture);
  const { userId } = camille;
  await storeAccounts(services, userId, [{ id: 1, name: 'Courant' }]);
  const { id: messenger_id } = await addMessenger(fixture, camille);
  await database.sql
    .insertInto('deliveries')
    .values({
      ...{ user_id: userId, id: messenger_id, messenger_id, kind: 'daily' },
      ...{ local_date: '2026-01-12', due_at: clock.now(), created_at: clock.now() },
    })
    .execute();
  const [connection] = await listConnections(services, userId);
  if (!connection) throw new Error('no connection');
  let others = 0;
  const removal = await database.sql.transaction().execute(async (writing) => {
    // The other one gives up first.
    await sql`set local deadlock_timeout = '60s'`.execute(writing);
    await sql`update deliveries set attempts = attempts where user_id = ${userId}`.execute(writing);
    const removal = eraseConnection(services, connection, async () => {
      others += 1;
    }).then(() => 'removed', String);
    await untilWaiting(database, 1);
    await sql`select from bank_accounts where user_id = ${userId} for key share`.execute(writing);
    return { removal };
  });
  expect(await removal.removal).toBe('removed');
  // More often where the next run is at the accounts before the one that was let through has gone on.
  expect(others).toBeGreaterThan(1);
  expect(await listConnections(services, userId)).toEqual([]);
});

it.each(['a connection', 'an account by hand'])(
  'the removal of %s locks its user after the schedule, as everything else does',
  async (what) => {
    const { services } = fixture;
    const { database } = services;
    const camille = await addPerson(fixture);
    const { userId } = camille;
    const actor = { userId, sessionHash: null };
    const { id: byHand } = await createManualAccount(services, actor, 'manual', {
      ...{ name: 'Livret', currency_code: 'EUR', day: '2026-01-11', balance: 1 },
    });
    const [connection] = await listConnections(services, userId);
    if (!connection) throw new Error('no connection');
    await addMessenger(fixture, camille);
    const remove = () =>
      what === 'a connection'
        ? eraseConnection(services, connection, async (transaction) => {
            await lockUser(transaction, userId);
          })
        : removeManualAccount(services, actor, 'manual', byHand);
    const removal = await database.sql.transaction().execute(async (other) => {
      await sql`set local deadlock_timeout = '60s'`.execute(other);
      await sql`select from slots for no key update`.execute(other);
      const ended = remove().then(() => 'removed', String);
      await untilWaiting(database, 1);
      // Waits for nobody where the removal does not hold the user yet.
      await sql`set local lock_timeout = '200ms'`.execute(other);
      expect(await lockUser(other, userId)).not.toBeNull();
      return { ended };
    });
    expect(await removal.ended).toBe('removed');
  },
);

it('a first reading that begins while its access is forgotten finds nothing to read with', async () => {
  const { services } = fixture;
  const { database } = services;
  const { userId } = await addPerson(fixture);
  await changeSecret(services, userId, 'script', () => 'key');
  let readings = 0;
  const dates = { lastSuccessfulRefresh: null, authenticationExpiresAt: null };
  const bank = { id: null, name: 'Banque' };
  const source = scriptedSource({
    async read() {
      readings += 1;
      const told = { code: null, description: null };
      return { connections: [{ id: 'one', state: 'ok', ...told, bank, ...dates }], accounts: [] };
    },
  });
  const refreshes = createBankRefreshes({
    ...services,
    bankSources: new Map([['script', source]]),
  });
  const { reading } = await database.sql.transaction().execute(async (forgetting) => {
    await lockUser(forgetting, userId);
    await noteErasureOfUnread(forgetting, userId, 'script');
    const reading = refreshes.refresh(userId, 'script');
    await untilWaiting(database, 1);
    await changeSecretIn(forgetting, services, userId, 'script', () => null);
    return { reading };
  });
  await reading;
  expect(readings).toBe(0);
  expect(await listConnections(services, userId)).toEqual([]);
});

it('who is there does not get the next reading of those who are not', async () => {
  const { services } = fixture;
  const { userId } = await addPerson(fixture);
  await changeSecret(services, userId, 'script', () => 'key');
  const presences: boolean[] = [];
  const first = Promise.withResolvers<void>();
  const source = scriptedSource({
    async read(_link, details) {
      presences.push(details !== null);
      if (presences.length === 1) await first.promise;
      return { connections: [], accounts: [] };
    },
  });
  // None is asked for at once with another.
  let seconds = 0;
  const refreshes = createBankRefreshes(
    { ...services, bankSources: new Map([['script', source]]) },
    () => {
      seconds += 1;
      return seconds * 1000;
    },
  );
  const running = refreshes.refresh(userId, 'script');
  await expect.poll(() => presences).toEqual([false]);
  const waiting = refreshes.refresh(userId, 'script');
  const present = refreshes.refresh(userId, 'script', clientDetails);
  first.resolve();
  await Promise.all([running, waiting, present]);
  expect(presences).toContain(true);
});
