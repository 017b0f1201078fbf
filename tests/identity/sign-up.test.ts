import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Application, startApplication } from '../support/application.ts';

let app: Application;
beforeAll(async () => {
  app = await startApplication({ costlyPasswords: true });
});
afterAll(() => app.close());

const camille = {
  email: 'Camille@Exemple.fr',
  password: 'douze lettres au moins',
  firstname: 'Camille',
  lastname: 'Petit',
  cguValidated: true,
};

test('someone creates an account and is told who they are, never their password', async () => {
  const { status, body } = await app.visitor.post('/users', camille);
  expect(status).toBe(201);
  expect(body).toEqual({
    id: expect.any(String),
    email: 'Camille@Exemple.fr',
    firstname: 'Camille',
    lastname: 'Petit',
  });
  const stored = await app.services.database.sql
    .selectFrom('users')
    .select('password_hash')
    .where('email', '=', camille.email)
    .executeTakeFirstOrThrow();
  expect(stored.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});

test('an address is known in whatever letters it is typed', async () => {
  const again = { ...camille, email: 'CAMILLE@exemple.FR' };
  const { status, body } = await app.visitor.post('/users', again);
  expect(status).toBe(409);
  expect(body).toEqual({
    statusCode: 409,
    code: 'Email_Already_Exists',
    message: 'Email_Already_Exists',
    details: [{ path: '/email', message: 'Cette adresse a déjà un compte.' }],
  });
});

test('two sign-ups at once with one address create one account', async () => {
  const twin = { ...camille, email: 'jumeaux@exemple.fr' };
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => app.visitor.post('/users', twin)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
});

test.each([
  ['eleven chars', 'onze lettre'],
  ['among the commonest', '1qaz2wsx3edc'],
  ['a common word with a tail', 'Motdepasse2026!'],
  ['a common word in disguise', 'P@ssw0rd1234'],
  ['one letter again and again', 'aaaaaaaaaaaaa'],
  ['one word twice', 'soleilsoleil'],
  ['a run of the keyboard', 'azertyuiopqs'],
  ['a run backwards', '0987654321098'],
])('a password that is %s is refused', async (_why, password) => {
  const person = { ...camille, email: 'faible@exemple.fr', password };
  const { status, body } = await app.visitor.post('/users', person);
  expect({ status, code: body.code, message: body.message }).toEqual({
    status: 422,
    code: 'Account_Password_Invalid',
    message: 'Account_Password_Invalid',
  });
});

test('a password may hold accents, spaces and emoji, and opens however they were composed', async () => {
  const password = 'é̂té à la mer 🌊🌊';
  const person = await app.signUp({ password });
  const { status } = await app.visitor.post('/accounts/login', {
    email: person.details.email,
    password: password.normalize('NFC'),
  });
  expect(status).toBe(200);
});

test.each([
  ['firstname', ' \u00a0\n'],
  ['lastname', ' \u00a0\n'],
  ['lastname', '\u00a0\u200b'],
])('a %s of blanks alone, as %j, is refused', async (name, blanks) => {
  const person = { ...camille, email: 'sans-nom@exemple.fr', [name]: blanks };
  const { status, body } = await app.visitor.post('/users', person);
  expect({ status, code: body.code }).toEqual({ status: 400, code: 'Invalid_Request' });
  expect(body.details).toMatchObject([{ path: `/${name}` }]);
});

test('who does not accept the terms gets no account', async () => {
  for (const cguValidated of [false, undefined, 'true']) {
    const { status, body } = await app.visitor.post('/users', {
      ...camille,
      email: 'sans-cgu@exemple.fr',
      cguValidated,
    });
    expect(status).toBe(400);
    expect(body.code).toBe('Invalid_Request');
    expect(body.details).toBeInstanceOf(Array);
  }
});

test('nobody chooses their own id or date of birth in the database', async () => {
  const id = '00000000-0000-4000-8000-000000000001';
  const { status, body } = await app.visitor.post('/users', {
    ...camille,
    email: 'masse@exemple.fr',
    id,
    created_at: '1999-01-01T00:00:00Z',
    password_hash: 'x',
    messengers: [],
  });
  expect(status).toBe(201);
  expect(body.id).not.toBe(id);
});
