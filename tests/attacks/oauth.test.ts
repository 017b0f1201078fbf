import { afterAll, beforeAll, expect, test } from 'vitest';
import { destinationSecrets } from '../../src/server/notifications/destinations/queries.ts';
import { type Application, startApplication } from '../support/application.ts';
import type { Person } from '../support/person.ts';
import { authorizeSlack } from '../support/slack.ts';

let app: Application;
let ana: Person;
let mallory: Person;
beforeAll(async () => {
  app = await startApplication();
  [ana, mallory] = [await app.signUp(), await app.signUp()];
});
afterAll(() => app.close());

const scope = 'chat:write,chat:write.public,channels:read,groups:read';

async function stateOf(person: Person): Promise<string> {
  const { body } = await person.get('/messengers/slack/connect');
  return new URL(body.redirect_url).searchParams.get('state') ?? '';
}

/** A browser returns from the chat's consent page. Gives the parameters in the address of the next page. */
async function comeBack(state: string, person: Person | null = null): Promise<URLSearchParams> {
  const redirectUri = `${app.url}/api/messengers/slack/callback`;
  const code = app.chat.control.code({ team: 'T0FONTAINE', scope, redirectUri });
  const query = new URLSearchParams({ code, state });
  const { status, headers } = await (person ?? app.visitor).get(
    `/messengers/slack/callback?${query}`,
  );
  expect(status).toBe(303);
  return new URL(headers.get('location') ?? '').searchParams;
}

const expired = [['notice', 'slack-expired']];

test('a state that we did not make, or not for that, is refused', async () => {
  const genuine = await stateOf(ana);
  const [version, nonce, body] = genuine.split('.');
  const elsewhere = app.services.vault.seal(
    `${ana.id} x`,
    destinationSecrets.additionalData(ana.id, 'x'),
  );
  const unknown = app.services.vault.seal(`${ana.id} x`, 'workspace_authorizations/state');
  const forged = [
    ...['', ana.id, ana.token, 'null', 'a'.repeat(10_000), `${genuine}A`, `${genuine}.x`],
    ...[`${version}.${nonce}`, `v0.${nonce}.${body}`, `${version}.${body}.${nonce}`],
    ...[elsewhere, unknown],
  ];
  for (const state of forged) expect([...(await comeBack(state))], state).toEqual(expired);
  expect((await comeBack(genuine)).get('token')).toMatch(/^tirelire-slack-/);
});

test('a state is good once, also when it is sent twice at the same time', async () => {
  const state = await stateOf(ana);
  const ends = await Promise.all([comeBack(state), comeBack(state), comeBack(state)]);
  expect(ends.filter((end) => end.has('token'))).toHaveLength(1);
  expect([...(await comeBack(state))]).toEqual(expired);
});

test('a state is good for ten minutes', async () => {
  const state = await stateOf(ana);
  app.clock.advance({ minutes: 10 });
  expect([...(await comeBack(state))]).toEqual(expired);
});

test('coming back with somebody else’s state gives neither of them the workspace', async () => {
  const state = await stateOf(mallory);
  const handle = (await comeBack(state, ana)).get('token');
  const claimed = await ana.post('/messengers', { slackBotToken: handle });
  expect([claimed.status, claimed.body.code]).toEqual([422, 'Slack_Handle_Invalid']);
  for (const person of [ana, mallory]) {
    expect((await person.get('/users/me')).body.messengers).toEqual([]);
    const without = await person.post('/messengers', {});
    expect([without.status, without.body.code]).toEqual([409, 'Slack_Not_Connected']);
  }
});

test('a pending handle is its owner’s alone, for ten minutes', async () => {
  const handle = await authorizeSlack(app, ana, 'T0FONTAINE');
  for (const wrong of [handle, `${handle}A`, handle.slice(0, -1), handle.toUpperCase()]) {
    const { status, body } = await mallory.post('/messengers', { slackBotToken: wrong });
    expect([status, body.code]).toEqual([422, 'Slack_Handle_Invalid']);
  }
  app.clock.advance({ minutes: 10 });
  const late = await ana.post('/messengers', { slackBotToken: handle });
  expect([late.status, late.body.code]).toEqual([422, 'Slack_Handle_Invalid']);
});

test('a raw token in an address of ours is not taken, kept or given back', async () => {
  const token = app.chat.control.install('T0LENOIR', scope);
  const query = new URLSearchParams({ token, slackBotToken: token, code: token, state: token });
  for (const path of ['/messengers/slack/callback', '/bridge/callback', '/users/me']) {
    const { body, headers } = await ana.get(`${path}?${query}`);
    expect(JSON.stringify([body, [...headers]])).not.toContain(token);
  }
  const posted = await ana.send('POST', `/messengers?${query}`);
  expect([posted.status, posted.body.code]).toEqual([409, 'Slack_Not_Connected']);
});
