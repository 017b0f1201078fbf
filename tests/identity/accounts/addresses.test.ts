import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identityErrors } from '../../../src/server/identity/errors.ts';
import { sendMail } from '../../../src/server/identity/mails/outbox.ts';
import { accountHash } from '../../../src/server/identity/throttling/limits.ts';
import { throttled } from '../../../src/server/identity/throttling/throttling.ts';
import { ApiError } from '../../../src/server/platform/http/api-error.ts';
import { emailKey } from '../../../src/server/platform/mail/email-key.ts';
import type { Person } from '../../support/person.ts';
import { userCommand } from '../../support/user-command.ts';
import { confirming, type Fixture, openFixture, resetting } from './fixture.ts';

const operator = 'Exploitante@exemple.fr';

let app: Fixture;
beforeAll(async () => {
  app = await openFixture({
    configuration: { operatorEmails: [operator, 'Exploitant@xn--socit-esab.fr'] },
  });
});
afterAll(() => app.close());

let addresses = 0;
function freshAddress(): string {
  addresses += 1;
  return `nouvelle${addresses}@exemple.fr`;
}

async function me(person: Person) {
  return (await person.get('/users/me')).body;
}

function confirm(person: Person, token: string) {
  return person.post('/accounts/email/confirmation', { token });
}

function ask(person: Person, email: string, currentPassword = person.details.password) {
  return person.put('/users/me/email', { email, currentPassword });
}

describe('an address', () => {
  it('is confirmed with the link mailed at sign-up, and blocks nothing until then', async () => {
    const ana = await app.signUp();
    expect(await me(ana)).toMatchObject({ emailConfirmed: false, pendingEmail: null });
    const token = await app.tokenFor(ana.details.email, confirming);
    expect((await confirm(ana, token)).status).toBe(204);
    expect(await me(ana)).toMatchObject({ emailConfirmed: true, pendingEmail: null });
    expect(await confirm(ana, token)).toMatchObject({
      status: 422,
      body: { code: 'Link_Invalid' },
    });
  });

  it('whose domain has accents is one account in both of its spellings', async () => {
    const [typed, sent] = ['exploitant@société.fr', 'exploitant@xn--socit-esab.fr'];
    const ana = await app.signUp({ email: typed });
    const { password, firstname, lastname } = ana.details;
    expect((await app.visitor.post('/accounts/login', { email: sent, password })).status).toBe(200);
    const again = { email: sent, password, firstname, lastname, cguValidated: true };
    expect((await app.visitor.post('/users', again)).status).toBe(409);
    expect(await userCommand(app.services, 'confirm', sent)).toBe("L'adresse est confirmée.\n");
    expect((await me(ana)).operator).toBe(true);
    expect((await ask(ana, sent)).body).toEqual({ mailed: false });
  });

  it('that another account has in the other spelling is let in again by a new password', async () => {
    const ana = await app.signUp({ email: 'lea@société.fr' });
    const { email } = ana.details;
    const { sql: database } = app.services.database;
    // As migration 0021 left it; known nowhere.
    const user = database.updateTable('users').where('id', '=', ana.id);
    await user.set({ email_key: email }).execute();
    await database.deleteFrom('attempts').execute();
    const refuse = () => Promise.reject(new ApiError(identityErrors.Wrong_Credentials));
    for (let index = 0; index < 100; index += 1) {
      const key = { mailbox: emailKey(email), ip: `198.51.100.${index}` };
      await throttled(app.services, 'sign-in', key, refuse).catch(() => {});
    }
    const login = (password: string) => app.visitor.post('/accounts/login', { email, password });
    expect((await login(ana.details.password)).status).toBe(429);
    const password = 'trois petits tours de piste';
    const change = { currentPassword: ana.details.password, password };
    expect((await ana.put('/users/me/password', change)).status).toBe(204);
    expect((await login(password)).status).toBe(200);
  });

  it('is sent its link again, and then nothing more once it is confirmed', async () => {
    const ana = await app.signUp();
    const first = await app.tokenFor(ana.details.email, confirming);
    const again = () => ana.post('/users/me/email/confirmation');
    const countLinks = async () => {
      const links = app.services.database.sql.selectFrom('account_links').select('user_id');
      return (await links.where('user_id', '=', ana.id).execute()).length;
    };
    expect(await again()).toMatchObject({ status: 202, body: null });
    expect(await countLinks()).toBe(1);
    expect((await confirm(ana, first)).status).toBe(422);
    await userCommand(app.services, 'confirm', ana.details.email);
    await app.services.database.sql
      .deleteFrom('account_links')
      .where('user_id', '=', ana.id)
      .execute();
    expect((await again()).status).toBe(202);
    expect(await countLinks()).toBe(0);
  });

  it('is mailed no link that a later one replaced while the mail server refused it', async () => {
    const email = freshAddress();
    app.refusing.add(email);
    const ana = await app.signUp({ email });
    const refused = () =>
      app.services.database.sql
        .selectFrom('mails')
        .select(['user_id as userId', 'id as mailId'])
        .where('recipient', '=', email)
        .where('failure', 'is not', null)
        .execute();
    await expect.poll(refused, { timeout: 15_000 }).toHaveLength(1);
    expect((await ana.post('/users/me/email/confirmation')).status).toBe(202);
    await expect.poll(refused, { timeout: 15_000 }).toHaveLength(2);
    app.refusing.delete(email);
    for (const mail of await refused()) await sendMail(app.services, mail);
    expect(app.mails.filter(({ to }) => to === email)).toHaveLength(1);
    expect((await confirm(ana, await app.tokenFor(email, confirming))).status).toBe(204);
  });

  it('is kept, and a change of it taken back, however many mails were asked for', async () => {
    const ana = await app.signUp();
    const { mails } = app.services.configuration.limits;
    for (let count = 0; count < mails; count += 1) await ask(ana, freshAddress());
    expect((await ask(ana, freshAddress())).status).toBe(429);
    expect((await ask(ana, ana.details.email)).status).toBe(202);
    expect(await me(ana)).toMatchObject({ email: ana.details.email, pendingEmail: null });
  });

  it('changes once the link sent to the new one is followed, and the old one is told', async () => {
    const ana = await app.signUp();
    const [former, email] = [ana.details.email, freshAddress()];
    expect(await ask(ana, email)).toMatchObject({ status: 202, body: { mailed: true } });
    expect(await me(ana)).toMatchObject({ email: former, pendingEmail: email });
    const notice = await app.mailTo(former, "Changement d'adresse");
    expect(notice.body).not.toContain(email);
    expect((await confirm(ana, await app.tokenFor(email, confirming))).status).toBe(204);
    expect(await me(ana)).toMatchObject({ email, emailConfirmed: true, pendingEmail: null });
    const { password } = ana.details;
    const login = (as: string) => app.visitor.post('/accounts/login', { email: as, password });
    expect([(await login(former)).status, (await login(email)).status]).toEqual([401, 200]);
  });

  it('takes the way to a new password with it: links in the old mailbox end', async () => {
    const ana = await app.signUp();
    await app.visitor.post('/accounts/password/forgotten', { email: ana.details.email });
    const token = await app.tokenFor(ana.details.email, resetting);
    const email = freshAddress();
    await ask(ana, email);
    await confirm(ana, await app.tokenFor(email, confirming));
    const password = 'trois petits tours de piste';
    const reset = await app.visitor.post('/accounts/password/reset', { token, password });
    expect(reset).toMatchObject({ status: 422, body: { code: 'Link_Invalid' } });
  });

  it('that is new is known where it was confirmed', async () => {
    const ana = await app.signUp();
    const { password } = ana.details;
    const email = freshAddress();
    await ask(ana, email);
    expect((await confirm(ana, await app.tokenFor(email, confirming))).status).toBe(204);
    const refuse = () => Promise.reject(new ApiError(identityErrors.Wrong_Credentials));
    for (let index = 0; index < 100; index += 1) {
      const key = { mailbox: email, ip: `198.51.100.${index}` };
      await throttled(app.services, 'sign-in', key, refuse).catch(() => {});
    }
    const answer = await app.visitor.post('/accounts/login', { email, password });
    expect(answer.status).toBe(200);
  });

  it('that is changed is counted no more', async () => {
    const ana = await app.signUp();
    const { email: former, password } = ana.details;
    await app.visitor.post('/accounts/login', { email: former, password });
    const email = freshAddress();
    await ask(ana, email);
    await confirm(ana, await app.tokenFor(email, confirming));
    const counted = app.services.database.sql.selectFrom('attempts').select('counter');
    expect(await counted.where('account', '=', accountHash(former)).execute()).toEqual([]);
  });

  it('is changed by nobody who does not know the password', async () => {
    const ana = await app.signUp();
    expect(await ask(ana, freshAddress(), 'un autre mot de passe')).toMatchObject({
      status: 422,
      body: { code: 'Account_Password_Invalid' },
    });
    expect(await me(ana)).toMatchObject({ pendingEmail: null });
  });

  it('cannot be somebody else’s, neither when it is asked for nor when it is confirmed', async () => {
    const ana = await app.signUp();
    const bob = await app.signUp();
    const taken = { status: 409, body: { code: 'Email_Already_Exists' } };
    expect(await ask(ana, bob.details.email.toUpperCase())).toMatchObject(taken);
    const email = freshAddress();
    await ask(ana, email);
    const token = await app.tokenFor(email, confirming);
    await app.signUp({ email });
    expect(await confirm(ana, token)).toMatchObject(taken);
    expect(await me(ana)).toMatchObject({ email: ana.details.email });
  });

  it('that waits is taken back by asking for the present one', async () => {
    const ana = await app.signUp();
    const email = freshAddress();
    await ask(ana, email);
    const token = await app.tokenFor(email, confirming);
    expect((await ask(ana, ana.details.email)).status).toBe(202);
    expect(await me(ana)).toMatchObject({ pendingEmail: null });
    expect((await confirm(ana, token)).status).toBe(422);
  });

  it('that is present is no new one in other capitals', async () => {
    const ana = await app.signUp();
    await ask(ana, freshAddress());
    expect((await ask(ana, ana.details.email.toUpperCase())).status).toBe(202);
    expect(await me(ana)).toMatchObject({ email: ana.details.email, pendingEmail: null });
  });

  it('that is present keeps its own link when it is asked for', async () => {
    const ana = await app.signUp();
    const token = await app.tokenFor(ana.details.email, confirming);
    expect((await ask(ana, ana.details.email)).status).toBe(202);
    expect((await confirm(ana, token)).status).toBe(204);
  });

  it('waits three days for its link, and no longer', async () => {
    const ana = await app.signUp();
    const email = freshAddress();
    await ask(ana, email);
    const token = await app.tokenFor(email, confirming);
    app.clock.advance({ days: 3, minutes: 1 });
    expect(await me(ana)).toMatchObject({ pendingEmail: null });
    expect((await confirm(ana, token)).status).toBe(422);
  });
});

it('an operator is who has confirmed an operator’s address, not who typed it first', async () => {
  const eve = await app.signUp({ email: operator });
  expect(await me(eve)).toMatchObject({ operator: false });
  expect((await confirm(eve, await app.tokenFor(operator, confirming))).status).toBe(204);
  expect(await me(eve)).toMatchObject({ operator: true });
});

it('a name is changed, in part or whole, and nothing else with it', async () => {
  const ana = await app.signUp();
  const changed = await ana.patch('/users/me', { firstname: 'Anaïs', email: 'autre@exemple.fr' });
  expect(changed).toMatchObject({
    status: 200,
    body: { id: ana.id, email: ana.details.email, firstname: 'Anaïs', lastname: 'Durand' },
  });
  expect((await ana.patch('/users/me', { lastname: '' })).status).toBe(400);
  expect(await me(ana)).toMatchObject({ firstname: 'Anaïs', lastname: 'Durand' });
});
