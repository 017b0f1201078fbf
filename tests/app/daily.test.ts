import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../../src/server/app/server.ts';
import { readConfiguration } from '../../src/server/providers/configuration.ts';
import { type BridgeStandin, startBridgeStandin } from '../../standins/bridge/server.ts';
import { type SlackStandin, startSlackStandin } from '../../standins/slack/server.ts';
import { manualClock } from '../support/clock.ts';
import type { Person } from '../support/person.ts';
import { freePort } from '../support/ports.ts';
import { follow, newPerson } from '../support/served.ts';
import { calls, channels, consent, workspace } from './chat-consent.ts';

/** A Friday; Paris is an hour ahead until the end of March. */
const clock = manualClock('2026-11-20T06:59:00Z');

const method = 'chat.postMessage';

const soon = { timeout: 25_000 };

let folder: string;
let url: string;
let bank: BridgeStandin;
let chat: SlackStandin;
let server: RunningServer;
let person: Person;
let card: string;

beforeAll(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  folder = await mkdtemp(join(tmpdir(), 'tirelire daily '));
  bank = await startBridgeStandin({ clock, callbackPrefixes: [`${url}/`] });
  chat = await startSlackStandin({ clock, redirectPrefixes: [`${url}/api/`], varied: true });
  chat.control.addTeam({ ...workspace, channels });
  const environment = {
    PORT: String(port),
    PUBLIC_URL: url,
    DATA_DIR: folder,
    LOG_LEVEL: 'silent',
    BRIDGE_API_URL: bank.url,
    BRIDGE_CLIENT_ID: bank.clientId,
    BRIDGE_CLIENT_SECRET: bank.clientSecret,
    SLACK_API_URL: chat.apiUrl,
    SLACK_AUTHORIZE_URL: chat.authorizeUrls.granular,
    SLACK_CLIENT_ID: chat.clientId,
    SLACK_CLIENT_SECRET: chat.clientSecret,
  };
  server = await startServer(readConfiguration(environment, 'serve', folder), { clock });
  person = await newPerson(url, 'matin@example.fr');
  card = await connect();
});

afterAll(async () => {
  await server?.stop();
  await bank?.close();
  await chat?.close();
  await rm(folder, { recursive: true, force: true });
});

async function connect(): Promise<string> {
  const { back } = await consent({ url, chat, person, generation: 'granular' });
  const home = await follow(back);
  const slackBotToken = new URL(home.next ?? '').searchParams.get('token');
  return (await person.post('/messengers', { slackBotToken })).body.id;
}

test('the message of the morning is posted when its minute comes, and not before', async () => {
  const hour = { hours: 8, minutes: 15, timeZone: '+0100', zone: 'Europe/Paris' };
  const change = { slackChannel: 'C0PRIVATE1', message: 'Bonjour', hour };
  const { body } = await person.patch(`/messengers/${card}`, change);
  expect(body.nextDate).toBe('2026-11-20T07:15:00.000Z');

  clock.set('2026-11-20T07:14:59.999Z');
  expect((await person.post(`/messengers/slack/${card}`, { message: 'Avant' })).status).toBe(200);
  expect(texts()).toEqual(['Avant']);

  clock.set('2026-11-20T07:15:00Z');
  await expect.poll(() => chat.control.log().length, soon).toBe(2);
  expect(texts()).toEqual(['Avant', 'Bonjour']);
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
  const headers = { 'retry-after': '1' };
  chat.control.addFault({ method, kind: 'status', status: 429, headers, body: '' });
  clock.set('2026-11-21T07:15:00Z');
  await expect.poll(() => chat.control.log().length, soon).toBe(3);
  await expect.poll(lastDelivery, soon).toMatchObject({ outcome: 'delivered', resends: 0 });
});

test('a message whose answer was lost is sent again once, under the same id, and says so', async () => {
  chat.control.addFault({ method, kind: 'drop', posted: true });
  clock.set('2026-11-22T07:15:00Z');
  await expect.poll(() => chat.control.log().length, soon).toBe(5);
  const ids = chat.control.log().map(([, , , id]) => id);
  const [first, second] = ids.slice(-2);
  expect(first).toMatch(/^[0-9a-f-]{36}$/);
  expect(second).toBe(first);
  await expect.poll(lastDelivery, soon).toMatchObject({ outcome: 'delivered', resends: 1 });
});

test('a bot that was removed pauses the notification, and no later day tries again', async () => {
  await chat.control.uninstall(workspace.id);
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
  expect(calls(chat, method)).toBe(7);
});

/** Those that stand in the chosen channel. */
function texts(): string[] {
  return chat.control.messages(workspace.id, 'C0PRIVATE1').map(({ text }) => text);
}

async function messenger(): Promise<Record<string, unknown>> {
  const { body } = await person.get('/users/me');
  return (body.messengers as Record<string, unknown>[])[0] ?? {};
}

async function lastDelivery(): Promise<unknown> {
  return (await messenger()).lastDelivery;
}
