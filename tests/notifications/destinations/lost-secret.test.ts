import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Application, startApplication } from '../../support/application.ts';
import { authorizeSlack, connectSlack, slackOf } from '../../support/slack.ts';

let app: Application;
beforeAll(async () => {
  app = await startApplication();
});
afterAll(() => app.close());

test('a workspace whose token nothing opens any more is connected again', async () => {
  const ana = await app.signUp();
  const first = await connectSlack(app, ana, 'T0FONTAINE');
  await app.services.database.sql
    .updateTable('destinations')
    .set({ sealed_secret: 'v1.AAAA.AAAA' })
    .where('user_id', '=', ana.id)
    .execute();
  const slackBotToken = await authorizeSlack(app, ana, 'T0FONTAINE');
  const { status, body } = await ana.post('/messengers', { slackBotToken });
  expect({ status, id: body.id }).toEqual({ status: 200, id: first.id });
  expect((await ana.get('/messengers/slack/channels')).status).toBe(200);
});

test('a bot removed while its notification is being saved keeps the notification paused', async () => {
  const ana = await app.signUp();
  const { id } = await connectSlack(app, ana, 'T0FONTAINE');
  const { database } = app.services;
  const chat = slackOf(app);
  const { findChannel } = chat;
  chat.findChannel = async (token, channelId) => {
    const removed = { state: 'disconnected' } as const;
    await database.sql
      .updateTable('destinations')
      .set(removed)
      .where('user_id', '=', ana.id)
      .execute();
    const paused = { paused_at: app.clock.now(), paused_reason: 'account_inactive' };
    await database.sql.updateTable('messengers').set(paused).where('id', '=', id).execute();
    return findChannel(token, channelId);
  };
  const { body } = await ana.patch(`/messengers/${id}`, {
    slackChannel: 'C0FGENERAL0',
    message: 'Bonjour',
  });
  chat.findChannel = findChannel;
  expect(body).toMatchObject({
    slackChannel: 'C0FGENERAL0',
    connected: false,
    nextDate: null,
    pause: { reason: 'account_inactive' },
  });
});
