import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startSession } from '../../src/server/identity/sessions/queries.ts';
import { type Fixture, openFixture } from '../notifications/deliveries/fixture.ts';
import { addPerson } from '../notifications/deliveries/people.ts';
import { type Databases, startDatabases } from '../support/engines.ts';

/** On PostgreSQL, where two requests do run at the same time. */
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

it('a sign-in does not wait for another request that ends expired sessions', async () => {
  const { services, clock } = fixture;
  const { sql: database } = services.database;
  const { userId: id } = await addPerson(fixture);
  const { password_hash: passwordHash } = await database
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  await startSession(services, { id, passwordHash }, null);
  clock.advance({ days: 31 });
  const token = await database.transaction().execute(async (other) => {
    await sql`select from sessions for update`.execute(other);
    return await startSession(services, { id, passwordHash }, null);
  });
  expect(token).not.toBeNull();
});
