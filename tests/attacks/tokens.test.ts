import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Application, startApplication } from '../support/application.ts';
import { addressOf, type Operation, operationsOf } from '../support/operations.ts';
import type { Client, Person } from '../support/person.ts';
import { userCommand } from '../support/user-command.ts';

let app: Application;
let closed: Operation[];
beforeAll(async () => {
  app = await startApplication();
  const { body } = await app.visitor.get('/openapi.json');
  closed = operationsOf(body).filter(({ needsSession }) => needsSession);
});
afterAll(() => app.close());

const next = 'trois petits tours de piste';

async function signInAgain({ details: { email, password } }: Person): Promise<Client> {
  const { body } = await app.visitor.post('/accounts/login', { email, password });
  return app.visitor.as(body.token);
}

/** The codes of the 401 that every call of a signed-in person answers. */
async function refusals(client: Client): Promise<string[]> {
  const codes = new Set<string>();
  for (const operation of closed) {
    const { method, path } = operation;
    const { status, body } = await client.send(
      method,
      addressOf(operation, { id: '1', alert: '1', source: '1', kind: 'slack', code: '1' }),
    );
    expect(status, `${method} ${path}`).toBe(401);
    codes.add(body.code);
  }
  return [...codes];
}

test('a token opens nothing after its sign-out', async () => {
  const ana = await app.signUp();
  await ana.post('/accounts/logout');
  expect(await refusals(ana)).toEqual(['Not_Signed_In']);
});

test('a token opens nothing after thirty days without use', async () => {
  const ana = await app.signUp();
  app.clock.advance({ days: 30, seconds: 1 });
  expect(await refusals(ana)).toEqual(['Not_Signed_In']);
});

test('the other tokens open nothing after a change of password', async () => {
  const ana = await app.signUp();
  const thief = await signInAgain(ana);
  const change = { currentPassword: ana.details.password, password: next };
  expect((await ana.put('/users/me/password', change)).status).toBe(204);
  expect(await refusals(thief)).toEqual(['Not_Signed_In']);
  expect((await ana.get('/users/me')).status).toBe(200);
});

test('no token opens anything after a password was reset', async () => {
  const ana = await app.signUp();
  const printed = await userCommand(app.services, 'reset-link', ana.details.email);
  const token = /#jeton=([\w-]{43})/.exec(printed)?.[1];
  const reset = { token, password: next };
  expect((await app.visitor.post('/accounts/password/reset', reset)).status).toBe(204);
  expect(await refusals(ana)).toEqual(['Not_Signed_In']);
  const again = await app.visitor.post('/accounts/password/reset', {
    ...reset,
    password: `${next}!`,
  });
  expect([again.status, again.body.code]).toEqual([422, 'Link_Invalid']);
});

test('a session that is ended from another device is over', async () => {
  const ana = await app.signUp();
  const lost = await signInAgain(ana);
  const { body: sessions } = await ana.get('/users/me/sessions');
  const other = sessions.find(({ current }: { current: boolean }) => !current);
  expect((await ana.delete(`/users/me/sessions/${other.id}`)).status).toBe(204);
  expect(await refusals(lost)).toEqual(['Not_Signed_In']);
});

test('no token opens anything after the account is deleted', async () => {
  const ana = await app.signUp();
  const other = await signInAgain(ana);
  const { status } = await ana.post('/users/me/deletion', {
    currentPassword: ana.details.password,
  });
  expect(status).toBe(202);
  for (const client of [ana, other]) {
    const [code, ...more] = await refusals(client);
    expect(more).toEqual([]);
    expect(['Not_Signed_In', 'User_Not_Found']).toContain(code);
  }
  const { email, password } = ana.details;
  expect((await app.visitor.post('/accounts/login', { email, password })).status).toBe(401);
});

test('a token that was chosen for somebody does not become theirs', async () => {
  const chosen = 'x'.repeat(43);
  const ana = await app.signUp();
  const { email, password } = ana.details;
  const fixing = app.visitor.as(chosen);
  const headers = { 'content-type': 'application/json', cookie: `tirelire.token=${chosen}` };
  const body = JSON.stringify({ email, password, token: chosen });
  const first = await fixing.send('POST', `/accounts/login?token=${chosen}`, { headers, body });
  const second = await fixing.send('POST', '/accounts/login', { headers, body });
  expect([first.status, second.status]).toEqual([200, 200]);
  const tokens = new Set([chosen, ana.token, first.body.token, second.body.token]);
  expect(tokens.size).toBe(4);
  expect(first.headers.get('set-cookie')).toBeNull();
  expect((await fixing.get('/users/me')).status).toBe(401);
});

test('what the database holds of a token, or an id, is no token', async () => {
  const ana = await app.signUp();
  const rows = await app.services.database.sql.selectFrom('sessions').selectAll().execute();
  for (const { token_hash, id } of rows) {
    for (const wrong of [token_hash, id, Buffer.from(token_hash, 'hex').toString('base64url')]) {
      expect((await app.visitor.as(wrong).get('/users/me')).status).toBe(401);
    }
  }
  expect((await ana.get('/users/me')).status).toBe(200);
});

test('a one-time code is taken once, and a wrong one ten times at most', async () => {
  const { TOTP } = await import('otpauth');
  const ana = await app.signUp();
  const { email, password } = ana.details;
  const begun = await ana.post('/users/me/second-factor', { currentPassword: password });
  const secret = begun.body.secret.replaceAll(' ', '');
  const code = () => new TOTP({ secret }).generate({ timestamp: app.clock.now().getTime() });
  const confirmed = await ana.post('/users/me/second-factor/confirmation', { otp: code() });
  expect(confirmed.status).toBe(200);
  const signIn = (otp?: string) => app.visitor.post('/accounts/login', { email, password, otp });
  expect((await signIn()).body.code).toBe('Second_Factor_Required');
  expect((await signIn(code())).body.code).toBe('Second_Factor_Invalid');
  app.clock.advance({ seconds: 30 });
  expect((await signIn(code())).status).toBe(200);
  expect((await signIn(code())).body.code).toBe('Second_Factor_Invalid');
  const guesses = [];
  for (let guess = 0; guess < 30; guess += 1) guesses.push(await signIn('000000'));
  expect(guesses.filter(({ status }) => status === 401).length).toBeLessThan(10);
  expect(guesses.at(-1)?.body.code).toBe('Too_Many_Requests');
});
