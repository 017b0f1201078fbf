import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../../src/server/app/server.ts';
import { bankRefreshJobs } from '../../src/server/banking/jobs.ts';
import { inTransaction } from '../../src/server/platform/database/transactions.ts';
import { readConfiguration } from '../../src/server/providers/configuration.ts';
import { type BridgeStandin, startBridgeStandin } from '../../standins/bridge/server.ts';
import { completeForms } from '../providers/banks/bridge/person-at-bank.ts';
import { manualClock } from '../support/clock.ts';
import type { Person } from '../support/person.ts';
import { freePort } from '../support/ports.ts';
import { follow, newPerson } from '../support/served.ts';

const clock = manualClock('2026-11-20T06:59:00Z');

let folder: string;
let bank: BridgeStandin;
let person: Person;
let server: RunningServer;
let start: () => Promise<RunningServer>;

beforeAll(async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  folder = await mkdtemp(join(tmpdir(), 'tirelire stop '));
  bank = await startBridgeStandin({ clock, callbackPrefixes: [`${url}/`] });
  const environment = {
    ...{ PORT: String(port), PUBLIC_URL: url, DATA_DIR: folder, LOG_LEVEL: 'silent' },
    ...{ BRIDGE_API_URL: bank.url, SLACK_CLIENT_ID: 'unused', SLACK_CLIENT_SECRET: 'unused' },
    ...{ BRIDGE_CLIENT_ID: bank.clientId, BRIDGE_CLIENT_SECRET: bank.clientSecret },
  };
  start = () => startServer(readConfiguration(environment, 'serve', folder), { clock });
  server = await start();
  person = await newPerson(url, 'arret@example.fr');
  const { body } = await person.get('/bridge/items/connect');
  const back = await completeForms(body.redirect_url, [
    { bank: '574' },
    { action: 'login', login: 'success' },
    { action: 'accounts', account: 'all' },
  ]);
  await follow(back);
});

afterAll(async () => {
  await server?.stop();
  await bank?.close();
  await rm(folder, { recursive: true, force: true });
});

test('a reading of a bank that is under way when the server stops still ends well', async () => {
  const match = 'GET /v3/aggregation/accounts';
  const asked = () =>
    bank.control.requests().filter(({ method, path }) => `${method} ${path}`.startsWith(match));
  const before = asked().length;
  bank.control.addFault({ match, kind: 'delay', ms: 1000, times: 1 });
  clock.set('2026-11-20T07:30:00Z');
  const { database, queue } = server.services;
  await inTransaction(database.sql, (transaction) =>
    queue.insert(transaction, bankRefreshJobs, [{ data: { userId: person.id, source: 'bridge' } }]),
  );
  queue.announce(bankRefreshJobs);
  await expect.poll(() => asked().length).toBe(before + 1);
  await server.stop();

  server = await start();
  const reading = await server.services.database.sql
    .selectFrom('bank_refreshes')
    .select(['refreshed_at', 'failure', 'leased_until'])
    .where('user_id', '=', person.id)
    .executeTakeFirstOrThrow();
  expect(reading).toEqual({ refreshed_at: clock.now(), failure: null, leased_until: null });
});
