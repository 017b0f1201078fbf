import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resetMail } from '../../../src/server/identity/accounts/mails.ts';
import { changePassword } from '../../../src/server/identity/accounts/passwords.ts';
import { forgottenPasswordJobs } from '../../../src/server/identity/jobs.ts';
import { sendMail } from '../../../src/server/identity/mails/outbox.ts';
import { connectSlack } from '../../support/slack.ts';
import { userCommand } from '../../support/user-command.ts';
import { confirming, type Fixture, openFixture, resetting } from './fixture.ts';

let app: Fixture;
beforeAll(async () => {
  app = await openFixture();
});
afterAll(() => app.close());

const next = 'trois petits tours de piste';

async function login(email: string, password: string): Promise<number> {
  return (await app.visitor.post('/accounts/login', { email, password })).status;
}

function reset(token: string, password = next) {
  return app.visitor.post('/accounts/password/reset', { token, password });
}

async function resetTokenOf(email: string): Promise<string> {
  await app.visitor.post('/accounts/password/forgotten', { email });
  return await app.tokenFor(email, resetting);
}

describe('a forgotten password', () => {
  it('is replaced with the mailed link, which ends every session and works once', async () => {
    const ana = await app.signUp();
    const { email, password } = ana.details;
    const token = await resetTokenOf(email);
    expect(await reset(token)).toMatchObject({ status: 204, body: '' });
    expect(await ana.get('/users/me')).toMatchObject({
      status: 401,
      body: { code: 'Not_Signed_In' },
    });
    expect([await login(email, password), await login(email, next)]).toEqual([401, 200]);
    expect(await reset(token)).toMatchObject({ status: 422, body: { code: 'Link_Invalid' } });
    expect((await app.mailTo(email, 'sécurité')).body).toContain('mot de passe');
  });

  it('is asked for alike with an address that nobody has, to which nothing is sent', async () => {
    const ana = await app.signUp();
    const ask = (email: string) => app.visitor.post('/accounts/password/forgotten', { email });
    const unknown = await ask('personne@exemple.org');
    const known = await ask(ana.details.email);
    expect([unknown.status, unknown.body]).toEqual([known.status, known.body]);
    await app.mailTo(ana.details.email, resetting);
    expect(app.mails.filter(({ to }) => to === 'personne@exemple.org')).toEqual([]);
  });

  it('needs a link of the last thirty minutes', async () => {
    const ana = await app.signUp();
    const token = await resetTokenOf(ana.details.email);
    app.clock.advance({ minutes: 31 });
    expect(await reset(token)).toMatchObject({ status: 422, body: { code: 'Link_Invalid' } });
    expect(await login(ana.details.email, ana.details.password)).toBe(200);
  });

  it('is not mailed a link that ended while the mail server refused it', async () => {
    const ana = await app.signUp();
    const { email } = ana.details;
    const { database } = app.services;
    const refused = () =>
      database.sql
        .selectFrom('mails')
        .select(['user_id as userId', 'id as mailId'])
        .where('recipient', '=', email)
        .where('subject', '=', resetMail.subject)
        .where('failure', 'is not', null)
        .execute();
    app.refusing.add(email);
    await app.visitor.post('/accounts/password/forgotten', { email });
    await expect.poll(refused, { timeout: 15_000 }).toHaveLength(1);
    app.clock.advance({ minutes: 20 });
    await app.visitor.post('/accounts/password/forgotten', { email });
    await expect.poll(refused, { timeout: 15_000 }).toHaveLength(2);
    app.clock.advance({ minutes: 11 });
    app.refusing.delete(email);
    for (const mail of await refused()) await sendMail(app.services, mail);
    const received = app.mails.filter(
      ({ to, subject }) => to === email && subject.includes(resetting),
    );
    expect(received).toHaveLength(1);
    expect(await reset(await app.tokenFor(email, resetting))).toMatchObject({ status: 204 });
  });

  it('is not replaced by a weak one, and the link still works for a better one', async () => {
    const ana = await app.signUp();
    const token = await resetTokenOf(ana.details.email);
    expect(await reset(token, 'motdepasse2026')).toMatchObject({
      status: 422,
      body: { code: 'Account_Password_Invalid' },
    });
    expect((await reset(token)).status).toBe(204);
  });

  it('shows whose the address is, because the link was mailed to it', async () => {
    const ana = await app.signUp();
    await reset(await resetTokenOf(ana.details.email));
    const { body } = await app.visitor.post('/accounts/login', {
      email: ana.details.email,
      password: next,
    });
    const me = await app.visitor.as(body.token).get('/users/me');
    expect(me.body.emailConfirmed).toBe(true);
  });

  it('pauses what was set up before the address had shown whose it is, and says so once', async () => {
    const ana = await app.signUp();
    const { email } = ana.details;
    await connectSlack(app, ana, 'T0FONTAINE');
    const { sql } = app.services.database;
    const mine = sql.selectFrom('mails').select('id').where('user_id', '=', ana.id);
    const notices = mine.where('body', 'like', '%sont en pause%');
    for (const password of [next, `${next}!`]) {
      await reset(await resetTokenOf(email), password);
      const { body } = await app.visitor.post('/accounts/login', { email, password });
      const person = app.visitor.as(body.token);
      const [messenger] = (await person.get('/users/me')).body.messengers;
      expect(messenger.stopped).toBe(password === next);
      expect(await notices.execute()).toHaveLength(1);
      app.mails.length = 0;
      await person.patch(`/messengers/${messenger.id}`, { stopped: false });
    }
  });

  it('fills nobody’s mailbox: three links that work are enough', async () => {
    const ana = await app.signUp();
    const { email } = ana.details;
    const isReset = (to: string, subject: string) => to === email && subject.includes(resetting);
    for (let asked = 0; asked < 5; asked += 1) {
      await app.services.database.sql
        .transaction()
        .execute((sql) =>
          app.services.queue.insert(sql, forgottenPasswordJobs, [{ data: { email } }]),
        );
    }
    await resetTokenOf((await app.signUp()).details.email);
    const links = await app.services.database.sql
      .selectFrom('account_links')
      .select('token_hash')
      .where('user_id', '=', ana.id)
      .where('purpose', '=', 'password')
      .execute();
    expect(links).toHaveLength(3);
    expect(app.mails.filter(({ to, subject }) => isReset(to, subject)).length).toBeLessThan(4);
  });

  it('leaves nothing in the database that opens the account', async () => {
    const ana = await app.signUp();
    const token = await resetTokenOf(ana.details.email);
    const { rows } = await app.services.database.sql
      .selectFrom('mails')
      .selectAll()
      .where('user_id', '=', ana.id)
      .execute()
      .then((found) => ({ rows: JSON.stringify(found) }));
    expect(rows).toContain('[lien]');
    expect(rows).not.toContain(token);
  });

  it('is mended without any mail by a link that an operator prints', async () => {
    const ana = await app.signUp();
    const printed = await userCommand(app.services, 'reset-link', ana.details.email);
    expect(printed).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mot-de-passe#jeton=[\w-]{43}$/m);
    expect((await reset(printed.trim().split('=')[1] ?? '')).status).toBe(204);
    expect(await login(ana.details.email, next)).toBe(200);
    const unknown = userCommand(app.services, 'reset-link', 'personne@exemple.org');
    await expect(unknown).rejects.toThrow("Personne n'a de compte avec l'adresse");
  });
});

describe('a changed password', () => {
  const change = (person: Awaited<ReturnType<Fixture['signUp']>>, passwords: object) =>
    person.put('/users/me/password', passwords);

  it('ends the other sessions and keeps the one that asked', async () => {
    const ana = await app.signUp();
    const { email, password } = ana.details;
    const { body } = await app.visitor.post('/accounts/login', { email, password });
    const elsewhere = app.visitor.as(body.token);
    expect((await change(ana, { currentPassword: password, password: next })).status).toBe(204);
    expect((await ana.get('/users/me')).status).toBe(200);
    expect((await elsewhere.get('/users/me')).status).toBe(401);
    expect([await login(email, password), await login(email, next)]).toEqual([401, 200]);
    expect((await app.mailTo(email, 'sécurité')).body).toContain("Si ce n'est pas vous");
  });

  it('needs the present one, and a good new one', async () => {
    const ana = await app.signUp();
    const { password } = ana.details;
    const wrong = await change(ana, { currentPassword: 'un autre mot de passe', password: next });
    const weak = await change(ana, { currentPassword: password, password: 'court' });
    for (const answer of [wrong, weak]) {
      expect(answer).toMatchObject({ status: 422, body: { code: 'Account_Password_Invalid' } });
    }
    expect(await login(ana.details.email, password)).toBe(200);
  });

  it('leaves links for a forgotten one that its owner has just been mailed', async () => {
    const ana = await app.signUp();
    const token = await resetTokenOf(ana.details.email);
    await change(ana, { currentPassword: ana.details.password, password: next });
    expect((await reset(token)).status).toBe(204);
  });

  it('ends a change of address that waits: it may be the wish of who is locked out', async () => {
    const ana = await app.signUp();
    const { email, password } = ana.details;
    const intruder = 'intrus@exemple.org';
    const move = async () => {
      await ana.put('/users/me/email', { email: intruder, currentPassword: password });
      return await app.tokenFor(intruder, confirming);
    };
    const token = await move();
    await change(ana, { currentPassword: password, password: next });
    const confirmed = await ana.post('/accounts/email/confirmation', { token });
    expect(confirmed).toMatchObject({ status: 422, body: { code: 'Link_Invalid' } });
    const { body } = await ana.get('/users/me');
    expect(body).toMatchObject({ email, pendingEmail: null });
  });

  it('is refused when the one that was confirmed has been replaced meanwhile', async () => {
    const ana = await app.signUp();
    const requester = { userId: ana.id, sessionHash: null, ip: '127.0.0.1' };
    const work = changePassword(app.services, requester, {
      password: next,
      token: '',
      confirmedHash: 'what stood there before',
    });
    await expect(work).rejects.toMatchObject({ code: 'Account_Password_Invalid' });
    expect(await login(ana.details.email, ana.details.password)).toBe(200);
  });
});
