import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Application, startApplication } from '../support/application.ts';

let app: Application;
beforeAll(async () => {
  app = await startApplication({ costlyPasswords: true });
});
afterAll(() => app.close());

test('someone signs in and reads who they are', async () => {
  const ana = await app.signUp({ firstname: 'Ana', lastname: 'Lemoine' });
  const { status, body, headers } = await ana.get('/users/me');
  expect(status).toBe(200);
  expect(body).toEqual({
    id: ana.id,
    email: ana.details.email,
    emailConfirmed: false,
    pendingEmail: null,
    secondFactor: false,
    operator: false,
    firstname: 'Ana',
    lastname: 'Lemoine',
    messengers: [],
    messengersNext: null,
  });
  expect(headers.get('cache-control')).toBe('no-store');
});

test('a wrong password and an unknown address get the same answer', async () => {
  const { details } = await app.signUp();
  const wrong = await app.visitor.post('/accounts/login', {
    email: details.email,
    password: 'pas le bon mot de passe',
  });
  const unknown = await app.visitor.post('/accounts/login', {
    email: 'personne@nulle-part.fr',
    password: 'pas le bon mot de passe',
  });
  expect(wrong.status).toBe(401);
  expect(wrong.body).toEqual({
    statusCode: 401,
    code: 'Wrong_Credentials',
    message: 'Wrong_Credentials',
  });
  expect(unknown.body).toEqual(wrong.body);
});

test('an unknown address costs a verification like any other', async () => {
  const verified: (string | null)[] = [];
  const { verify } = app.services.passwords;
  app.services.passwords.verify = (storedHash, password) => {
    verified.push(storedHash);
    return verify(storedHash, password);
  };
  await app.visitor.post('/accounts/login', { email: 'x@nulle-part.fr', password: 'inconnu' });
  app.services.passwords.verify = verify;
  expect(verified).toEqual([null]);
});

test('signing in does not mind capitals in the address', async () => {
  const { details } = await app.signUp({ email: 'Majuscule@exemple.fr' });
  const { status } = await app.visitor.post('/accounts/login', {
    email: 'mAJUSCULE@EXEMPLE.FR',
    password: details.password,
  });
  expect(status).toBe(200);
});

test('the database holds no token that opens anything', async () => {
  const ana = await app.signUp();
  expect(Buffer.from(ana.token, 'base64url')).toHaveLength(32);
  const rows = await app.services.database.sql.selectFrom('sessions').selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(ana.token);
  for (const { token_hash } of rows) {
    expect((await app.visitor.as(token_hash).get('/users/me')).status).toBe(401);
  }
});

test('signing out ends the session on the server, and no other one', async () => {
  const ana = await app.signUp();
  const { email, password } = ana.details;
  const { body } = await app.visitor.post('/accounts/login', { email, password });
  const otherTab = app.visitor.as(body.token);
  const { status, body: nothing } = await ana.post('/accounts/logout');
  expect({ status, nothing }).toEqual({ status: 204, nothing: '' });
  const after = await ana.get('/users/me');
  expect(after.status).toBe(401);
  expect(after.body.code).toBe('Not_Signed_In');
  expect((await otherTab.get('/users/me')).status).toBe(200);
});

test('a session lives thirty days from its last use, then ends and is cleared away', async () => {
  const ana = await app.signUp();
  app.clock.advance({ days: 29 });
  expect((await ana.get('/users/me')).status).toBe(200);
  app.clock.advance({ days: 29 });
  expect((await ana.get('/users/me')).status).toBe(200);
  app.clock.advance({ days: 30, seconds: 1 });
  expect((await ana.get('/users/me')).status).toBe(401);
  await app.signUp();
  const expired = await app.services.database.sql
    .selectFrom('sessions')
    .select('token_hash')
    .where('expires_at', '<=', app.clock.now())
    .execute();
  expect(expired).toEqual([]);
});

test('reading does not write: a session is prolonged at most once an hour', async () => {
  const ana = await app.signUp();
  const lastUse = async () => {
    const { last_used_at } = await app.services.database.sql
      .selectFrom('sessions')
      .select('last_used_at')
      .where('user_id', '=', ana.id)
      .executeTakeFirstOrThrow();
    return last_used_at;
  };
  const signedIn = app.clock.now();
  app.clock.advance({ minutes: 50 });
  await ana.get('/users/me');
  expect(await lastUse()).toEqual(signedIn);
  app.clock.advance({ minutes: 20 });
  await ana.get('/users/me');
  expect(await lastUse()).toEqual(app.clock.now());
});

test.each([
  ['whose disk is full', '53100'],
  ['that is read-only', '25006'],
])('a session is read in a database %s, which takes no note of its use', async (_which, code) => {
  const ana = await app.signUp();
  const { sql: database } = app.services.database;
  await sql`create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'no write' using errcode = ${sql.lit(code)}; end $$`.execute(database);
  await sql`create trigger refusal before update on sessions
    execute function refuse()`.execute(database);
  app.clock.advance({ hours: 2 });
  const { status } = await ana.get('/users/me');
  await sql`drop function refuse cascade`.execute(database);
  expect(status).toBe(200);
});

test('a session whose account is gone says so', async () => {
  const ana = await app.signUp();
  await app.services.database.sql.deleteFrom('users').where('id', '=', ana.id).execute();
  const { status, body } = await ana.get('/users/me');
  expect(status).toBe(401);
  expect(body).toEqual({
    statusCode: 401,
    code: 'User_Not_Found',
    message: 'User_Not_Found',
  });
});

test('a burst of logins waits its turn, and too large a one is told to come back', async () => {
  const { createPasswords } = await import('../../src/server/identity/users/password-hashing.ts');
  const passwords = createPasswords({ running: 1, waiting: 2 });
  const ends = await Promise.allSettled(
    Array.from({ length: 5 }, () => passwords.verify(null, 'au hasard')),
  );
  expect(ends.map(({ status }) => status)).toEqual([
    ...['fulfilled', 'fulfilled', 'fulfilled'],
    ...['rejected', 'rejected'],
  ]);
  expect(ends[4]).toMatchObject({ reason: { code: 'Too_Many_Requests', retryAfter: 5 } });
  expect(await passwords.verify(null, 'au hasard')).toBe(false);
});

test('guessing one account’s password is slowed down, and nobody else is', async () => {
  const [ana, basile] = [await app.signUp(), await app.signUp()];
  const guess = { email: ana.details.email, password: 'au hasard' };
  const tries = await Promise.all(
    Array.from({ length: 25 }, () => app.visitor.post('/accounts/login', guess)),
  );
  const refused = tries.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThanOrEqual(5);
  expect(refused[0]?.body.code).toBe('Too_Many_Requests');
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
  const { email, password } = basile.details;
  expect((await app.visitor.post('/accounts/login', { email, password })).status).toBe(200);
});
