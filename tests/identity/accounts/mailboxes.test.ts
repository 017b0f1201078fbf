import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mailboxKey } from '../../../src/server/identity/users/queries.ts';
import { emailKey } from '../../../src/server/platform/mail/email-key.ts';
import { confirming, type Fixture, openFixture } from './fixture.ts';

let app: Fixture;
beforeAll(async () => {
  app = await openFixture();
});
beforeEach(async () => {
  await app.services.database.sql.deleteFrom('attempts').execute();
});
afterAll(() => app.close());

const person = {
  password: 'douze lettres au moins',
  firstname: 'Ana',
  lastname: 'Durand',
  cguValidated: true,
};

const signUp = (email: string) => app.visitor.post('/users', { ...person, email });

describe('an address', () => {
  it.each([
    '(1)victime@exemple.fr',
    'victime(1)@exemple.fr',
    'a,root@exemple.fr',
    'a;root@exemple.fr',
    'Victime<victime@exemple.fr>',
    '"victime"@exemple.fr',
    'root%interne@exemple.fr',
    'interne!root@exemple.fr',
    'victime@[127.0.0.1]',
    'victime@127.0.0.1',
    'root@localhost',
    '.victime@exemple.fr',
    'vic..time@exemple.fr',
    'victime@exemple..fr',
    'victime@-exemple.fr',
    'ｖictime@exemple.fr',
    'victime@exemple.fr\n',
    'a'.repeat(65).concat('@exemple.fr'),
  ])('is one address and nothing else: %j makes no account', async (email) => {
    const { status, body } = await signUp(email);
    expect([status, body.code]).toEqual([400, 'Invalid_Request']);
  });

  it.each(["o'neil+factures@exemple.co.uk", 'a_b-c.d@exemple.museum', 'ana@café-été.fr'])(
    'like %s is taken',
    async (email) => {
      expect((await signUp(email)).status).toBe(201);
      expect((await app.mailTo(email, confirming)).to).toBe(email);
    },
  );

  it('from before the rule signs in, gets a link for a new password, and is changed', async () => {
    const ana = await app.signUp();
    const email = `(1)${ana.details.email}`;
    await app.services.database.sql
      .updateTable('users')
      .set({ email, email_key: emailKey(email) })
      .where('id', '=', ana.id)
      .execute();
    const { password } = ana.details;
    expect((await app.visitor.post('/accounts/login', { email, password })).status).toBe(200);
    const forgotten = await app.visitor.post('/accounts/password/forgotten', { email });
    expect(forgotten.status).toBe(202);
    const next = { email: 'nouvelle@exemple.fr', currentPassword: password };
    expect((await ana.put('/users/me/email', next)).status).toBe(202);
    expect((await ana.put('/users/me/email', { ...next, email })).status).toBe(400);
  });
});

describe('a mailbox', () => {
  const mailsTo = (name: string) => app.mails.filter(({ to }) => to.toLowerCase().startsWith(name));

  it('is one, however its address is written', () => {
    const same = ['ana@café.fr', 'ANA@CAFÉ.fr', 'ana+a@café.fr', 'ana@xn--caf-dma.fr'];
    expect(new Set(same.map(mailboxKey)).size).toBe(1);
    const gmail = ['ana.d@gmail.com', 'a.nad@gmail.com', 'anad+x@googlemail.com'];
    expect(new Set(gmail.map(mailboxKey)).size).toBe(1);
    expect(mailboxKey('ana.d@exemple.fr')).not.toBe(mailboxKey('anad@exemple.fr'));
    expect(mailboxKey('ana@exemple.fr')).not.toBe(mailboxKey('anne@exemple.fr'));
  });

  it('gets five mails an hour from strangers who sign up with it, and they are told to wait', async () => {
    const answers = [];
    for (let number = 0; number < 60; number += 1) {
      answers.push(await signUp(`victime+${number}@exemple.fr`));
    }
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    const refused = answers.at(-1);
    expect(refused).toMatchObject({ status: 429, body: { code: 'Too_Many_Requests' } });
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    await app.mailTo('victime+4@exemple.fr', confirming);
    expect(mailsTo('victime')).toHaveLength(5);
  });

  it('gets no more when accounts ask to change to it, and ask again', async () => {
    const askers = [];
    for (let number = 0; number < 4; number += 1) askers.push(await app.signUp());
    const statuses = [];
    for (const { put, post, details } of askers) {
      const change = { email: 'cible@exemple.fr', currentPassword: details.password };
      statuses.push((await put('/users/me/email', change)).status);
      statuses.push((await post('/users/me/email/confirmation')).status);
    }
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429, 429, 202]);
    await app.mailTo('cible@exemple.fr', confirming);
    expect(mailsTo('cible').length).toBeLessThanOrEqual(5);
  });

  it('of an owner who forgot the password gets a link all the same', async () => {
    const ana = await app.signUp({ email: 'pleine@exemple.fr' });
    for (let number = 0; number < 10; number += 1) await signUp(`pleine+${number}@exemple.fr`);
    const { email } = ana.details;
    const forgotten = await app.visitor.post('/accounts/password/forgotten', { email });
    expect(forgotten.status).toBe(202);
    expect(await app.tokenFor(email, 'nouveau mot de passe')).not.toBe('');
  });
});
