import { request } from 'node:http';
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { configuredEmail } from '../../../src/server/providers/chats/email/definition.ts';
import { type Databases, engines, startDatabases } from '../../support/engines.ts';
import type { Client, Person } from '../../support/person.ts';
import { authorizeSlack, connectSlack } from '../../support/slack.ts';
import { userCommand } from '../../support/user-command.ts';
import { confirming, type Fixture, openFixture, resetting } from './fixture.ts';

const operator = 'exploitante@exemple.fr';
const team = 'T0FONTAINE';
const next = 'trois petits tours de piste';

describe.each(engines)('an account that a stranger made with an address, on %s', (engine) => {
  let databases: Databases;
  let app: Fixture;
  beforeAll(async () => {
    databases = await startDatabases(engine);
    const configuration = { operatorEmails: [operator] };
    const sending = { smtpUrl: 'smtp://127.0.0.1:9', from: 'Tirelire <bot@exemple.fr>' };
    const chats = [configuredEmail({ ...sending, publicUrl: 'https://tirelire.exemple.fr' })];
    app = await openFixture({ database: await databases.open(), configuration, chats });
  });
  afterAll(async () => {
    await app.close();
    await databases.close();
  });

  /** A notification that is sent each day, and what it is linked by. */
  async function setUpMessenger(person: Person): Promise<void> {
    const { id } = await connectSlack(app, person, team);
    const saved = await person.patch(`/messengers/${id}`, {
      message: 'Bonjour',
      slackChannel: 'C0FGENERAL0',
    });
    expect(saved.body.nextDate).not.toBeNull();
  }

  async function enrol(person: Person): Promise<void> {
    const { password: currentPassword } = person.details;
    const { body } = await person.post('/users/me/second-factor', { currentPassword });
    const totp = new TOTP({ secret: body.secret.replaceAll(' ', '') });
    const otp = totp.generate({ timestamp: app.clock.now().getTime() });
    const { status } = await person.post('/users/me/second-factor/confirmation', { otp });
    expect(status).toBe(200);
    app.clock.advance({ minutes: 2 });
  }

  async function setUpAll(person: Person): Promise<void> {
    await setUpMessenger(person);
    await enrol(person);
  }

  /** What the owner of the mailbox does who never signed up, or forgot the password. */
  async function reset({ details: { email } }: Person) {
    app.mails.length = 0;
    await app.visitor.post('/accounts/password/forgotten', { email });
    const token = await app.tokenFor(email, resetting);
    const { status } = await app.visitor.post('/accounts/password/reset', {
      token,
      password: next,
    });
    expect(status).toBe(204);
    return await app.visitor.post('/accounts/login', { email, password: next });
  }

  /** As a mail scanner did it in earlier versions: by opening the link. */
  async function confirmAsBefore({ id }: Person): Promise<void> {
    const now = app.clock.now();
    const { sql } = app.services.database;
    const confirmed = { email_confirmed_at: now, unproven_before: now };
    await sql.updateTable('users').set(confirmed).where('id', '=', id).execute();
    app.clock.advance({ minutes: 2 });
  }

  const me = async (client: Client) => (await client.get('/users/me')).body;

  it('is not confirmed by the link alone, nor with the session of another account', async () => {
    const eve = await app.signUp();
    const token = await app.tokenFor(eve.details.email, confirming);
    const confirm = (by: Client, more: object = {}) =>
      by.post('/accounts/email/confirmation', { token, ...more });
    const proofRequired = { status: 422, body: { code: 'Account_Proof_Required' } };
    expect(await confirm(app.visitor)).toMatchObject(proofRequired);
    expect(await confirm(await app.signUp())).toMatchObject(proofRequired);
    expect(await confirm(app.visitor.as('x'.repeat(43)))).toMatchObject(proofRequired);
    const wrong = await confirm(app.visitor, { password: 'pas le bon mot de passe' });
    expect(wrong).toMatchObject({ status: 422, body: { code: 'Account_Password_Invalid' } });
    expect(await me(eve)).toMatchObject({ emailConfirmed: false });
    const { password } = eve.details;
    expect((await confirm(app.visitor, { password })).status).toBe(204);
    expect(await me(eve)).toMatchObject({ emailConfirmed: true });
  });

  it('does not let the password of the account be guessed by the link', async () => {
    const eve = await app.signUp();
    const token = await app.tokenFor(eve.details.email, confirming);
    const guess = () =>
      app.visitor.post('/accounts/email/confirmation', { token, password: 'au hasard' });
    const statuses: number[] = [];
    for (let tries = 0; tries < 8; tries += 1) statuses.push((await guess()).status);
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429, 429, 429]);
  });

  it('opens no page of operators before its address is confirmed', async () => {
    const eve = await app.signUp({ email: operator });
    const token = await app.tokenFor(operator, confirming);
    await app.visitor.post('/accounts/email/confirmation', { token });
    expect(await me(eve)).toMatchObject({ operator: false });
    expect((await eve.get('/operations')).status).toBe(404);
  });

  it('is its address’s owner’s after a reset, with nothing of the stranger’s at work', async () => {
    const eve = await app.signUp();
    await setUpAll(eve);
    const link = await app.tokenFor(eve.details.email, confirming);
    const handle = await authorizeSlack(app, eve, 'T0BONNARD');
    const { body: connect } = await eve.get('/messengers/slack/connect');
    await eve.get('/bridge/items/connect');
    const { status, body } = await reset(eve);
    expect(status).toBe(200);
    expect((await eve.get('/users/me')).status).toBe(401);
    const owner = app.visitor.as(body.token);
    const profile = await me(owner);
    expect(profile).toMatchObject({ emailConfirmed: true, secondFactor: false });
    expect(profile.messengers).toMatchObject([
      { stopped: true, connected: false, nextDate: null, message: 'Bonjour' },
    ]);
    const [messenger] = profile.messengers;
    expect((await owner.post(`/messengers/slack/${messenger.id}`)).status).toBe(409);
    expect((await owner.post('/messengers', { slackBotToken: handle })).status).toBe(422);
    const again = await owner.post('/accounts/email/confirmation', { token: link });
    expect(again).toMatchObject({ status: 422, body: { code: 'Link_Invalid' } });
    const state = new URL(connect.redirect_url).searchParams.get('state') ?? '';
    const back = await app.visitor.get(`/messengers/slack/callback?code=x&state=${state}`);
    expect(back.headers.get('location')).toContain('notice=slack-expired');
    const sessions = app.services.database.sql.selectFrom('bank_connect_sessions');
    expect(await sessions.select('nonce').where('user_id', '=', eve.id).execute()).toEqual([]);
    const isTold = () => app.mails.some(({ body: text }) => text.includes('sont à reconnecter'));
    await vi.waitFor(() => expect(isTold()).toBe(true), { timeout: 15_000 });
  });

  it('is not changed after a reset by a request that was begun before it', async () => {
    const eve = await app.signUp();
    const body = JSON.stringify({ firstname: 'Prise', lastname: 'Prise' });
    const begun = request(`${app.url}/api/users/me`, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${eve.token}`,
        ...{ 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
      },
    });
    const answered = new Promise<number | undefined>((done, fail) => {
      begun.once('response', ({ statusCode }) => done(statusCode)).once('error', fail);
    });
    begun.write(body.slice(0, 5));
    await me(eve);
    const { body: login } = await reset(eve);
    begun.end(body.slice(5));
    expect(await answered).toBe(401);
    const { firstname } = eve.details;
    expect(await me(app.visitor.as(login.token))).toMatchObject({ firstname });
  });

  it('is not linked after a reset by the answer to a question asked before it', async () => {
    const eve = await app.signUp();
    const address = `complice-${engine}@exemple.org`;
    expect((await eve.post('/messengers/chats/email/mailboxes', { address })).status).toBe(202);
    const token = await app.tokenFor(address, 'Recevoir des messages');
    const { body: login } = await reset(eve);
    const answer = await app.visitor.post('/messengers/mailboxes/confirmation', { token });
    expect(answer).toMatchObject({ status: 422, body: { code: 'Link_Invalid' } });
    expect(await me(app.visitor.as(login.token))).toMatchObject({ messengers: [] });
  });

  it('mails no question after a reset that waited for the mail server since before', async () => {
    const eve = await app.signUp();
    const address = `attend-${engine}@exemple.org`;
    app.refusing.add(address);
    expect((await eve.post('/messengers/chats/email/mailboxes', { address })).status).toBe(202);
    const waiting = () =>
      app.services.database.sql
        .selectFrom('mails')
        .select('failure')
        .where('recipient', '=', address)
        .execute();
    await expect.poll(waiting, { timeout: 15_000 }).toEqual([{ failure: expect.any(String) }]);
    await reset(eve);
    expect(await waiting()).toEqual([]);
    app.refusing.delete(address);
  });

  it('is given back too where a mail scanner had confirmed it in an earlier version', async () => {
    const eve = await app.signUp();
    await setUpAll(eve);
    await confirmAsBefore(eve);
    const { status, body } = await reset(eve);
    expect(status).toBe(200);
    const profile = await me(app.visitor.as(body.token));
    expect(profile).toMatchObject({ secondFactor: false, messengers: [{ stopped: true }] });
  });

  it('keeps what was set up once its address was confirmed, the second factor first of all', async () => {
    const ana = await app.signUp();
    await confirmAsBefore(ana);
    await setUpAll(ana);
    expect(await reset(ana)).toMatchObject({ body: { code: 'Second_Factor_Required' } });
    const [messenger] = await app.services.database.sql
      .selectFrom('messengers')
      .innerJoin('destinations', 'destinations.user_id', 'messengers.user_id')
      .select(['stopped', 'paused_at', 'state'])
      .where('messengers.user_id', '=', ana.id)
      .execute();
    expect(messenger).toMatchObject({
      ...{ stopped: false, state: 'connected', paused_at: null },
    });
  });

  it('is nobody else’s once its address was confirmed with its session', async () => {
    const ana = await app.signUp();
    await setUpAll(ana);
    const token = await app.tokenFor(ana.details.email, confirming);
    expect((await ana.post('/accounts/email/confirmation', { token })).status).toBe(204);
    expect(await reset(ana)).toMatchObject({ body: { code: 'Second_Factor_Required' } });
  });

  it('is not proven by an operator who vouches for its address', async () => {
    const eve = await app.signUp();
    await setUpAll(eve);
    await userCommand(app.services, 'confirm', eve.details.email);
    expect((await reset(eve)).status).toBe(200);
  });
});
