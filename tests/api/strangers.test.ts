import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Application, startApplication } from '../support/application.ts';
import type { Person } from '../support/person.ts';
import { connectSlack } from '../support/slack.ts';

let app: Application;
let ana: Person;
let basile: Person;
let hers: { id: string; slackBotToken: string };
beforeAll(async () => {
  app = await startApplication();
  ana = await app.signUp();
  basile = await app.signUp();
  hers = await connectSlack(app, ana, 'T0FONTAINE');
});
afterAll(() => app.close());

/** Every call of the API that needs a session; `:hers` is the id of Ana's notification. */
const calls: [method: string, path: string, body?: object][] = [
  ['GET', '/users/me'],
  ['PATCH', '/users/me', {}],
  ['PUT', '/users/me/email', {}],
  ['POST', '/users/me/email/confirmation'],
  ['PUT', '/users/me/password', {}],
  ['GET', '/users/me/sessions'],
  ['DELETE', '/users/me/sessions/1'],
  ['POST', '/users/me/second-factor', {}],
  ['POST', '/users/me/second-factor/confirmation', {}],
  ['POST', '/users/me/second-factor/removal', {}],
  ['GET', '/users/me/export'],
  ['POST', '/users/me/deletion', {}],
  ['GET', '/operations'],
  ['POST', '/accounts/logout'],
  ['POST', '/messengers', {}],
  ['PATCH', '/messengers/:hers', { message: 'à moi' }],
  ['DELETE', '/messengers/:hers'],
  ['POST', '/messengers/:hers/resume'],
  ['POST', '/messengers/:hers/preview', { message: 'à moi' }],
  ['GET', '/messengers/:hers/deliveries'],
  ['POST', '/messengers/slack/:hers', {}],
  ['GET', '/messengers/slack/channels'],
  ['GET', '/messengers/slack/connect'],
  ['GET', '/bridge/items'],
  ['GET', '/bridge/accounts?types[]=checking'],
  ['GET', '/bridge/accounts/1/balances'],
  ['GET', '/bridge/balances'],
  ['GET', '/bridge/items/connect'],
  ['GET', '/bridge/items/edit/1'],
  ['GET', '/bridge/items/pro/confirmation/url'],
  ['DELETE', '/bridge/items/1'],
];

const ask = (who: Pick<Person, 'send'>, [method, path, body]: (typeof calls)[number], id: string) =>
  who.send(method, path.replace(':hers', id), {
    ...(body
      ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
      : {}),
  });

test.each(calls)('without a session %s %s answers 401 and nothing else', async (...call) => {
  for (const stranger of [app.visitor, app.visitor.as('a'.repeat(43)), app.visitor.as('x')]) {
    const { status, body } = await ask(stranger, call, hers.id);
    expect(status).toBe(401);
    expect(body).toEqual({
      statusCode: 401,
      code: 'Not_Signed_In',
      message: 'Votre session a expiré. Reconnectez-vous.',
    });
  }
});

test('every described call but the public ones stands in this table', async () => {
  const { body } = await app.visitor.get('/openapi.json');
  const closed = Object.entries<Record<string, { security?: unknown }>>(body.paths).flatMap(
    ([path, operations]) =>
      Object.entries(operations)
        .filter(([, operation]) => operation.security)
        .map(([method]) => `${method.toUpperCase()} ${path}`),
  );
  const asked = calls.map(
    ([method, path]) =>
      `${method} /api${path
        .split('?')[0]
        ?.replace(':hers', '{id}')
        .replace(/\/1(?=\/|$)/, '/{id}')}`,
  );
  expect(closed.sort()).toEqual(asked.sort());
});

const onHers = calls.filter(([, path]) => path.includes(':hers'));

test.each(onHers)('Basile gets a 404 from %s %s', async (...call) => {
  const { status, body } = await ask(basile, call, hers.id);
  expect(status).toBe(404);
  expect(body.code).toBe('Not_Found');
  expect((await ana.get('/users/me')).body.messengers[0]).toMatchObject({
    id: hers.id,
    message: '',
  });
});

test.each(onHers)('what is no id gets a 404 from %s %s', async (...call) => {
  for (const id of [
    '0',
    'null',
    "1'%20or%20'1'='1",
    '../users',
    '%F0%9F%90%96',
    hers.id.slice(1),
  ]) {
    const { status } = await ask(ana, call, encodeURIComponent(decodeURIComponent(id)));
    expect(status).toBe(404);
  }
});

test('the handle of one person is worth nothing to another', async () => {
  const { status, body } = await basile.post('/messengers', { slackBotToken: hers.slackBotToken });
  expect({ status, code: body.code }).toEqual({ status: 422, code: 'Slack_Handle_Invalid' });
  const { status: listing } = await basile.get(`/messengers/slack/channels?messengerId=${hers.id}`);
  expect(listing).toBe(404);
});

test('Basile sees nothing of what is Ana’s', async () => {
  const { body } = await basile.get('/users/me');
  expect(body.messengers).toEqual([]);
});
