import { type KyselyPlugin, sql } from 'kysely';
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { confirmEnrolment } from '../../../src/server/identity/second-factor/enrolment.ts';
import { lockActor } from '../../../src/server/identity/sessions/queries.ts';
import type { AttemptOutcome } from '../../../src/server/notifications/deliveries/attempt.ts';
import { recordOutcomes } from '../../../src/server/notifications/deliveries/recording-outcomes.ts';
import { refusalOfRemoval } from '../../../src/server/notifications/destinations/removal.ts';
import { sha256Hex } from '../../../src/server/platform/opaque-tokens.ts';
import { type Databases, startDatabases } from '../../support/engines.ts';
import type { Answer, Person } from '../../support/person.ts';
import { connectSlack } from '../../support/slack.ts';
import { untilWaiting } from '../../support/waiting.ts';
import { confirming, type Fixture, openFixture, resetting } from './fixture.ts';

/** On PostgreSQL, where requests do run at the same time. */
let databases: Databases;
let app: Fixture;
beforeAll(async () => {
  databases = await startDatabases('postgres');
  app = await openFixture({ database: await databases.open() });
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

it.each(['code', 'recovery code'])(
  'a %s signs in once, however many come with it at once',
  async (kind) => {
    const ana = await app.signUp();
    const { body } = await ana.post('/users/me/second-factor', {
      currentPassword: ana.details.password,
    });
    const totp = new TOTP({ secret: body.secret.replaceAll(' ', '') });
    const code = () => totp.generate({ timestamp: app.clock.now().getTime() });
    const enrolled = await ana.post('/users/me/second-factor/confirmation', { otp: code() });
    app.clock.advance({ minutes: 1 });
    const otp = kind === 'code' ? code() : enrolled.body.recoveryCodes[0];
    const answers = await four(() => login(ana, otp));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
  },
);

it.each([
  ['before', 0],
  ['after', 1],
])('a code turns on no secret that is begun just %s it is taken', async (_when, results) => {
  const ana = await app.signUp();
  const begin = () =>
    ana.post('/users/me/second-factor', { currentPassword: ana.details.password });
  const totp = new TOTP({ secret: (await begin()).body.secret.replaceAll(' ', '') });
  const code = totp.generate({ timestamp: app.clock.now().getTime() });
  let left = Number.POSITIVE_INFINITY;
  const beginning: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (result.rows.some((row) => 'sealed_secret' in row)) left = results;
      if (left === 0) await begin();
      left -= 1;
      return result;
    },
  };
  const { database } = app.services;
  const services = {
    ...app.services,
    database: { ...database, sql: database.sql.withPlugin(beginning) },
  };
  const requester = { userId: ana.id, sessionHash: null, ip: '127.0.0.1' };
  await expect(confirmEnrolment(services, requester, { otp: code })).rejects.toMatchObject({
    code: 'One_Time_Code_Invalid',
  });
  expect((await ana.get('/users/me')).body.secondFactor).toBe(false);
});

it('a session ends after what it asked for and is being written', async () => {
  const ana = await app.signUp();
  const { database } = app.services;
  const actor = { userId: ana.id, sessionHash: sha256Hex(ana.token) };
  const { signOut } = await database.sql.transaction().execute(async (writing) => {
    await lockActor(writing, actor);
    // What it uses of its session is noted meanwhile.
    await database.sql
      .updateTable('sessions')
      .set({ last_used_at: app.clock.now() })
      .where('token_hash', '=', actor.sessionHash)
      .execute();
    const signOut = ana.post('/accounts/logout');
    await untilWaiting(database, 1);
    return { signOut };
  });
  expect((await signOut).status).toBe(204);
  const late = database.sql.transaction().execute((writing) => lockActor(writing, actor));
  await expect(late).rejects.toMatchObject({ code: 'Not_Signed_In' });
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
  const confirmations: (() => Promise<Answer>)[] = [];
  for (const person of [await app.signUp(), await app.signUp()]) {
    const { password: currentPassword } = person.details;
    await person.put('/users/me/email', { email, currentPassword });
    const token = await app.tokenFor(email, confirming);
    confirmations.push(() => person.post('/accounts/email/confirmation', { token }));
    app.mails.length = 0;
  }
  const answers = await Promise.all(confirmations.map((confirm) => confirm()));
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
});

it('a deletion asked for four times at once is one', async () => {
  const ana = await app.signUp();
  const { password: currentPassword } = ana.details;
  const answers = await four(() => ana.post('/users/me/deletion', { currentPassword }));
  expect(answers.map(({ status }) => status).sort()).toEqual([202, 401, 401, 401]);
});

const crossings: Record<string, (ana: Person) => Promise<() => Promise<Answer>>> = {
  'a confirmed address': async (ana) => {
    const token = await app.tokenFor(ana.details.email, confirming);
    return () => ana.post('/accounts/email/confirmation', { token });
  },
  'a new password': async (ana) => {
    const token = await resetTokenOf(ana);
    return () => app.visitor.post('/accounts/password/reset', { token, password: next });
  },
  'a link asked for again': async (ana) => () => ana.post('/users/me/email/confirmation'),
};

it.each(Object.entries(crossings))(
  'a deletion and %s wait, and never for each other',
  async (_what, prepare) => {
    const ana = await app.signUp();
    const cross = await prepare(ana);
    const { password: currentPassword } = ana.details;
    const [deleted, crossed] = await halfway(
      { person: ana, at: 'sessions' },
      () => ana.post('/users/me/deletion', { currentPassword }),
      cross,
    );
    expect(deleted.status).toBe(202);
    expect([202, 422]).toContain(crossed.status);
  },
);

it('a link asked for again leads nowhere once a new password has ended the change of address', async () => {
  const ana = await app.signUp();
  const intruder = 'intruse@exemple.fr';
  const { password: currentPassword } = ana.details;
  await ana.put('/users/me/email', { email: intruder, currentPassword });
  const token = await resetTokenOf(ana);
  await halfway(
    { person: ana, at: 'sessions' },
    () => app.visitor.post('/accounts/password/reset', { token, password: next }),
    () => ana.post('/users/me/email/confirmation'),
  );
  const links = app.services.database.sql.selectFrom('account_links').select('email');
  expect(await links.where('email', '=', intruder).execute()).toEqual([]);
});

it('a deletion and a message that Slack refuses wait, and never for each other', async () => {
  const ana = await app.signUp();
  const { id: messenger_id } = await connectSlack(app, ana, 'T0FONTAINE');
  const { database, randomness, clock } = app.services;
  const now = clock.now();
  const delivery = { user_id: ana.id, id: randomness.uuid(), messenger_id, kind: 'daily' } as const;
  await database.sql
    .insertInto('deliveries')
    .values({
      ...{ ...delivery, local_date: '2026-01-12', due_at: now, created_at: now },
      // Long after this test: no worker takes it.
      run_at: sql`now() + interval '1 hour'`,
    })
    .execute();
  const workspaces = database.sql.selectFrom('destinations').where('user_id', '=', ana.id);
  const workspace = await workspaces.selectAll().executeTakeFirstOrThrow();
  const claim = { userId: ana.id, messengerId: messenger_id, localDate: '2026-01-12', sequence: 0 };
  const refused: AttemptOutcome = {
    delivery: { ...claim, id: delivery.id, kind: 'daily', dueAt: now, attempts: 0 },
    change: { outcome: 'failed', reason: 'account_inactive', finishedAt: now, isUnposted: true },
    againAfterSeconds: null,
    refusal: refusalOfRemoval(workspace, 'account_inactive'),
  };
  const { password: currentPassword } = ana.details;
  const [deleted] = await halfway(
    { person: ana, at: 'destinations' },
    () => ana.post('/users/me/deletion', { currentPassword }),
    () => recordOutcomes(app.services, [refused], now),
  );
  expect(deleted.status).toBe(202);
});

/** The second begins while the first stands still in the middle, at what is held of the person. */
async function halfway<First, Second>(
  { person, at }: { person: Person; at: 'sessions' | 'destinations' },
  first: () => Promise<First>,
  second: () => Promise<Second>,
): Promise<[First, Second]> {
  const answers = await app.services.database.sql.transaction().execute(async (transaction) => {
    const held = transaction.selectFrom(at).select('user_id').forUpdate();
    await held.where('user_id', '=', person.id).execute();
    const one = first();
    await untilWaiting(app.services.database, 1);
    const two = second();
    await untilWaiting(app.services.database, 2);
    return [one, two] as const;
  });
  return await Promise.all(answers);
}
