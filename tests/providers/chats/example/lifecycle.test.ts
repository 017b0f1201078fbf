import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startWorker, type Worker } from '../../../../src/server/app/worker.ts';
import type { Delivery } from '../../../../src/shared/contract/deliveries.ts';
import { eventually } from '../../../notifications/deliveries/fixture.ts';
import { quick } from '../../../notifications/deliveries/quick.ts';
import { type Application, startApplication } from '../../../support/application.ts';
import { manualClock } from '../../../support/clock.ts';
import type { Person } from '../../../support/person.ts';
import { chatDepsFor } from '../chat-deps.ts';
import { example, exampleListed } from './definition.ts';
import { type ExampleStandin, startExampleStandin, type Team } from './standin.ts';

let standin: ExampleStandin;
let app: Application;
let worker: Worker;
let ana: Person;
let team: Team;
let address: string;
let keys = 0;

beforeAll(async () => {
  standin = await startExampleStandin();
  const chats = [example, exampleListed].flatMap((definition) => definition.configure({}) ?? []);
  app = await startApplication({ clock: manualClock(), chats });
  worker = await startWorker(app.services, quick);
});
afterAll(async () => {
  await worker.stop();
  await app.close();
  await standin.close();
});
beforeEach(async () => {
  ana = await app.signUp();
  team = { name: 'Les Lilas', channelNames: ['salon', 'cave'], arrived: [], next: null };
  keys += 1;
  standin.teams.set(`k${keys}`, team);
  address = `${standin.url}/k${keys}`;
});

const link = (kind = 'example', given = address) =>
  ana.post(`/messengers/chats/${kind}/link`, { values: { address: given } });

/** A linked notification with a text, at nine tomorrow; returns its id. */
async function linkedNotification(message = 'Bonjour *à tous*'): Promise<string> {
  const { id } = (await link()).body;
  expect(team.arrived).toMatchObject([{ text: 'Les messages de Tirelire arriveront ici.' }]);
  team.arrived = [];
  app.clock.set(`2026-01-${12 + keys}T07:00:00Z`);
  await ana.patch(`/messengers/${id}`, { message });
  return id;
}

/** Nine o'clock comes: the delivery of that day, once it has ended. */
async function nextDelivery(id: string): Promise<Delivery> {
  app.clock.advance({ hours: 1 });
  const [delivery] = await eventually(
    async () => (await ana.get(`/messengers/${id}/deliveries`)).body.deliveries as Delivery[],
    ([first]) => first !== undefined && first.outcome !== 'pending',
  );
  if (!delivery) throw new Error('no delivery');
  return delivery;
}

async function messengerNow(id: string) {
  const { messengers } = (await ana.get('/users/me')).body;
  return messengers.find((one: { id: string }) => one.id === id);
}

describe('a chat that only this test knows', () => {
  it('is offered with its form', async () => {
    const { body } = await ana.get('/messengers/chats');
    expect(body).toMatchObject([
      { kind: 'slack', linkings: [{ way: 'consent', connectPath: '/messengers/slack/connect' }] },
      { kind: 'example', channels: 'one', linkings: [{ fields: [{ name: 'address' }] }] },
      { kind: 'examplelisted', channels: 'listed' },
    ]);
  });

  it('is linked by an address that is one of its own', async () => {
    expect((await link('example', 'ailleurs')).body).toMatchObject({
      code: 'Invalid_Messenger',
      details: [{ path: '/values/address', message: 'Dans les réglages de l’équipe.' }],
    });
    expect((await link('example', `${standin.url}/none`)).body.code).toBe('Example_Link_Invalid');
    expect((await link('slack')).status).toBe(404);
    expect((await link('none')).status).toBe(404);
    const { status, body } = await link();
    expect(status).toBe(201);
    expect(body).toMatchObject({
      ...{ chat: 'example', channels: 'one', slackTeamName: 'Les Lilas', slackChannel: 'salon' },
      slackBotToken: expect.stringMatching(/^tirelire-example-[A-Za-z0-9_-]{43}$/),
    });
    expect((await link()).body.id).toBe(body.id);
    await ana.patch(`/messengers/${body.id}`, { message: 'Bonjour' });
    expect((await link()).body.id).not.toBe(body.id);
    const { slackBotToken } = body;
    expect((await ana.post('/messengers', { slackBotToken })).body.slackChannel).toBe('salon');
  });

  it('has the channel that its link brought, and no other', async () => {
    const { id } = (await link()).body;
    expect((await ana.patch(`/messengers/${id}`, { slackChannel: 'cave' })).status).toBe(422);
    expect((await ana.patch(`/messengers/${id}`, { slackChannel: 'salon' })).status).toBe(200);
  });

  it('lets people choose, where it lists its channels', async () => {
    const { id, slackChannel } = (await link('examplelisted')).body;
    expect(slackChannel).toBeNull();
    const { body } = await ana.get(`/messengers/examplelisted/channels?messengerId=${id}`);
    expect(body.map((one: { name: string }) => one.name)).toEqual(['cave', 'salon']);
    expect((await ana.get(`/messengers/slack/channels?messengerId=${id}`)).status).toBe(404);
    const chosen = await ana.patch(`/messengers/${id}`, { slackChannel: 'cave' });
    expect(chosen.body.slackChannelName).toBe('cave');
  });

  it('gets a test message in its own notation', async () => {
    const id = await linkedNotification();
    expect((await ana.post(`/messengers/slack/${id}`, {})).status).toBe(200);
    expect(team.arrived).toMatchObject([{ channel: 'salon', text: 'Bonjour **à tous**' }]);
  });

  it('gets the daily message, which follows a channel that moves', async () => {
    const id = await linkedNotification();
    team.next = { movedTo: 'grenier' };
    expect(await nextDelivery(id)).toMatchObject({ kind: 'daily', outcome: 'delivered' });
    expect(team.arrived).toMatchObject([{ channel: 'grenier' }]);
    expect((await messengerNow(id)).slackChannel).toBe('grenier');
  });

  it('is not sent again what it may have, because it says so', async () => {
    const id = await linkedNotification();
    team.next = 'lost';
    expect(await nextDelivery(id)).toMatchObject({
      ...{ outcome: 'uncertain', resends: 0 },
      reason: "Example n'a pas confirmé l'envoi. Le message est peut-être arrivé.",
    });
    expect(team.arrived).toHaveLength(1);
  });

  it('tells a message that was never written, or refused for now, from one that may stand', async () => {
    const chat = example.configure({})?.open(chatDepsFor(manualClock()));
    const message = { channelId: 'salon', text: 'Bonjour', clientMessageId: 'un' };
    const gone = await startExampleStandin();
    await gone.close();
    expect(await chat?.post(`${gone.url}/k`, message)).toEqual({
      ...{ end: 'transient', code: 'network_refused', limitScope: null, retryAfterSeconds: null },
    });
    team.next = 'rate_limited';
    expect(await chat?.post(address, message)).toEqual({
      ...{ end: 'transient', code: 'rate_limited', limitScope: 'team', retryAfterSeconds: 7 },
    });
    expect(team.arrived).toEqual([]);
    team.next = 'lost';
    expect(await chat?.post(address, message)).toEqual({ end: 'ambiguous', code: 'network_reset' });
    expect(team.arrived).toHaveLength(1);
  });

  it('pauses its notification when it refuses, and resumes it when it is linked again', async () => {
    const id = await linkedNotification();
    standin.teams.clear();
    expect(await nextDelivery(id)).toMatchObject({
      ...{ outcome: 'failed', reason: 'L’équipe n’existe plus.' },
    });
    expect(await messengerNow(id)).toMatchObject({
      ...{ connected: false, nextDate: null },
      pause: { reason: 'team_gone', action: 'reconnect' },
    });
    const resumed = await ana.post(`/messengers/${id}/resume`);
    expect([resumed.status, resumed.body.code]).toEqual([409, 'Example_Not_Connected']);
    standin.teams.set(`k${keys}`, team);
    const again = await link();
    expect([again.status, again.body.id]).toEqual([200, id]);
    expect(again.body).toMatchObject({ connected: true, pause: null });
    expect(again.body.nextDate).not.toBeNull();
  });

  it('is revoked when the account is deleted', async () => {
    await linkedNotification();
    const currentPassword = ana.details.password;
    const { body } = await ana.post('/users/me/deletion', { currentPassword });
    await eventually(
      async () => (await app.visitor.get(`/accounts/deletions/${body.receipt}`)).body,
      ({ doneDate }) => doneDate !== null,
    );
    expect(standin.teams.has(`k${keys}`)).toBe(false);
  });

  it('fails clearly where it was taken out of the program', async () => {
    const id = await linkedNotification();
    const listed = (await link('examplelisted')).body;
    const chats = app.services.chats as Map<string, unknown>;
    const taken = ['example', 'examplelisted'].map((kind) => [kind, chats.get(kind)] as const);
    for (const [kind] of taken) chats.delete(kind);
    expect(await nextDelivery(id)).toMatchObject({
      ...{ outcome: 'failed', reason: expect.stringContaining('plus proposée') },
    });
    expect(await messengerNow(id)).toMatchObject({ chat: 'example', channels: 'one', pause: null });
    const change = await ana.patch(`/messengers/${listed.id}`, { slackChannel: 'cave' });
    expect([change.status, change.body.code]).toEqual([409, 'Chat_Not_Configured']);
    for (const [kind, chat] of taken) chats.set(kind, chat);
    expect(team.arrived).toEqual([]);
  });
});
