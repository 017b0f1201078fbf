import { tmpdir } from 'node:os';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../../src/server/app/server.ts';
import { readConfiguration } from '../../src/server/providers/configuration.ts';
import { type BridgeStandin, startBridgeStandin } from '../../standins/bridge/server.ts';
import { type SlackStandin, startSlackStandin } from '../../standins/slack/server.ts';
import { manualClock } from '../support/clock.ts';
import type { Person } from '../support/person.ts';
import { freePort } from '../support/ports.ts';
import { type OwnPostgresServer, startOwnPostgres } from '../support/postgres.ts';
import { newPerson } from '../support/served.ts';
import { channels, consent, handleFrom, workspace } from './chat-consent.ts';

const clock = manualClock('2026-11-20T06:59:00Z');
const soon = { timeout: 60_000 };

const goes = 'the database does not answer';
const comesBack = 'the database answers again';

/** Of a request that is answered without the database. */
const refused = 'refused without the database';

let lines: string[] = [];
/** The ids of the requests that the lines name. */
let logged: string[] = [];
/** What the lines about the database name. */
const subjects: object[] = [];
let postgres: OwnPostgresServer;
let bank: BridgeStandin;
let chat: SlackStandin;
let server: RunningServer;
let url: string;
let person: Person;

beforeAll(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  postgres = await startOwnPostgres();
  bank = await startBridgeStandin({ clock });
  chat = await startSlackStandin({ clock, redirectPrefixes: [`${url}/api/`] });
  chat.control.addTeam({ ...workspace, channels });
  const environment = {
    ...{ PORT: String(port), PUBLIC_URL: url, APP_SECRET: 'a secret of this test and no other' },
    ...{ DATABASE_URL: await postgres.createPreparedDatabase() },
    ...{ BRIDGE_API_URL: bank.url, SLACK_API_URL: chat.apiUrl },
    ...{ BRIDGE_CLIENT_ID: bank.clientId, BRIDGE_CLIENT_SECRET: bank.clientSecret },
    ...{ SLACK_CLIENT_ID: chat.clientId, SLACK_CLIENT_SECRET: chat.clientSecret },
    SLACK_AUTHORIZE_URL: chat.authorizeUrls.granular,
  };
  const logTo = {
    write(line: string) {
      const { msg, requestId, deliveryId } = JSON.parse(line);
      lines.push(msg);
      if (msg === goes || msg === comesBack) subjects.push({ requestId, deliveryId });
      if (msg === refused) logged.push(requestId);
    },
  };
  const configuration = readConfiguration(environment, 'serve', tmpdir());
  server = await startServer(configuration, { clock, logTo });
  person = await newPerson(url, 'lou@example.fr');
  const { back } = await consent({ url, chat, person, generation: 'granular' });
  const slackBotToken = await handleFrom(back, url);
  const { body } = await person.post('/messengers', { slackBotToken });
  const hour = { hours: 8, minutes: 0, zone: 'Europe/Paris' };
  const text = { slackChannel: 'C0PRIVATE1', message: 'Bonjour', hour };
  expect((await person.patch(`/messengers/${body.id}`, text)).status).toBe(200);
});
afterAll(async () => {
  await server?.stop();
  await Promise.all([bank?.close(), chat?.close(), postgres?.close()]);
});

async function statusOf(path: string): Promise<number> {
  return (await fetch(url + path)).status;
}

test('while PostgreSQL is away, people are told so, the log says it once and names each refusal, and nothing is lost', async () => {
  [lines, logged] = [[], []];
  await postgres.stop();
  await expect.poll(() => lines, soon).toContain(goes);
  const asked = Array.from({ length: 100 }, () =>
    fetch(`${url}/api/users/me`, { headers: { authorization: `Bearer ${'x'.repeat(43)}` } }),
  );
  for (const answer of await Promise.all(asked)) {
    const { code, message, requestId } = await answer.json();
    expect([answer.status, code]).toEqual([503, 'Database_Unavailable']);
    expect(logged).toContain(requestId);
    expect(answer.headers.get('retry-after')).toBe('5');
    expect(message).toMatch(/^Vos données ne sont pas accessibles/);
  }
  expect([await statusOf('/healthz'), await statusOf('/readyz')]).toEqual([200, 503]);
  const metrics = await (await fetch(`${url}/metrics`)).text();
  expect(metrics).toMatch(/tirelire_http_request_seconds_count\{.*status="503"\} 100\b/);
  expect(metrics).not.toMatch(/^tirelire_due_waiting /m);

  clock.set('2026-11-20T07:00:10Z');
  await postgres.start();
  await expect.poll(() => statusOf('/readyz'), soon).toBe(200);
  expect((await person.get('/users/me')).status).toBe(200);
  await expect.poll(() => chat.control.log().length, soon).toBe(1);
  await expect.poll(() => lines, soon).toContain(comesBack);
  const delivery = async () => {
    const { body } = await person.get('/users/me');
    return (body.messengers as { lastDelivery: unknown }[])[0]?.lastDelivery;
  };
  await expect.poll(delivery, soon).toMatchObject({ outcome: 'delivered', resends: 0 });
  expect(chat.control.log()).toHaveLength(1);
  const others = lines.filter((line) => line !== 'attempt' && line !== refused);
  expect(others).toEqual([goes, comesBack]);
  expect(subjects).toEqual([{}, {}]);
});

test('while PostgreSQL takes no writes, a process that sends is not ready', async () => {
  const { sql: database } = server.services.database;
  const setReadOnly = (value: 'on' | 'off') =>
    database.connection().execute(async (own) => {
      await sql`set default_transaction_read_only = off`.execute(own);
      await sql`alter system set default_transaction_read_only = ${sql.lit(value)}`.execute(own);
      await sql`select pg_reload_conf()`.execute(own);
      await sql`reset default_transaction_read_only`.execute(own);
    });
  await setReadOnly('on');
  await expect.poll(() => statusOf('/readyz'), soon).toBe(503);
  expect((await person.get('/users/me')).status).toBe(200);
  await setReadOnly('off');
  await expect.poll(() => statusOf('/readyz'), soon).toBe(200);
});
