import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Application, startApplication } from '../../support/application.ts';
import type { Person } from '../../support/person.ts';
import { authorizeSlack, connectSlack } from '../../support/slack.ts';

const team = 'T0FONTAINE';
const general = 'C0FGENERAL0';
const treasury = 'C0FTRESOR00';

let app: Application;
let ana: Person;
beforeAll(async () => {
  app = await startApplication();
});
beforeEach(async () => {
  app.clock.set('2026-01-12T07:00:00Z');
  app.chat.control.clearFaults();
  ana = await app.signUp();
});
afterAll(() => app.close());

test('the first notification of a workspace starts empty, at nine in Paris', async () => {
  const slackBotToken = await authorizeSlack(app, ana, team);
  const { status, body } = await ana.post('/messengers', { slackBotToken });
  expect(status).toBe(201);
  expect(body).toEqual({
    id: expect.any(String),
    chat: 'slack',
    chatName: 'Slack',
    drawing: 'table',
    channels: 'listed',
    slackTeamName: 'Maison Fontaine',
    slackChannel: null,
    slackChannelName: null,
    slackBotToken: expect.stringMatching(/^tirelire-slack-[\w-]{43}$/),
    message: '',
    createDate: '2026-01-12T07:00:00.000Z',
    updateDate: '2026-01-12T07:00:00.000Z',
    hour: { hours: 9, minutes: 0, timeZone: '+0100', zone: 'Europe/Paris' },
    nextDate: null,
    nextDates: [],
    days: [1, 2, 3, 4, 5, 6, 7],
    pausedUntil: null,
    stopped: false,
    holidays: null,
    accounts: { scope: 'all', chosen: [], includesNew: true },
    chart: false,
    attention: ['overdraft', 'connection', 'consent', 'age'],
    operations: 'off',
    connected: true,
    pause: null,
    lastDelivery: null,
  });
});

test('someone without Slack is told to add it first', async () => {
  for (const body of [undefined, {}, { slackBotToken: null }]) {
    const answer = await ana.post('/messengers', body);
    expect(answer.status).toBe(409);
    expect(answer.body.code).toBe('Slack_Not_Connected');
  }
});

test('Ajouter makes one more in the same workspace, with the stored token or none', async () => {
  const first = await connectSlack(app, ana, team);
  app.clock.advance({ seconds: 1 });
  const second = await ana.post('/messengers', { slackBotToken: first.slackBotToken });
  app.clock.advance({ seconds: 1 });
  const third = await ana.post('/messengers');
  expect([second.status, third.status]).toEqual([201, 201]);
  const { body } = await ana.get('/users/me');
  expect(body.messengers.map(({ id }: { id: string }) => id)).toEqual([
    first.id,
    second.body.id,
    third.body.id,
  ]);
});

test('a double click on the way back from Slack makes one notification', async () => {
  const slackBotToken = await authorizeSlack(app, ana, team);
  const answers = await Promise.all(
    [1, 2, 3].map(() => ana.post('/messengers', { slackBotToken })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  expect((await ana.get('/users/me')).body.messengers).toHaveLength(1);
});

test('a known workspace that is authorised again keeps its notifications and gets no other', async () => {
  const first = await connectSlack(app, ana, team);
  const again = await ana.post('/messengers', {
    slackBotToken: await authorizeSlack(app, ana, team),
  });
  expect(again.status).toBe(200);
  expect(again.body.id).toBe(first.id);
  expect(again.body.slackBotToken).toBe(first.slackBotToken);
});

test('a raw bot token of an API caller is checked, sealed and never shown', async () => {
  const token = app.chat.control.install(team, 'chat:write,channels:read');
  const { status, body } = await ana.post('/messengers', { slackBotToken: token });
  expect(status).toBe(201);
  expect(JSON.stringify(body)).not.toContain(token);
  const wrong = await ana.post('/messengers', { slackBotToken: 'xoxb-000000-0000000000' });
  expect({ status: wrong.status, code: wrong.body.code }).toEqual({
    status: 422,
    code: 'Slack_Handle_Invalid',
  });
});

test('it is planned once a channel and a text are there, today if the hour is to come', async () => {
  const { id } = await connectSlack(app, ana, team);
  const withText = await ana.patch(`/messengers/${id}`, { message: 'Bonjour 👋' });
  expect(withText.body).toMatchObject({ message: 'Bonjour 👋', nextDate: null });
  const complete = await ana.patch(`/messengers/${id}`, { slackChannel: treasury });
  expect(complete.status).toBe(200);
  expect(complete.body).toMatchObject({
    slackChannel: treasury,
    slackChannelName: 'trésorerie',
    nextDate: '2026-01-12T08:00:00.000Z',
  });
});

test('a channel must be one of the workspace', async () => {
  const { id } = await connectSlack(app, ana, team);
  const { status, body } = await ana.patch(`/messengers/${id}`, { slackChannel: 'C0LGENERAL0' });
  expect(status).toBe(422);
  expect(body).toMatchObject({
    code: 'Invalid_Messenger',
    message: 'Les paramètres de la notification ne sont pas valides',
    details: [{ path: '/slackChannel' }],
  });
});

test('when Slack is down a changed channel is refused with 503 and nothing of it is kept', async () => {
  const { id } = await connectSlack(app, ana, team);
  app.chat.control.addFault({ method: 'conversations.info', kind: 'status', status: 503 });
  const { status, body } = await ana.patch(`/messengers/${id}`, {
    slackChannel: general,
    message: 'perdu ?',
  });
  expect(status).toBe(503);
  expect(body).toMatchObject({ code: 'Slack_Unavailable', requestId: expect.any(String) });
  app.chat.control.clearFaults();
  const me = await ana.get('/users/me');
  expect(me.body.messengers[0]).toMatchObject({ slackChannel: null, message: '' });
});

test('a saved text does not ask Slack about the channel that stays', async () => {
  const { id } = await ready();
  app.chat.control.addFault({ method: 'conversations.info', kind: 'status', status: 503 });
  const { status } = await ana.patch(`/messengers/${id}`, {
    slackChannel: general,
    message: 'un autre texte',
  });
  expect(status).toBe(200);
});

test('what only the server knows is ignored in a body', async () => {
  const messenger = await ready();
  const { status, body } = await ana.patch(`/messengers/${messenger.id}`, {
    ...messenger,
    id: '00000000-0000-4000-8000-000000000001',
    slackTeamName: 'Ailleurs',
    nextDate: '2030-01-01T00:00:00.000Z',
    next_at: '2030-01-01T00:00:00.000Z',
    user_id: '00000000-0000-4000-8000-000000000001',
    connected: false,
    message: 'changé',
  });
  expect(status).toBe(200);
  expect(body).toEqual({ ...messenger, message: 'changé', updateDate: body.updateDate });
});

test('a deleted notification is gone', async () => {
  const { id } = await ready();
  expect(await ana.delete(`/messengers/${id}`)).toMatchObject({ status: 204, body: '' });
  expect((await ana.delete(`/messengers/${id}`)).status).toBe(404);
  expect((await ana.get('/users/me')).body.messengers).toEqual([]);
});

test('a paused one says why and what to do, and goes on when its owner says so', async () => {
  const { id } = await ready();
  await pause(id, 'is_archived');
  const { body } = await ana.get('/users/me');
  expect(body.messengers[0]).toMatchObject({
    nextDate: null,
    pause: {
      reason: 'is_archived',
      sentence: 'Ce channel est archivé. Choisissez-en un autre.',
      action: 'choose-channel',
      since: '2026-01-12T07:00:00.000Z',
    },
  });
  const resumed = await ana.post(`/messengers/${id}/resume`);
  expect(resumed.status).toBe(200);
  expect(resumed.body).toMatchObject({ pause: null, nextDate: '2026-01-12T08:00:00.000Z' });
});

test('any saved change ends a pause, but not while the bot is out of the workspace', async () => {
  const { id } = await ready();
  await pause(id, 'is_archived');
  const saved = await ana.patch(`/messengers/${id}`, { slackChannel: treasury });
  expect(saved.body).toMatchObject({ pause: null, nextDate: '2026-01-12T08:00:00.000Z' });
  await pause(id, 'account_inactive');
  await app.services.database.sql
    .updateTable('destinations')
    .set({ state: 'disconnected' })
    .where('user_id', '=', ana.id)
    .execute();
  const kept = await ana.patch(`/messengers/${id}`, { message: 'gardé' });
  expect(kept.body).toMatchObject({ connected: false, message: 'gardé', nextDate: null });
  expect(kept.body.pause.action).toBe('reconnect');
  expect((await ana.post(`/messengers/${id}/resume`)).status).toBe(409);
  const again = await ana.post('/messengers', {
    slackBotToken: await authorizeSlack(app, ana, team),
  });
  expect(again.body).toMatchObject({ id, connected: true, pause: null });
  expect(again.body.nextDate).toBe('2026-01-12T08:00:00.000Z');
});

async function ready() {
  const { id } = await connectSlack(app, ana, team);
  const { body } = await ana.patch(`/messengers/${id}`, {
    slackChannel: general,
    message: 'Bonjour',
  });
  return body;
}

async function pause(id: string, reason: string): Promise<void> {
  await app.services.database.sql
    .updateTable('messengers')
    .set({ paused_at: app.clock.now(), paused_reason: reason })
    .where('user_id', '=', ana.id)
    .where('id', '=', id)
    .execute();
}

test('a notification of somebody else is not found, whatever is asked of it', async () => {
  const [{ id }, bo] = [await ready(), await app.signUp()];
  const asked = [
    await bo.patch(`/messengers/${id}`, { message: '' }),
    await bo.post(`/messengers/${id}/preview`, { message: 5 }),
    await bo.post(`/messengers/${id}/operations`, { message: 5 }),
    await bo.post(`/messengers/${id}/copies`, {}),
    await bo.post(`/messengers/${id}/alerts`, {}),
    await bo.post(`/messengers/slack/${id}`, { message: '' }),
  ];
  expect(asked.map(({ status }) => status)).toEqual(asked.map(() => 404));
  expect((await ana.patch(`/messengers/${id}`, { message: '' })).status).toBe(422);
});
