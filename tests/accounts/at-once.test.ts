import { TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Databases, startDatabases } from '../support/engines.ts';
import type { Person } from '../support/person.ts';
import { confirming, openSetting, resetting, type Setting } from './setting.ts';

/** On PostgreSQL, where requests do run at the same time. */
let databases: Databases;
let app: Setting;
beforeAll(async () => {
  databases = await startDatabases('postgres');
  app = await openSetting({ database: await databases.open() });
});
afterAll(async () => {
  await app.close();
  await databases.close();
});

const next = 'trois petits tours de piste';

function login({ details: { email, password } }: Person, otp?: string) {
  return app.visitor.post('/accounts/login', { email, password, ...(otp ? { otp } : {}) });
}

function four<T>(ask: () => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: 4 }, ask));
}

async function resetTokenOf({ details: { email } }: Person): Promise<string> {
  await app.visitor.post('/accounts/password/forgotten', { email });
  return await app.tokenFor(email, resetting);
}

it('a link used four times at once works once', async () => {
  const token = await resetTokenOf(await app.signUp());
  const answers = await four(() =>
    app.visitor.post('/accounts/password/reset', { token, password: next }),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 422, 422, 422]);
});

it('a code and a recovery code sign in once, however many come with it at once', async () => {
  const ana = await app.signUp();
  const { body } = await ana.post('/users/me/second-factor', {
    currentPassword: ana.details.password,
  });
  const totp = new TOTP({ secret: body.secret.replaceAll(' ', '') });
  const code = () => totp.generate({ timestamp: app.clock.now().getTime() });
  const enrolled = await ana.post('/users/me/second-factor/confirmation', { otp: code() });
  app.clock.advance({ minutes: 1 });
  for (const otp of [code(), enrolled.body.recoveryCodes[0]]) {
    const answers = await four(() => login(ana, otp));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
  }
});

it('no session of the former password outlives a reset that crosses its sign-in', async () => {
  const ana = await app.signUp();
  const token = await resetTokenOf(ana);
  const [reset, ...answers] = await Promise.all([
    app.visitor.post('/accounts/password/reset', { token, password: next }),
    ...Array.from({ length: 3 }, () => login(ana)),
  ]);
  expect(reset.status).toBe(204);
  for (const { status, body } of answers) {
    expect([200, 401, 429]).toContain(status);
    if (status === 200) {
      expect((await app.visitor.as(body.token).get('/users/me')).status).toBe(401);
    }
  }
});

it('of two people who confirm the same address at once, one gets it', async () => {
  const email = 'convoitee@exemple.fr';
  const tokens: string[] = [];
  for (const person of [await app.signUp(), await app.signUp()]) {
    const { password: currentPassword } = person.details;
    await person.put('/users/me/email', { email, currentPassword });
    tokens.push(await app.tokenFor(email, confirming));
    app.mails.length = 0;
  }
  const answers = await Promise.all(
    tokens.map((token) => app.visitor.post('/accounts/email/confirmation', { token })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
});

it('a deletion asked for four times at once is one', async () => {
  const ana = await app.signUp();
  const { password: currentPassword } = ana.details;
  const answers = await four(() => ana.post('/users/me/deletion', { currentPassword }));
  expect(answers.map(({ status }) => status).sort()).toEqual([202, 401, 401, 401]);
});
