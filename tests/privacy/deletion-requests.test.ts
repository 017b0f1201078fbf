import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fixture, openFixture } from '../identity/accounts/fixture.ts';
import { userCommand } from '../support/user-command.ts';
import { deletionsOf, leave } from './deletions.ts';

let app: Fixture;
beforeAll(async () => {
  app = await openFixture();
});
afterAll(() => app.close());

const { whenDone } = deletionsOf(() => app);

describe('the deletion of an account', () => {
  it('needs the password, and the code where one is on', async () => {
    const ana = await app.signUp();
    const ask = (body: object) => ana.post('/users/me/deletion', body);
    const { password: currentPassword } = ana.details;
    expect(await ask({ currentPassword: 'un autre mot de passe' })).toMatchObject({
      status: 422,
      body: { code: 'Account_Password_Invalid' },
    });
    const { body } = await ana.post('/users/me/second-factor', { currentPassword });
    const totp = new TOTP({ secret: body.secret.replaceAll(' ', '') });
    const code = () => totp.generate({ timestamp: app.clock.now().getTime() });
    await ana.post('/users/me/second-factor/confirmation', { otp: code() });
    app.clock.advance({ minutes: 1 });
    expect(await ask({ currentPassword })).toMatchObject({
      status: 422,
      body: { code: 'One_Time_Code_Invalid' },
    });
    expect((await ana.get('/users/me')).status).toBe(200);
    await whenDone(await leave(ana, code()));
  });

  it('is not begun by a password that was replaced while it was checked', async () => {
    const ana = await app.signUp();
    const { passwords, database } = app.services;
    const { verify } = passwords;
    passwords.verify = async (...given) => {
      const matches = await verify(...given);
      const change = database.sql.updateTable('users').set({ password_hash: 'changed meanwhile' });
      await change.where('id', '=', ana.id).execute();
      return matches;
    };
    const { password: currentPassword } = ana.details;
    const answer = await ana.post('/users/me/deletion', { currentPassword });
    passwords.verify = verify;
    expect(answer).toMatchObject({ status: 422, body: { code: 'Account_Password_Invalid' } });
    expect((await ana.get('/users/me')).status).toBe(200);
  });

  it('can be an operator’s doing, with a receipt too', async () => {
    const ana = await app.signUp();
    const close = () => userCommand(app.services, 'delete', ana.details.email);
    const [, receipt] = /Reçu : (\S+)/.exec(await close()) ?? [];
    await whenDone(receipt ?? '');
    expect((await ana.get('/users/me')).status).toBe(401);
    await expect(close()).rejects.toThrow("Personne n'a de compte avec l'adresse");
  });
});
