import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { example } from '../../providers/chats/example/definition.ts';
import { type ExampleStandin, startExampleStandin } from '../../providers/chats/example/standin.ts';
import { type Application, startApplication } from '../../support/application.ts';
import type { Person } from '../../support/person.ts';
import { connectSlack } from '../../support/slack.ts';

let app: Application;
let standin: ExampleStandin;
let ana: Person;
let source: { id: string; slackBotToken: string };
let destination: { id: string; slackBotToken: string };

beforeAll(async () => {
  standin = await startExampleStandin();
  const team = { name: 'Les Lilas', channelNames: ['salon'], arrived: [], next: null };
  standin.teams.set('k', team);
  app = await startApplication({ chats: [example.configure({})].flatMap((one) => one ?? []) });
});
afterAll(async () => {
  await app.close();
  await standin.close();
});
beforeEach(async () => {
  ana = await app.signUp();
  source = await connectSlack(app, ana, 'T0FONTAINE');
  await ana.patch(`/messengers/${source.id}`, {
    ...{ slackChannel: 'C0FTRESOR00', message: 'Bonjour', days: [1, 3], holidays: 'metropole' },
    hour: { hours: 7, minutes: 15, zone: 'Europe/Paris' },
    accounts: { scope: 'chosen', chosen: [], includesNew: true },
  });
  const values = { address: `${standin.url}/k` };
  destination = (await ana.post('/messengers/chats/example/link', { values })).body;
});

const copy = (to: string, by = ana, id = source.id) =>
  by.post(`/messengers/${id}/copies`, { slackBotToken: to });
const messengers = async () => (await ana.get('/users/me')).body.messengers;

it('a notification is copied to another destination with text, hour, days and accounts', async () => {
  const { status, body } = await copy(destination.slackBotToken);
  expect(status).toBe(201);
  expect(body).toMatchObject({
    ...{ chat: 'example', slackChannel: 'salon', message: 'Bonjour', days: [1, 3] },
    ...{ hour: { hours: 7, minutes: 15, zone: 'Europe/Paris' }, holidays: 'metropole' },
    ...{
      accounts: { scope: 'chosen', chosen: [], includesNew: true },
      nextDate: expect.any(String),
    },
  });
  await ana.patch(`/messengers/${body.id}`, { message: 'Autre chose' });
  const [first] = (await messengers()).filter(({ id }: { id: string }) => id === source.id);
  expect(first).toMatchObject({ chat: 'slack', message: 'Bonjour' });
});

it('where channels are chosen it waits for one, and a pause is left behind', async () => {
  await ana.patch(`/messengers/${source.id}`, { stopped: true });
  const { body } = await copy(source.slackBotToken);
  expect(body).toMatchObject({ chat: 'slack', slackChannel: null, stopped: false, nextDate: null });
  expect(await messengers()).toHaveLength(3);
});

it('neither the notification nor the destination may be of somebody else', async () => {
  const bob = await app.signUp();
  expect((await copy(destination.slackBotToken, bob)).status).toBe(404);
  const his = await connectSlack(app, bob, 'T0LENOIR');
  expect((await copy(destination.slackBotToken, bob, his.id)).status).toBe(422);
  expect((await copy(destination.slackBotToken, ana, 'inconnu')).status).toBe(404);
  expect((await bob.get('/users/me')).body.messengers).toHaveLength(1);
});
