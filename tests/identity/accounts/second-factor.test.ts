import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Person } from '../../support/person.ts';
import { userCommand } from '../../support/user-command.ts';
import { confirming, type Fixture, openFixture, resetting } from './fixture.ts';

let app: Fixture;
beforeAll(async () => {
  app = await openFixture();
});
afterAll(() => app.close());

interface Enrolled {
  person: Person;
  secret: string;
  recoveryCodes: string[];
}

function codeOf(secret: string): string {
  const totp = new TOTP({ secret: secret.replaceAll(' ', '') });
  return totp.generate({ timestamp: app.clock.now().getTime() });
}

function begin(person: Person, currentPassword = person.details.password) {
  return person.post('/users/me/second-factor', { currentPassword });
}

/** With a second factor on, in a time step of its own. */
async function enrol(): Promise<Enrolled> {
  const person = await app.signUp();
  const { secret } = (await begin(person)).body;
  const { body } = await person.post('/users/me/second-factor/confirmation', {
    otp: codeOf(secret),
  });
  app.clock.advance({ minutes: 2 });
  return { person, secret, recoveryCodes: body.recoveryCodes };
}

function login({ details: { email, password } }: Person, otp?: string) {
  return app.visitor.post('/accounts/login', { email, password, ...(otp ? { otp } : {}) });
}

const required = { status: 401, body: { code: 'Second_Factor_Required' } };
const invalid = { status: 401, body: { code: 'Second_Factor_Invalid' } };
const refused = { status: 422, body: { code: 'One_Time_Code_Invalid' } };

describe('a second factor', () => {
  it('asks for nothing until its first code was given, and then for one at each sign-in', async () => {
    const ana = await app.signUp();
    const { body } = await begin(ana);
    expect(body.uri).toBe(
      `otpauth://totp/Tirelire:${encodeURIComponent(ana.details.email)}?issuer=Tirelire&secret=${body.secret.replaceAll(' ', '')}&algorithm=SHA1&digits=6&period=30`,
    );
    expect((await login(ana)).status).toBe(200);
    const confirm = (otp: string) => ana.post('/users/me/second-factor/confirmation', { otp });
    expect(await confirm('000000')).toMatchObject(refused);
    const confirmed = await confirm(codeOf(body.secret));
    expect(confirmed.status).toBe(200);
    expect(new Set(confirmed.body.recoveryCodes).size).toBe(10);
    expect((await ana.get('/users/me')).body.secondFactor).toBe(true);
    app.clock.advance({ minutes: 1 });
    expect(await login(ana)).toMatchObject(required);
    expect((await login(ana, codeOf(body.secret))).status).toBe(200);
    expect((await app.mailTo(ana.details.email, 'sécurité')).body).toContain('activée');
  });

  it('takes a code once, the neighbouring ones too, and none older than one it took', async () => {
    const { person, secret } = await enrol();
    const before = codeOf(secret);
    app.clock.advance({ seconds: 30 });
    const now = codeOf(secret);
    expect((await login(person, now)).status).toBe(200);
    expect(await login(person, now)).toMatchObject(invalid);
    expect(await login(person, before)).toMatchObject(invalid);
    app.clock.advance({ seconds: 30 });
    const late = codeOf(secret);
    app.clock.advance({ seconds: 30 });
    expect((await login(person, `${late.slice(0, 3)} ${late.slice(3)}`)).status).toBe(200);
    app.clock.advance({ seconds: 60 });
    const typed = [...codeOf(secret)].map((digit) => String.fromCharCode(0xff10 + Number(digit)));
    typed.splice(3, 0, '–');
    expect((await login(person, typed.join(''))).status).toBe(200);
  });

  it('takes codes again, each once, after a clock that ran ahead when it took one', async () => {
    const { person, secret } = await enrol();
    const right = app.clock.now();
    app.clock.advance({ days: 30 });
    expect((await login(person, codeOf(secret))).status).toBe(200);
    app.clock.set(right);
    expect((await login(person, codeOf(secret))).status).toBe(200);
    expect(await login(person, codeOf(secret))).toMatchObject(invalid);
    app.clock.advance({ minutes: 2 });
  });

  it('says nothing of itself to whoever does not know the password', async () => {
    const { person, secret } = await enrol();
    const wrong = { ...person, details: { ...person.details, password: 'un autre mot de passe' } };
    for (const otp of [undefined, codeOf(secret)]) {
      expect(await login(wrong, otp)).toMatchObject({ body: { code: 'Wrong_Credentials' } });
    }
    expect((await login(person, codeOf(secret))).status).toBe(200);
  });

  it('is replaced by a recovery code, however it is typed, once', async () => {
    const { person, recoveryCodes } = await enrol();
    const [first = '', second = '', third = ''] = recoveryCodes;
    expect(first).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/);
    expect((await login(person, first)).status).toBe(200);
    expect(await login(person, first)).toMatchObject(invalid);
    expect((await login(person, ` ${second.toUpperCase().replaceAll('-', ' ')} `)).status).toBe(
      200,
    );
    expect((await login(person, third.replaceAll('-', '–'))).status).toBe(200);
  });

  it('says of a key that a later one replaced that it was, and takes no code of it', async () => {
    const ana = await app.signUp();
    const [{ secret: former }, { secret }] = [(await begin(ana)).body, (await begin(ana)).body];
    const confirm = (key: string) =>
      ana.post('/users/me/second-factor/confirmation', { otp: codeOf(key), secret: key });
    expect(await confirm(former)).toMatchObject({
      status: 409,
      body: { code: 'Second_Factor_Begun_Anew', details: [{ path: '/otp' }] },
    });
    expect((await confirm(secret)).status).toBe(200);
  });

  it('is not begun anew while it is on, nor without the password', async () => {
    const { person } = await enrol();
    expect(await begin(person)).toMatchObject({
      status: 409,
      body: { code: 'Second_Factor_Already_On' },
    });
    expect(await begin(await app.signUp(), 'un autre mot de passe')).toMatchObject({
      status: 422,
      body: { code: 'Account_Password_Invalid' },
    });
  });

  it('gives new recovery codes for the password and a code, and those of before end', async () => {
    const { person, secret, recoveryCodes } = await enrol();
    const renew = (who: Person, currentPassword: string, otp: string) =>
      who.post('/users/me/second-factor/recovery-codes', { currentPassword, otp });
    const { password } = person.details;
    expect(await renew(person, 'un autre mot de passe', codeOf(secret))).toMatchObject({
      status: 422,
      body: { code: 'Account_Password_Invalid' },
    });
    expect(await renew(person, password, '123456')).toMatchObject(refused);
    const { status, body } = await renew(person, password, codeOf(secret));
    expect(status).toBe(200);
    expect(new Set([...body.recoveryCodes, ...recoveryCodes]).size).toBe(20);
    expect(await login(person, recoveryCodes[0])).toMatchObject(invalid);
    expect((await login(person, body.recoveryCodes[0])).status).toBe(200);
    expect((await app.mailTo(person.details.email, 'sécurité')).body).toContain('codes de secours');
    const other = await app.signUp();
    expect(await renew(other, other.details.password, codeOf(secret))).toMatchObject({
      status: 409,
      body: { code: 'Second_Factor_Off' },
    });
    const stranger = { currentPassword: password, otp: body.recoveryCodes[1] };
    expect(
      await app.visitor.post('/users/me/second-factor/recovery-codes', stranger),
    ).toMatchObject({ status: 401 });
  });

  it('goes with the password and a code, and its recovery codes with it', async () => {
    const { person, secret, recoveryCodes } = await enrol();
    const remove = (currentPassword: string, otp: string) =>
      person.post('/users/me/second-factor/removal', { currentPassword, otp });
    const { password } = person.details;
    expect(await remove('un autre mot de passe', codeOf(secret))).toMatchObject({ status: 422 });
    expect(await remove(password, '123456')).toMatchObject(refused);
    expect((await remove(password, codeOf(secret))).status).toBe(204);
    expect((await login(person)).status).toBe(200);
    expect(await remove(password, recoveryCodes[0] ?? '')).toMatchObject({
      status: 409,
      body: {
        code: 'Second_Factor_Off',
        message: "La validation en deux étapes n'est pas activée.",
      },
    });
  });

  it('is not removed by a password that was replaced while it was checked', async () => {
    const { person, secret } = await enrol();
    const { passwords, database } = app.services;
    const { verify } = passwords;
    passwords.verify = async (...given) => {
      const matches = await verify(...given);
      const change = database.sql.updateTable('users').set({ password_hash: 'changed meanwhile' });
      await change.where('id', '=', person.id).execute();
      return matches;
    };
    const { password: currentPassword } = person.details;
    const request = { currentPassword, otp: codeOf(secret) };
    const answer = await person.post('/users/me/second-factor/removal', request);
    passwords.verify = verify;
    expect(answer).toMatchObject({ status: 422, body: { code: 'Account_Password_Invalid' } });
    expect((await person.get('/users/me')).body.secondFactor).toBe(true);
  });

  async function forget(person: Person): Promise<Person> {
    const { email } = person.details;
    await app.visitor.post('/accounts/password/forgotten', { email });
    const token = await app.tokenFor(email, resetting);
    const password = 'trois petits tours de piste';
    await app.visitor.post('/accounts/password/reset', { token, password });
    return { ...person, details: { ...person.details, password } };
  }

  it('does not keep the owner of an address out who never signed up with it', async () => {
    const { person } = await enrol();
    expect((await login(await forget(person))).status).toBe(200);
    const { email } = person.details;
    const isTold = () => app.mails.some(({ to, body }) => to === email && /désactivée/.test(body));
    await vi.waitFor(() => expect(isTold()).toBe(true), { timeout: 15_000 });
  });

  it('outlives a forgotten password', async () => {
    const { person, secret } = await enrol();
    const token = await app.tokenFor(person.details.email, confirming);
    await person.post('/accounts/email/confirmation', { token });
    const changed = await forget(person);
    expect(await login(changed)).toMatchObject(required);
    expect((await login(changed, codeOf(secret))).status).toBe(200);
  });

  it('is lifted by an operator for whoever lost everything', async () => {
    const { person } = await enrol();
    const lift = () => userCommand(app.services, 'lift-second-factor', person.details.email);
    expect(await lift()).toBe('La validation en deux étapes est retirée.\n');
    expect((await login(person)).status).toBe(200);
    await expect(lift()).rejects.toThrow("n'a pas de validation en deux étapes");
    await begin(person);
    await expect(lift()).rejects.toThrow("n'a pas de validation en deux étapes");
  });

  it('is stored so that nothing of it is read, and opens in its own row only', async () => {
    const [{ person, secret, recoveryCodes }, other] = [await enrol(), await enrol()];
    const { sql } = app.services.database;
    const rows = await sql.selectFrom('second_factors').selectAll().execute();
    const codes = await sql.selectFrom('recovery_codes').selectAll().execute();
    const stored = JSON.stringify([rows, codes]);
    expect(stored).not.toContain(secret.replaceAll(' ', ''));
    for (const code of recoveryCodes) expect(stored).not.toContain(code.replaceAll('-', ''));
    const moved = rows.find(({ user_id }) => user_id === other.person.id)?.sealed_secret ?? '';
    await sql
      .updateTable('second_factors')
      .set({ sealed_secret: moved })
      .where('user_id', '=', person.id)
      .execute();
    expect((await login(person, codeOf(other.secret))).status).toBe(500);
    expect((await login(person, recoveryCodes[0])).status).toBe(200);
  });
});
