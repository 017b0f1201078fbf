import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readEvent } from '../../../src/server/providers/chats/slack/events.ts';
import { type Application, startApplication } from '../../support/application.ts';
import type { Answer, Person } from '../../support/person.ts';
import { authorizeSlack, connectSlack } from '../../support/slack.ts';

const path = '/messengers/slack/events';
let app: Application;
let ana: Person;
let basile: Person;
beforeAll(async () => {
  app = await startApplication();
  app.chat.control.setEventsUrl(`${app.url}/api${path}`);
  [ana, basile] = [await app.signUp(), await app.signUp()];
});
afterAll(() => app.close());

function signed(body: string, { secret = app.chat.signingSecret, seconds = now() } = {}) {
  const mac = createHmac('sha256', secret).update(`v0:${seconds}:${body}`).digest('hex');
  return { 'x-slack-request-timestamp': String(seconds), 'x-slack-signature': `v0=${mac}` };
}

const now = () => Math.floor(app.clock.now().getTime() / 1000);

function send(body: string, headers: Record<string, string>): Promise<Answer> {
  const type = { 'content-type': 'application/json' };
  return app.visitor.send('POST', path, { body, headers: { ...type, ...headers } });
}

function envelope(team_id: string, event: object, event_time = now()): string {
  return JSON.stringify({ type: 'event_callback', team_id, event, event_id: 'Ev1', event_time });
}

const uninstalled = { type: 'app_uninstalled' };

/** Whether a person's notifications of a workspace are connected, and what pauses them. */
async function stateOf(person: Person, team: string): Promise<unknown[]> {
  const { body } = await person.get('/users/me');
  const found = body.messengers.find(
    (one: { slackTeamName: string }) => one.slackTeamName === team,
  );
  return [found.connected, found.pause?.reason];
}

const [fontaine, lenoir] = ['Maison Fontaine', 'Cabinet Lenoir'];
const working = [true, undefined];
const removed = [false, 'account_inactive'];

test('Slack’s own example of a signature is understood', () => {
  const body =
    'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c';
  const headers = {
    'x-slack-request-timestamp': '1531420618',
    'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
  };
  const secrets = ['another', '8f742231b10e8888abcd99yyyzzz85a5'];
  const at = new Date(1531420618_000);
  expect(readEvent({ headers, body: Buffer.from(body) }, secrets, at)).toEqual({ kind: 'other' });
  expect(readEvent({ headers, body: Buffer.from(`${body} `) }, secrets, at)).toBeNull();
  expect(readEvent({ headers, body: Buffer.from(body) }, ['another'], at)).toBeNull();
  expect(readEvent({ headers, body: Buffer.from(body) }, [], at)).toBeNull();
});

test('the set-up of the address gets its word back', async () => {
  const body = JSON.stringify({ type: 'url_verification', token: 'x', challenge: '3eZbrw1aB' });
  expect(await send(body, signed(body))).toMatchObject({
    status: 200,
    body: { challenge: '3eZbrw1aB' },
  });
  expect((await send(body, {})).status).toBe(401);
});

test('a bot that is removed stops its team for everybody who has it, and nobody else', async () => {
  await connectSlack(app, ana, 'T0FONTAINE');
  await connectSlack(app, ana, 'T0LENOIR');
  await connectSlack(app, basile, 'T0FONTAINE');
  app.clock.advance({ minutes: 1 });
  const pending = await authorizeSlack(app, await app.signUp(), 'T0FONTAINE');
  expect(pending).not.toBe('');
  await app.chat.control.uninstall('T0FONTAINE');
  expect(await stateOf(ana, fontaine)).toEqual(removed);
  expect(await stateOf(ana, lenoir)).toEqual(working);
  expect(await stateOf(basile, fontaine)).toEqual(removed);
  const waiting = await app.services.database.sql
    .selectFrom('destinations')
    .select('id')
    .where('state', '=', 'pending')
    .execute();
  expect(waiting).toEqual([]);
  const mails = await app.services.database.sql
    .selectFrom('mails')
    .select(['recipient', 'cause', 'body'])
    .where('cause', '=', 'account_inactive')
    .execute();
  expect(mails.map(({ recipient }) => recipient).sort()).toEqual(
    [ana.details.email, basile.details.email].sort(),
  );
  // No message was tried.
  for (const { body } of mails)
    expect(body).toMatch(/^Bonjour,\s+Votre notification est en pause\./);
});

test('a bot that is removed after the last notification was deleted is told to nobody', async () => {
  const dora = await app.signUp();
  const { id } = await connectSlack(app, dora, 'T0BONNARD');
  expect((await dora.delete(`/messengers/${id}`)).status).toBe(204);
  app.clock.advance({ minutes: 1 });
  await app.chat.control.uninstall('T0BONNARD');
  const { sql } = app.services.database;
  const ofDora = sql.selectFrom('destinations').select('state').where('user_id', '=', dora.id);
  expect(await ofDora.execute()).toEqual([{ state: 'disconnected' }]);
  const mails = sql.selectFrom('mails').select('subject').where('user_id', '=', dora.id);
  expect(await mails.where('cause', '=', 'account_inactive').execute()).toEqual([]);
});

test('the same notice again, or late, leaves alone what was connected since', async () => {
  const removedAt = now();
  app.clock.advance({ minutes: 3 });
  await connectSlack(app, ana, 'T0FONTAINE');
  const late = envelope('T0FONTAINE', uninstalled, removedAt);
  for (const body of [late, late]) expect((await send(body, signed(body))).status).toBe(200);
  expect(await stateOf(ana, fontaine)).toEqual(working);
  expect(await stateOf(basile, fontaine)).toEqual(removed);
});

test('a revocation counts for the bot it names', async () => {
  app.clock.advance({ minutes: 1 });
  for (const bot of [[], ['U0SOMEBODY'], 'U0', null]) {
    const event = { type: 'tokens_revoked', tokens: { oauth: ['U1'], bot } };
    const body = envelope('T0LENOIR', event);
    expect((await send(body, signed(body))).status).toBe(200);
  }
  expect(await stateOf(ana, lenoir)).toEqual(working);
  const { bot_user_id } = await app.services.database.sql
    .selectFrom('destinations')
    .select('bot_user_id')
    .where('team_id', '=', 'T0LENOIR')
    .executeTakeFirstOrThrow();
  const event = { type: 'tokens_revoked', tokens: { bot: [bot_user_id] } };
  const body = envelope('T0LENOIR', event);
  expect((await send(body, signed(body))).status).toBe(200);
  expect(await stateOf(ana, lenoir)).toEqual(removed);
});

test('what Slack did not sign, or not now, is refused and changes nothing', async () => {
  const body = envelope('T0FONTAINE', uninstalled, now() + 60);
  const good = signed(body);
  const refused: [string, Record<string, string>][] = [
    [body, {}],
    [body, { ...good, 'x-slack-signature': '' }],
    [body, { ...good, 'x-slack-signature': good['x-slack-signature'].replace('v0=', 'v1=') }],
    [body, { ...good, 'x-slack-signature': good['x-slack-signature'].slice(3) }],
    [body, { ...good, 'x-slack-signature': `v0=${'0'.repeat(64)}` }],
    [`${body} `, good],
    [body, { ...good, 'x-slack-request-timestamp': String(now() + 1) }],
    [body, { ...good, 'x-slack-request-timestamp': 'NaN' }],
    [body, signed(body, { secret: 'another' })],
    [body, signed(body, { secret: '' })],
    [body, signed(body, { seconds: now() - 301 })],
    [body, signed(body, { seconds: now() + 301 })],
    [body, signed(body, { seconds: -1 })],
  ];
  for (const [sent, headers] of refused) {
    expect(await send(sent, headers)).toMatchObject({
      status: 401,
      body: { code: 'Signature_Invalid' },
    });
  }
  expect(await stateOf(ana, fontaine)).toEqual(working);
});

test.for(['', 'null', '[]', '{', '{"type":"event_callback"}', '{"event":{"type":"x"}}'])(
  'a signed %j is taken without harm',
  async (body) => {
    expect((await send(body, signed(body))).status).toBe(200);
  },
);

test('a huge notice is not read', async () => {
  const body = `{"type":"${'x'.repeat(300_000)}"}`;
  expect((await send(body, signed(body))).status).toBe(413);
});

test('U+0000 in what Slack sends, signed or asked for, breaks nothing', async () => {
  const camille = await app.signUp();
  const channels = [{ id: 'C0NUL', name: 'géné\u0000ral' }];
  app.chat.control.addTeam({ id: 'T0NUL', name: 'Atelier\u0000 Noir', channels });
  const { id, slackTeamName } = await connectSlack(app, camille, 'T0NUL');
  expect(slackTeamName).toBe('Atelier\ufffd Noir');
  const saved = await camille.patch(`/messengers/${id}`, { slackChannel: 'C0NUL' });
  expect(saved).toMatchObject({ status: 200, body: { slackChannelName: 'géné\ufffdral' } });
  for (const body of [
    envelope('T0\u0000', uninstalled),
    envelope('T0\u0000NUL', { type: 'tokens_revoked', tokens: { bot: ['U\u0000'] } }),
    JSON.stringify({ type: 'url_verification', challenge: [['\u0000']] }),
  ]) {
    expect((await send(body, signed(body))).status).toBe(200);
  }
  expect(await stateOf(camille, 'Atelier\ufffd Noir')).toEqual(working);
});
