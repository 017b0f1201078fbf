import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../../src/server/app/server.ts';
import { readConfiguration } from '../../src/server/providers/configuration.ts';
import { manualClock } from '../support/clock.ts';
import { bridgeCredentials, startBridgePeer } from './bridge-peer.ts';
import type { Listening } from './listening.ts';
import { follow, newPerson, type Person } from './person.ts';
import { freePort } from './serving.ts';
import { type SlackPeer, slackCredentials, startSlackPeer } from './slack-peer.ts';

/** A Friday; Paris is an hour ahead until the end of March. */
const clock = manualClock('2026-11-20T06:59:00Z');

const soon = { timeout: 25_000 };

let folder: string;
let bridge: Listening;
let slack: SlackPeer;
let server: RunningServer;
let person: Person;
let card: string;

beforeAll(async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  folder = await mkdtemp(join(tmpdir(), 'tirelire daily '));
  bridge = await startBridgePeer({ callbackHost: `127.0.0.1:${port}`, now: clock.now });
  slack = await startSlackPeer({ redirectUrl: `${url}/api/`, now: clock.now });
  const environment = {
    PORT: String(port),
    PUBLIC_URL: url,
    DATA_DIR: folder,
    LOG_LEVEL: 'silent',
    BRIDGE_API_URL: bridge.url,
    BRIDGE_CLIENT_ID: bridgeCredentials.clientId,
    BRIDGE_CLIENT_SECRET: bridgeCredentials.clientSecret,
    SLACK_API_URL: `${slack.url}/api/`,
    SLACK_AUTHORIZE_URL: `${slack.url}/oauth/v2/authorize`,
    SLACK_CLIENT_ID: slackCredentials.clientId,
    SLACK_CLIENT_SECRET: slackCredentials.clientSecret,
  };
  server = await startServer(readConfiguration(environment, 'serve', folder), { clock });
  person = await newPerson(url, 'matin@example.fr');
  card = await connect();
});

afterAll(async () => {
  await server?.stop();
  await bridge?.close();
  await slack?.close();
  await rm(folder, { recursive: true, force: true });
});

async function connect(): Promise<string> {
  const { body } = await person.get('/messengers/slack/connect');
  const { next } = await follow(String(body.redirect_url));
  const home = await follow(next ?? '');
  const slackBotToken = new URL(home.next ?? '').searchParams.get('token');
  return String((await person.post('/messengers', { slackBotToken })).body.id);
}

test('the message of the morning is posted when its minute comes, and not before', async () => {
  const hour = { hours: 8, minutes: 15, timeZone: '+0100', zone: 'Europe/Paris' };
  const change = { slackChannel: 'C0PRIVATE1', message: 'Bonjour', hour };
  const { body } = await person.patch(`/messengers/${card}`, change);
  expect(body.nextDate).toBe('2026-11-20T07:15:00.000Z');

  clock.set('2026-11-20T07:14:59.999Z');
  expect((await person.post(`/messengers/slack/${card}`, { message: 'Avant' })).status).toBe(200);
  expect(slack.posted.map(({ text }) => text)).toEqual(['Avant']);

  clock.set('2026-11-20T07:15:00Z');
  await expect.poll(() => slack.posted.length, soon).toBe(2);
  expect(slack.posted[1]).toMatchObject({ channel: 'C0PRIVATE1', text: 'Bonjour' });
  await expect.poll(lastDelivery, soon).toMatchObject({
    kind: 'daily',
    outcome: 'delivered',
    dueDate: '2026-11-20T07:15:00.000Z',
    channelName: 'banque',
    lateSeconds: null,
    resends: 0,
  });
  expect((await messenger()).nextDate).toBe('2026-11-21T07:15:00.000Z');
});

test('a limit is waited for as long as the chat says, and the message comes once', async () => {
  const limited = { status: 429, headers: { 'retry-after': '1' }, body: '' };
  slack.mishap('chat.postMessage', { with: limited });
  clock.set('2026-11-21T07:15:00Z');
  await expect.poll(() => slack.posted.length, soon).toBe(3);
  await expect.poll(lastDelivery, soon).toMatchObject({ outcome: 'delivered', resends: 0 });
});

test('a message whose answer was lost is sent again once, under the same id, and says so', async () => {
  slack.mishap('chat.postMessage', 'cut after the work');
  clock.set('2026-11-22T07:15:00Z');
  await expect.poll(() => slack.posted.length, soon).toBe(5);
  const [first, second] = slack.posted.slice(-2).map(({ fields }) => fields.client_msg_id);
  expect(second).toBe(first);
  await expect.poll(lastDelivery, soon).toMatchObject({ outcome: 'delivered', resends: 1 });
});

test('a bot that was removed pauses the notification, and no later day tries again', async () => {
  slack.uninstall();
  clock.set('2026-11-23T07:15:00Z');
  await expect.poll(lastDelivery, soon).toMatchObject({
    outcome: 'failed',
    dueDate: '2026-11-23T07:15:00.000Z',
  });
  expect(await messenger()).toMatchObject({
    connected: false,
    nextDate: null,
    pause: { action: 'reconnect', reason: 'account_inactive' },
  });
  const posts = slack.asked.filter(({ path }) => path === '/api/chat.postMessage').length;
  expect(posts).toBe(7);
});

async function messenger(): Promise<Record<string, unknown>> {
  const { body } = await person.get('/users/me');
  return (body.messengers as Record<string, unknown>[])[0] ?? {};
}

async function lastDelivery(): Promise<unknown> {
  return (await messenger()).lastDelivery;
}
