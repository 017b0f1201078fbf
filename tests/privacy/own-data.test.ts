import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assignFolder } from '../../src/server/banking/statements/folders/queries.ts';
import { accountIdOf, addCustomer, connectionIdOf } from '../banking/customer.ts';
import { type Fixture, openFixture, resetting } from '../identity/accounts/fixture.ts';
import type { Person } from '../support/person.ts';
import { connectSlack } from '../support/slack.ts';

let app: Fixture;
beforeAll(async () => {
  app = await openFixture();
});
afterAll(() => app.close());

describe('open sessions', () => {
  async function signInWith(person: Person, device: string) {
    const { email, password } = person.details;
    const { body } = await app.visitor.send('POST', '/accounts/login', {
      headers: { 'content-type': 'application/json', 'user-agent': device },
      body: JSON.stringify({ email, password }),
    });
    return app.visitor.as(body.token);
  }

  it('somebody sees where they are signed in, and signs a lost phone out', async () => {
    const ana = await app.signUp();
    app.clock.advance({ hours: 2 });
    const phone = await signInWith(ana, 'Telephone dAna');
    const { body } = await ana.get('/users/me/sessions');
    expect(body).toHaveLength(2);
    expect(body).toEqual([
      expect.objectContaining({ device: 'Telephone dAna', current: false }),
      expect.objectContaining({ current: true, createDate: '2026-01-12T07:00:00.000Z' }),
    ]);
    expect((await ana.delete(`/users/me/sessions/${body[0].id}`)).status).toBe(204);
    expect((await phone.get('/users/me')).status).toBe(401);
    expect((await ana.get('/users/me/sessions')).body).toHaveLength(1);
  });

  it('nobody ends a session of somebody else, nor reads it', async () => {
    const [ana, eve] = [await app.signUp(), await app.signUp()];
    const { body } = await ana.get('/users/me/sessions');
    const [{ id }] = body;
    for (const wanted of [id, '1', 'null']) {
      expect((await eve.delete(`/users/me/sessions/${wanted}`)).status).toBe(404);
    }
    expect((await eve.get('/users/me/sessions')).body).not.toContainEqual(
      expect.objectContaining({ id }),
    );
    expect((await ana.get('/users/me')).status).toBe(200);
  });

  it('a password that changes between its check and the session starts none', async () => {
    const ana = await app.signUp();
    const { email, password } = ana.details;
    const { passwords } = app.services;
    const { verify } = passwords;
    passwords.verify = async (...given) => {
      const matches = await verify(...given);
      await app.services.database.sql
        .updateTable('users')
        .set({ password_hash: 'changed meanwhile' })
        .where('id', '=', ana.id)
        .execute();
      return matches;
    };
    const answer = await app.visitor.post('/accounts/login', { email, password });
    passwords.verify = verify;
    expect(answer).toMatchObject({ status: 401, body: { code: 'Wrong_Credentials' } });
  });
});

describe('an export', () => {
  it('somebody takes all that is kept about them home, and nothing that opens anything', async () => {
    const { person: ana, itemId, accounts } = await addCustomer(app);
    const { body: listed } = await ana.get('/bridge/accounts?types[]=checking');
    const messenger = await connectSlack(app, ana, 'T0FONTAINE');
    const { email, password } = ana.details;
    await ana.post('/users/me/second-factor', { currentPassword: password });
    await app.visitor.post('/accounts/password/forgotten', { email });
    await assignFolder(app.services, ana.id, {
      ...{ name: 'martin', bank_name: 'BNP Paribas', account_name: 'Courant', iban_print: null },
    });
    const token = await app.tokenFor(email, resetting);

    const { status, headers, body } = await ana.get('/users/me/export');
    expect(status).toBe(200);
    expect(headers.get('content-disposition')).toBe(
      'attachment; filename="tirelire-2026-01-12.json"',
    );
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body.user).toMatchObject({ id: ana.id, email, termsDate: '2026-01-12T09:00:00.000Z' });
    expect(body.workspaces).toMatchObject([{ teamId: 'T0FONTAINE', state: 'connected' }]);
    expect(body.messengers).toMatchObject([{ id: messenger.id, hour: { hours: 9 } }]);
    const createDate = '2026-01-12T09:00:00.000Z';
    const userId = expect.stringMatching(/^[0-9a-f-]{36}$/);
    expect(body.sources).toEqual([{ source: 'bridge', userId, createDate }]);
    expect(body.statementFolders).toEqual([
      {
        ...{ name: 'martin', bankName: 'BNP Paribas', accountName: 'Courant', createDate },
        ...{ readDate: null, refusalDate: null, refusal: null },
        ...{ leftDate: null, leftFile: null },
      },
    ]);
    expect(body.items).toMatchObject([{ id: await connectionIdOf(app, itemId) }]);
    expect(body.accounts.map(({ id }: { id: number }) => id)).toEqual(
      await Promise.all(accounts.map((account) => accountIdOf(app, account))),
    );
    const known = new Map(listed.map((account: { id: number }) => [account.id, account]));
    for (const account of body.accounts) {
      const { balance, currency_code } = account;
      expect(known.get(account.id) ?? account).toMatchObject({ balance, currency_code });
    }
    expect(body.balances.length).toBeGreaterThan(0);
    expect(body.sessions).toHaveLength(1);
    expect(body.mails.map(({ to }: { to: string }) => to)).toEqual([email, email]);

    const text = JSON.stringify(body);
    const stored = await app.services.database.sql
      .selectFrom('users')
      .innerJoin('destinations', 'destinations.user_id', 'users.id')
      .innerJoin('second_factors', 'second_factors.user_id', 'users.id')
      .select([
        ...(['password_hash', 'destinations.sealed_secret as sealed_chat'] as const),
        ...(['second_factors.sealed_secret', 'destinations.id'] as const),
      ])
      .where('users.id', '=', ana.id)
      .executeTakeFirstOrThrow();
    for (const secret of [...Object.values(stored), token, ana.token]) {
      expect(secret.length).toBeGreaterThan(20);
      expect(text).not.toContain(secret);
    }
  });

  it('a history longer than one page is whole, in order, and nobody else’s', async () => {
    const [ana, eve] = [await app.signUp(), await app.signUp()];
    const { id } = await connectSlack(app, ana, 'T0FONTAINE');
    const { sql: database } = app.services.database;
    await sql`
    insert into deliveries (user_id, id, messenger_id, kind, local_date, due_at, outcome, figures,
      created_at)
    select ${ana.id}, gen_random_uuid(), ${id}, 'daily', date '2020-01-01' + day,
      timestamptz '2020-01-01 08:00Z' + day / 2 * interval '1 day', 'delivered',
      '{"7": [1234, "EUR"]}', now()
    from generate_series(1, 2500) as day`.execute(database);
    const { body } = await ana.get('/users/me/export');
    const deliveries: { id: string; dueDate: string; figures: object[] }[] = body.deliveries;
    expect(new Set(deliveries.map((delivery) => delivery.id)).size).toBe(2500);
    const dates = deliveries.map(({ dueDate }) => dueDate);
    expect(dates).toEqual([...dates].sort());
    expect(deliveries[0]?.figures).toEqual([
      { account: { id: 7 }, balance: 12.34, currency_code: 'EUR' },
    ]);
    const others = (await eve.get('/users/me/export')).body;
    expect(others).toMatchObject({ messengers: [], balances: [], deliveries: [] });
    expect(others.user.id).toBe(eve.id);
  });

  it('is named by the day in Paris', async () => {
    app.clock.set('2026-06-30T22:30:00Z');
    const ana = await app.signUp();
    const { headers } = await ana.get('/users/me/export');
    expect(headers.get('content-disposition')).toContain('tirelire-2026-07-01.json');
  });
});
