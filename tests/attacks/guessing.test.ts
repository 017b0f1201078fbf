import { Pool } from 'undici';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { networkOf } from '../../src/server/identity/throttling/limits.ts';
import { throttled } from '../../src/server/identity/throttling/throttling.ts';
import { type Application, startApplication } from '../support/application.ts';
import type { Answer, Person } from '../support/person.ts';

let app: Application;
let verified: number;
beforeAll(async () => {
  // One proxy stands before it: the last address in X-Forwarded-For is the visitor's.
  app = await startApplication({ configuration: { trustProxy: 1 }, costlyPasswords: true });
  const { passwords } = app.services;
  const { verify } = passwords;
  passwords.verify = (hash, password) => {
    verified += 1;
    // Hashing ten thousand times would measure the machine, not the limit.
    return password === wrong ? Promise.resolve(false) : verify(hash, password);
  };
});
beforeEach(async () => {
  verified = 0;
  app.clock.advance({ days: 100 });
  await app.services.database.sql.deleteFrom('attempts').execute();
});
afterAll(() => app.close());

const wrong = 'pas le bon mot de passe';

function signIn(email: string, password: string, address: string): Promise<Answer> {
  return app.visitor.send('POST', '/accounts/login', {
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify({ email, password }),
  });
}

const ownDoor = ({ details: { email, password } }: Person, address: string) =>
  signIn(email, password, address);

async function guess(count: number, one: (index: number) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let index = 0; index < count; index += 100) {
    const burst = Array.from({ length: Math.min(100, count - index) }, (_, at) => one(index + at));
    answers.push(...(await Promise.all(burst)));
  }
  return answers;
}

/** Sends the guesses from one address over fifty connections and counts the answers by status. */
async function flood(count: number, login: object): Promise<Record<number, number>> {
  const pool = new Pool(app.url, { connections: 50 });
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.7' };
  const body = JSON.stringify(login);
  const statuses: Record<number, number> = {};
  let left = count;
  const send = async () => {
    while (left > 0) {
      left -= 1;
      const answer = await pool.request({
        path: '/api/accounts/login',
        method: 'POST',
        headers,
        body,
      });
      await answer.body.text();
      statuses[answer.statusCode] = (statuses[answer.statusCode] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: 50 }, send));
  await pool.close();
  return statuses;
}

test('ten thousand guesses at one account are five guesses, and its owner comes in', async () => {
  const ana = await app.signUp();
  verified = 0;
  const statuses = await flood(10_000, { email: ana.details.email, password: wrong });
  expect(verified).toBe(5);
  expect(statuses).toEqual({ 401: 5, 429: 9_995 });
  const refused = await signIn(ana.details.email, wrong, '203.0.113.7');
  expect(refused.body).toEqual({
    statusCode: 429,
    code: 'Too_Many_Requests',
    message: 'Trop de tentatives. Réessayez dans 1 seconde.',
  });
  expect(refused.headers.get('retry-after')).toBe('1');
  expect((await ownDoor(ana, '198.51.100.1')).status).toBe(200);
}, 120_000);

test('each failure after the fifth doubles the wait, up to a quarter of an hour', async () => {
  const ana = await app.signUp();
  const waits: number[] = [];
  for (let round = 0; round < 18; round += 1) {
    const { status, headers } = await signIn(ana.details.email, wrong, '203.0.113.7');
    if (status === 401) continue;
    const seconds = Number(headers.get('retry-after'));
    waits.push(seconds);
    app.clock.advance({ seconds });
    expect((await signIn(ana.details.email, wrong, '203.0.113.7')).status).toBe(401);
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]);
  const { body } = await signIn(ana.details.email, wrong, '203.0.113.7');
  expect(body.message).toBe('Trop de tentatives. Réessayez dans 15 minutes.');
});

test('a block that a clock set a day ahead left ends when the clock is right again', async () => {
  const ana = await app.signUp();
  const rightNow = app.clock.now();
  app.clock.advance({ days: 1 });
  for (let slip = 0; slip < 5; slip += 1) {
    expect((await signIn(ana.details.email, wrong, '203.0.113.9')).status).toBe(401);
  }
  expect((await ownDoor(ana, '203.0.113.9')).status).toBe(429);
  app.clock.set(rightNow);
  expect((await signIn(ana.details.email, wrong, '203.0.113.9')).status).toBe(401);
  expect((await ownDoor(ana, '203.0.113.9')).status).toBe(429);
  app.clock.advance({ seconds: 2 });
  expect((await ownDoor(ana, '203.0.113.9')).status).toBe(200);
});

test('a right password makes up for the wrong ones before it', async () => {
  const ana = await app.signUp();
  for (let day = 0; day < 4; day += 1) {
    for (let slip = 0; slip < 4; slip += 1) {
      expect((await signIn(ana.details.email, wrong, '203.0.113.8')).status).toBe(401);
    }
    expect((await ownDoor(ana, '203.0.113.8')).status).toBe(200);
  }
});

test('an address nobody has is counted like one that somebody has', async () => {
  const ana = await app.signUp();
  const tries = async (email: string) => {
    const answers = await guess(8, () => signIn(email, wrong, '203.0.113.9'));
    return answers.map(({ status, body }) => `${status} ${body.message}`).sort();
  };
  expect(await tries('personne@nulle-part.fr')).toEqual(await tries(ana.details.email));
});

test('an office is not shut out for what one person in it does', async () => {
  const office = '192.0.2.1';
  const [ana, basile, newcomer] = [await app.signUp(), await app.signUp(), await app.signUp()];
  for (const person of [ana, basile]) expect((await ownDoor(person, office)).status).toBe(200);
  await guess(150, (index) => signIn(`liste${index}@exemple.fr`, wrong, office));
  await guess(20, () => signIn(basile.details.email, wrong, office));
  expect((await ownDoor(ana, office)).status).toBe(200);
  const first = await ownDoor(newcomer, office);
  expect(first.status).toBe(429);
  const seconds = Number(first.headers.get('retry-after'));
  expect(seconds).toBeLessThanOrEqual(60);
  app.clock.advance({ seconds });
  expect((await ownDoor(newcomer, office)).status).toBe(200);
});

test('guesses from everywhere at one account are slowed down, its owner is not', async () => {
  const ana = await app.signUp();
  expect((await ownDoor(ana, '198.51.100.77')).status).toBe(200);
  verified = 0;
  await guess(300, (index) =>
    signIn(ana.details.email, wrong, `10.${index >> 8}.${index & 255}.1`),
  );
  expect(verified).toBe(100);
  expect((await ownDoor(ana, '198.51.100.77')).status).toBe(200);
  const elsewhere = await ownDoor(ana, '198.51.100.78');
  expect(elsewhere.status).toBe(429);
  const seconds = Number(elsewhere.headers.get('retry-after'));
  expect(seconds).toBeLessThanOrEqual(60);
  app.clock.advance({ seconds });
  expect((await ownDoor(ana, '198.51.100.78')).status).toBe(200);
});

test('whoever changes the password is known where that was done, and nowhere else', async () => {
  const ana = await app.signUp();
  const { email, password: currentPassword } = ana.details;
  const [home, office] = ['198.51.100.80', '198.51.100.81'];
  expect((await ownDoor(ana, office)).status).toBe(200);
  const password = 'trois petits tours de piste';
  const changed = await ana.send('PUT', '/users/me/password', {
    headers: { 'content-type': 'application/json', 'x-forwarded-for': home },
    body: JSON.stringify({ currentPassword, password }),
  });
  expect(changed.status).toBe(204);
  await guess(110, (index) => signIn(email, wrong, `10.1.0.${index}`));
  expect((await signIn(email, password, home)).status).toBe(200);
  expect((await signIn(email, password, office)).status).toBe(429);
});

test('a stolen session guesses the password from everywhere no better than signing in', async () => {
  const ana = await app.signUp();
  const change = (currentPassword: string, address: string) =>
    ana.send('PUT', '/users/me/password', {
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify({ currentPassword, password: 'trois petits tours de piste' }),
    });
  verified = 0;
  await guess(300, (index) => change(wrong, `10.${index >> 8}.${index & 255}.1`));
  expect(verified).toBe(100);
  const own = await change(ana.details.password, '198.51.100.79');
  expect(own.status).toBe(429);
  app.clock.advance({ seconds: Number(own.headers.get('retry-after')) });
  expect((await change(ana.details.password, '198.51.100.79')).status).toBe(204);
});

test('an address that the visitor wrote himself is not believed', async () => {
  const ana = await app.signUp();
  verified = 0;
  await guess(50, (index) => signIn(ana.details.email, wrong, `10.0.0.${index}, 203.0.113.10`));
  expect(verified).toBe(5);
});

test.each([
  ['IPv4', (port: number) => `203.0.113.11:${port}`],
  ['IPv6', (port: number) => `[2001:db8:1:4::1]:${port}`],
])('a port that a proxy writes behind an address of %s makes no other one', async (_, address) => {
  const ana = await app.signUp();
  verified = 0;
  await guess(50, (index) => signIn(ana.details.email, wrong, address(40_000 + index)));
  expect(verified).toBe(5);
});

test('a network of IPv6 counts as one address, however many addresses are in it', () => {
  const addresses = [
    '2001:db8:1:2::1',
    '2001:DB8:1:2:ffff:ffff:ffff:ffff',
    '2001:0db8:0001:0002::9',
  ];
  expect(new Set(addresses.map(networkOf))).toEqual(new Set(['2001:db8:1:2::/64']));
  expect(networkOf('2001:db8:1:3::1')).not.toBe(networkOf('2001:db8:1:2::1'));
  expect(networkOf('::ffff:192.0.2.1')).toBe('192.0.2.1');
  expect(networkOf('::1')).toBe('0:0:0:0::/64');
  expect(networkOf('fe80::1%eth0')).toBe('fe80:0:0:0::/64');
  expect(networkOf('192.0.2.1')).toBe('192.0.2.1');
});

test('asking for a new password is slowed down for one address as for another', async () => {
  const ana = await app.signUp();
  const asked = (email: string) => async () =>
    app.visitor.send('POST', '/accounts/password/forgotten', {
      headers: { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.20' },
      body: JSON.stringify({ email }),
    });
  for (const email of [ana.details.email, 'personne@nulle-part.fr']) {
    const answers = await guess(20, asked(email));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15);
  }
});

test('trying addresses at sign-up is slowed down', async () => {
  const ana = await app.signUp();
  await app.services.database.sql.deleteFrom('attempts').execute();
  const person = { ...ana.details, password: 'un long mot bien choisi', cguValidated: true };
  const answers = await guess(320, () => app.visitor.post('/users', person));
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(300);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(20);
});

test('a password is counted before it is looked at', async () => {
  const person = {
    ...{ email: 'nouvelle@exemple.fr', password: `${'\u2057'.repeat(1023)}a` },
    ...{ firstname: 'Ana', lastname: 'Durand', cguValidated: true },
  };
  const answers = await guess(320, () => app.visitor.post('/users', person));
  expect(answers.filter(({ status }) => status === 422)).toHaveLength(300);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(20);
});

test('what breaks on our side, or was no failure, costs nobody a try', async () => {
  const who = { mailbox: 'ana', ip: '203.0.113.30' };
  const broken = () => Promise.reject(new Error('the database is away'));
  for (let time = 0; time < 20; time += 1) {
    await expect(throttled(app.services, 'sign-in', who, broken)).rejects.toThrow('away');
  }
  expect(await throttled(app.services, 'sign-in', who, async () => 'in')).toBe('in');
});

test('nothing that was counted names anybody, and what is forgotten is cleared away', async () => {
  const ana = await app.signUp();
  await guess(20, () => signIn(ana.details.email, wrong, '203.0.113.40'));
  const rows = await app.services.database.sql.selectFrom('attempts').selectAll().execute();
  expect(rows.length).toBeGreaterThan(2);
  expect(JSON.stringify(rows)).not.toMatch(new RegExp(`${ana.details.email}|203\\.0|${ana.id}`));
  app.clock.advance({ days: 91 });
  expect((await ownDoor(ana, '203.0.113.41')).status).toBe(200);
  const left = await app.services.database.sql.selectFrom('attempts').selectAll().execute();
  expect(left).toHaveLength(3);
});
