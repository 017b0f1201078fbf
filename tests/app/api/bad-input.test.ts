import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Application, startApplication } from '../../support/application.ts';
import type { Person } from '../../support/person.ts';
import { connectSlack } from '../../support/slack.ts';

let app: Application;
let ana: Person;
let id: string;
beforeAll(async () => {
  app = await startApplication();
  ana = await app.signUp();
  ({ id } = await connectSlack(app, ana, 'T0FONTAINE'));
});
afterAll(() => app.close());

const json = { 'content-type': 'application/json' };

test.each([
  ['no JSON at all', '{"email":', 400],
  ['a word', 'bonjour', 400],
  ['a list', '[]', 400],
  ['a number', '12', 400],
  ['null', 'null', 400],
  ['nothing', '', 400],
  ['an object with a prototype', '{"__proto__":{"cguValidated":true},"email":"a@b.fr"}', 400],
  ['a constructor', '{"constructor":{"prototype":{"x":1}},"email":"a@b.fr"}', 400],
  ['two mebibytes', JSON.stringify({ email: 'a'.repeat(2 * 1024 * 1024) }), 413],
])('a body that is %s gets a clear refusal', async (_what, body, expected) => {
  for (const path of ['/users', '/accounts/login']) {
    const answer = await app.visitor.send('POST', path, { headers: json, body });
    expect(answer.status).toBe(expected);
    expect(answer.body).toMatchObject({
      statusCode: expected,
      code: expected === 413 ? 'Payload_Too_Large' : 'Invalid_Request',
      message: expect.any(String),
    });
    expect(answer.body.requestId).toBeUndefined();
  }
});

test('a value that is none of several is told of once', async () => {
  const accounts = { scope: 'aucun', chosen: [], includesNew: true };
  const { body } = await ana.patch(`/messengers/${id}`, { accounts });
  const message = "Cette valeur n'est pas acceptée.";
  expect(body.details).toEqual([{ path: '/accounts/scope', message }]);
});

test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml'])(
  'a body of type %s gets a 415',
  async (type) => {
    const answer = await app.visitor.send('POST', '/users', {
      headers: { 'content-type': type },
      body: 'email=a%40b.fr',
    });
    expect(answer.status).toBe(415);
    expect(answer.body.code).toBe('Unsupported_Media_Type');
  },
);

test('a sign-out or a deletion that announces JSON and sends none is understood', async () => {
  const person = await app.signUp();
  const { status } = await person.send('POST', '/accounts/logout', { headers: json });
  expect(status).toBe(204);
});

test.each(['/%', '/%zz', '/messengers/%E0%A4%A', '/users/%00', '/nulle-part'])(
  'the address %s is refused without a fault',
  async (path) => {
    const { status, body, headers } = await ana.send('DELETE', path);
    expect(headers.get('cache-control')).toBe('no-store');
    expect([400, 404]).toContain(status);
    expect(body).toMatchObject({ statusCode: status, code: expect.any(String) });
  },
);

test('an id as the database does not write it is refused in an address', async () => {
  const urn = 'urn:uuid:00000000-0000-0000-0000-000000000000';
  expect((await ana.get(`/users/me?messengersAfter=${urn}`)).status).toBe(400);
});

test('a number beyond all numbers is refused in an address', async () => {
  for (const endless of ['1e999', '-1e999', '9'.repeat(400)]) {
    for (const path of [`balances?days=${endless}`, `accounts/${endless}/balances`]) {
      const { status, body } = await ana.get(`/bridge/${path}`);
      expect([status, body.code]).toEqual([400, 'Invalid_Request']);
    }
  }
});

const texts = {
  'an emoji': '🐖👨‍👩‍👧',
  'a right-to-left name': 'محمد العربي \u202eabc',
  'a mention of the whole channel': '<!channel> @here',
  'a script': '<script>alert(1)</script>',
  'an SQL fragment': "'; drop table users; --",
  'a half surrogate': 'a\ud800b',
  'control characters': 'a\u0001\u007fb',
  percents: '%s %n %x {7*7}} <%= 7 %>',
};

test.each(Object.entries(texts))(
  '%s is stored in a name and a text as it is',
  async (_what, text) => {
    const person = await app.signUp({ firstname: text, lastname: text });
    const { body: me } = await person.get('/users/me');
    const stored = text.toWellFormed();
    expect([me.firstname, me.lastname]).toEqual([stored, stored]);
    const { status, body } = await ana.patch(`/messengers/${id}`, { message: text });
    expect({ status, message: body.message }).toEqual({ status: 200, message: stored });
  },
);

test.each([
  ['the first half', String.raw`ana\ud800@exemple.fr`],
  ['the second half', String.raw`ana@exemple.fr\uDC00`],
  ['a half behind an escaped backslash', String.raw`ana@\\ud83d\udc16.fr`],
])('an address with %s of a surrogate pair is answered like any other', async (_what, email) => {
  const sent = { headers: json, body: `{"email":"${email}"}` };
  const { status } = await app.visitor.send('POST', '/accounts/password/forgotten', sent);
  expect(status).toBe(202);
});

test('a surrogate pair that is written in escapes is one character', async () => {
  const person = await app.signUp();
  const body = String.raw`{"firstname":"\ud83d\udc16 \\ud83d","lastname":"\ud83d\ud83d\udc16\udc16"}`;
  const answer = await person.send('PATCH', '/users/me', { headers: json, body });
  const { firstname, lastname } = answer.body;
  expect([firstname, lastname]).toEqual(['🐖 \\ud83d', '\ufffd🐖\ufffd']);
});

const tooMuch = { 'a null byte': 'a\u0000b', '10,000 characters': 'é'.repeat(10_000) };

test.each(Object.entries(tooMuch))('%s is refused in every text field', async (_what, text) => {
  const person = {
    email: 'limite@exemple.fr',
    password: 'un long mot bien choisi',
    firstname: 'Ana',
    lastname: 'Durand',
    cguValidated: true,
  };
  for (const field of ['email', 'password', 'firstname', 'lastname']) {
    const { status } = await app.visitor.post('/users', { ...person, [field]: text });
    expect(status, field).toBe(400);
  }
  for (const field of ['email', 'password']) {
    const { status } = await app.visitor.post('/accounts/login', { ...person, [field]: text });
    expect(status, field).toBe(400);
  }
  const refused = await Promise.all([
    ana.post('/messengers', { slackBotToken: text }),
    ana.patch(`/messengers/${id}`, { message: text }),
    ana.patch(`/messengers/${id}`, { slackChannel: text }),
    ana.patch(`/messengers/${id}`, { hour: { hours: 9, minutes: 0, zone: text } }),
    ana.patch(`/messengers/${id}`, { hour: { hours: 9, minutes: 0, timeZone: text } }),
    ana.post(`/messengers/slack/${id}`, { message: text, slackChannel: text }),
  ]);
  for (const { status } of refused) expect([400, 422]).toContain(status);
});

test.each(['sans-arobase', '@', 'a b@c.fr', 'a@b@c', `${'a'.repeat(250)}@b.fr`, 'a@\n.fr'])(
  '%j is no email address',
  async (email) => {
    const { status } = await app.visitor.post('/users', {
      email,
      password: 'un long mot bien choisi',
      firstname: 'A',
      lastname: 'B',
      cguValidated: true,
    });
    expect(status).toBe(400);
  },
);

const anything = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(...Object.values(texts), ...Object.values(tooMuch), '', -0, 1e308, 2 ** 53),
);
const body = fc.dictionary(
  fc.constantFrom(
    ...['email', 'password', 'firstname', 'lastname', 'cguValidated', 'slackBotToken'],
    ...['slackChannel', 'message', 'hour', 'id', '__proto__', 'constructor', 'toString'],
  ),
  fc.oneof(
    anything,
    fc.record({ hours: anything, minutes: anything, timeZone: anything, zone: anything }),
  ),
);

test('whatever is sent, no answer is a fault of ours', async () => {
  const routes = fc.constantFrom<[string, string]>(
    ['POST', '/users'],
    ['POST', '/accounts/login'],
    ['POST', '/messengers'],
    ['PATCH', `/messengers/${id}`],
    ['POST', `/messengers/slack/${id}`],
  );
  await fc.assert(
    fc.asyncProperty(routes, body, async ([method, path], sent) => {
      const answer = await ana.send(method, path, { headers: json, body: JSON.stringify(sent) });
      expect(answer.status).toBeLessThan(500);
    }),
    { numRuns: 150, seed: 20_260_112 },
  );
});

test('whatever address is asked, no answer is a fault of ours', async () => {
  const segment = fc.oneof(
    fc.constantFrom(
      'messengers',
      'slack',
      'bridge',
      'items',
      'edit',
      '..',
      '%00',
      '%',
      '-1',
      '1e9',
    ),
    fc
      .string({ unit: 'binary', maxLength: 20 })
      .map((text) => encodeURIComponent(text.toWellFormed())),
  );
  const path = fc
    .tuple(fc.array(segment, { maxLength: 4 }), fc.string({ maxLength: 20 }))
    .map(([segments, query]) => `/${segments.join('/')}?before=${encodeURIComponent(query)}`);
  const method = fc.constantFrom('GET', 'DELETE', 'PATCH', 'POST');
  await fc.assert(
    fc.asyncProperty(method, path, async (verb, address) => {
      const answer = await ana.send(verb, address);
      expect(answer.status).toBeLessThan(500);
    }),
    { numRuns: 150, seed: 20_260_113 },
  );
});
