import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Application, startApplication } from '../support/application.ts';
import { operationsOf } from '../support/operations.ts';
import type { Person } from '../support/person.ts';
import { connectSlack } from '../support/slack.ts';

let app: Application;
let ana: Person;
let basile: Person;
let id: string;
beforeAll(async () => {
  app = await startApplication();
  [ana, basile] = [await app.signUp(), await app.signUp()];
  ({ id } = await connectSlack(app, ana, 'T0FONTAINE'));
});
afterAll(() => app.close());

const json = { 'content-type': 'application/json' };

test('nobody makes himself more than he is by naming it at sign-up', async () => {
  const wished = {
    ...{ id: ana.id, email_key: ana.details.email, emailConfirmed: true, operator: true },
    ...{ email_confirmed_at: '2020-01-01', password_hash: 'x', created_at: '2000-01-01' },
    ...{ messengers: [{ id }], secondFactor: false, pendingEmail: ana.details.email },
  };
  const person = {
    ...{ email: 'ambitieux@exemple.fr', password: 'un long mot bien choisi' },
    ...{ firstname: 'Am', lastname: 'Bitieux', cguValidated: true },
  };
  const { status, body } = await app.visitor.post('/users', { ...person, ...wished });
  expect(status).toBe(201);
  expect(body.id).not.toBe(ana.id);
  const { body: session } = await app.visitor.post('/accounts/login', {
    email: person.email,
    password: person.password,
  });
  const { body: me } = await app.visitor.as(session.token).get('/users/me');
  expect(me).toMatchObject({ emailConfirmed: false, operator: false, messengers: [] });
});

test('a profile takes a name and nothing else', async () => {
  const { body: before } = await ana.get('/users/me');
  const change = {
    ...{ firstname: 'Anne', id: basile.id, email: 'autre@exemple.fr', operator: true },
    ...{ emailConfirmed: true, password: 'un autre mot bien choisi', secondFactor: true },
  };
  expect((await ana.patch('/users/me', change)).status).toBe(200);
  expect((await ana.get('/users/me')).body).toEqual({ ...before, firstname: 'Anne' });
});

test('a notification keeps its owner, its workspace and its dates', async () => {
  const { body: before } = await ana.get('/users/me');
  const change = {
    ...{ message: 'Bonjour', id: '0', userId: basile.id, user_id: basile.id, destinationId: 'x' },
    ...{ slackTeamName: 'Autre', createDate: '2000-01-01T00:00:00.000Z', connected: false },
    ...{ nextDate: '2000-01-01T00:00:00.000Z', pause: null, slackBotToken: 'xoxb-000-000' },
  };
  const { status } = await ana.patch(`/messengers/${id}`, change);
  expect(status).toBe(200);
  const { body: after } = await ana.get('/users/me');
  const [{ updateDate, ...messenger }] = before.messengers;
  expect(after.messengers).toEqual([{ ...messenger, message: 'Bonjour', updateDate }]);
  expect((await basile.get('/users/me')).body.messengers).toEqual([]);
});

test('a prototype in a body is refused by every call that takes one', async () => {
  const { body } = await app.visitor.get('/openapi.json');
  const poisons = [
    '{"__proto__":{"operator":true}}',
    '{"constructor":{"prototype":{"operator":true}}}',
    '{"hour":{"__proto__":{"hours":3}}}',
    '{"a":[{"b":{"__proto__":{}}}]}',
  ];
  for (const operation of operationsOf(body).filter((one) => one.body)) {
    const address = operation.path.replace(/^\/api/, '').replace(/\{\w+\}/g, id);
    for (const poison of poisons) {
      const answer = await ana.send(operation.method, address, { headers: json, body: poison });
      expect([answer.status, answer.body.code], `${operation.method} ${address}`).toEqual([
        400,
        'Invalid_Request',
      ]);
    }
  }
  expect(Object.hasOwn(Object.prototype, 'operator')).toBe(false);
});

test('what is larger than a mebibyte is refused by every call that takes a body', async () => {
  const { body } = await app.visitor.get('/openapi.json');
  const large = JSON.stringify({ message: 'a'.repeat(1_100_000) });
  for (const operation of operationsOf(body).filter(({ method }) => method !== 'GET')) {
    const address = operation.path.replace(/^\/api/, '').replace(/\{\w+\}/g, '1');
    const answer = await ana.send(operation.method, address, { headers: json, body: large });
    expect([answer.status, answer.body.code], `${operation.method} ${address}`).toEqual([
      413,
      'Payload_Too_Large',
    ]);
  }
});

test('what is larger than 64 kibibytes is refused by every call for everybody', async () => {
  const { body } = await app.visitor.get('/openapi.json');
  const large = JSON.stringify({ message: 'a'.repeat(64 * 1024) });
  const forEverybody = operationsOf(body).filter((one) => one.body && !one.needsSession);
  expect(forEverybody.length).toBeGreaterThan(3);
  for (const { method, path } of forEverybody) {
    const address = path.replace(/^\/api/, '');
    const answer = await app.visitor.send(method, address, { headers: json, body: large });
    expect([answer.status, answer.body.code], address).toEqual([413, 'Payload_Too_Large']);
  }
});

test('a mebibyte of wrong values is answered with a few of them', async () => {
  const wrong = [
    { days: Array(200_000).fill(9) },
    { days: Array.from({ length: 100_000 }, (_, at) => `${at}`) },
    { accounts: { scope: 'chosen', chosen: Array(200_000).fill('x'), includesNew: true } },
    Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`hour${at}`, {}])),
    { hour: Array(200_000).fill({}) },
  ];
  for (const body of wrong) {
    const sent = JSON.stringify(body);
    const answers = [
      await ana.send('PATCH', `/messengers/${id}`, { headers: json, body: sent }),
      await ana.send('POST', `/messengers/${id}/preview`, { headers: json, body: sent }),
    ];
    for (const { status, body } of answers.filter((answer) => answer.status !== 200)) {
      expect([status, body.code]).toEqual([422, 'Invalid_Messenger']);
      expect(body.details.length).toBeLessThanOrEqual(20);
    }
    expect(answers.some(({ status }) => status === 422)).toBe(true);
  }
});

test('whose notification it is comes before what a large body holds', async () => {
  const body = JSON.stringify({ days: Array(200_000).fill(9) });
  const strangers = [basile, ana].map((person) => ({
    person,
    to: person === ana ? '00000000-0000-4000-8000-000000000000' : id,
  }));
  for (const { person, to } of strangers) {
    const saved = await person.send('PATCH', `/messengers/${to}`, { headers: json, body });
    const seen = await person.send('POST', `/messengers/${to}/preview`, { headers: json, body });
    expect([saved.status, seen.status]).toEqual([404, 404]);
  }
});

test('a form, a file or XML is no way in', async () => {
  const form = new FormData();
  form.set('email', 'a@b.fr');
  form.set('file', new Blob(['x'.repeat(1000)]), '../../etc/passwd');
  const sent: [BodyInit, Record<string, string>][] = [
    [form, {}],
    ['email=a%40b.fr', { 'content-type': 'application/x-www-form-urlencoded' }],
    [
      '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>',
      { 'content-type': 'text/xml' },
    ],
    ['{"email":"a@b.fr"}', { 'content-type': 'text/plain' }],
  ];
  for (const [body, headers] of sent) {
    for (const path of ['/users', '/accounts/login', '/accounts/password/forgotten']) {
      const answer = await app.visitor.send('POST', path, { body, headers });
      expect([answer.status, answer.body.code]).toEqual([415, 'Unsupported_Media_Type']);
    }
  }
});
