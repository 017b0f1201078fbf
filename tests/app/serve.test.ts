import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { banks } from '../../standins/bridge/banks.ts';
import { type BridgeStandin, startBridgeStandin } from '../../standins/bridge/server.ts';
import { type SlackStandin, startSlackStandin } from '../../standins/slack/server.ts';
import { unpackEmptyDatabase } from '../support/empty-database.ts';
import type { Person } from '../support/person.ts';
import { freePort } from '../support/ports.ts';
import { startPostgres } from '../support/postgres.ts';
import { newPerson, type Served, serve } from '../support/served.ts';
import type { BankLifecycle } from './bank-expected.ts';
import { bankLifecycle } from './bank-lifecycle.ts';
import { moreBanks } from './bank-rows.ts';
import { channels, tokensOf, workspace } from './chat-consent.ts';
import { chatLifecycle } from './chat-lifecycle.ts';

type Setup = { database: 'embedded' | 'PostgreSQL'; generation: 'granular' | 'classic' };

const setups: Setup[] = [
  { database: 'embedded', generation: 'granular' },
  { database: 'PostgreSQL', generation: 'classic' },
];

describe.each(setups)('served on $database with a $generation chat app', (setup) => {
  const { generation } = setup;
  let url: string;
  let data: Data;
  let bank: BridgeStandin;
  let chat: SlackStandin;
  let served: Served;
  let person: Person;
  const none = { refused: 0, everyday: 0, unlisted: 0, professional: 0, expired: 0 };
  const items: BankLifecycle['items'] = { ...none };
  const shown: BankLifecycle['shown'] = { ...none };
  const shownAccounts: BankLifecycle['shownAccounts'] = {};

  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    data = await dataOf(setup);
    bank = await startBank(url);
    chat = await startChat(url);
    served = await serve({
      PORT: String(port),
      PUBLIC_URL: url,
      ...data.variables,
      ...addressesOf(bank, chat, generation),
    });
    person = await newPerson(url, 'zoe@example.fr');
  });

  afterAll(async () => {
    await served?.stop();
    await bank?.close();
    await chat?.close();
    await data?.remove();
  });

  test('it says that it is up and ready', async () => {
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  });

  describe('banks', () =>
    bankLifecycle(() => ({ url, bank, person, items, shown, shownAccounts })));
  describe('chat', () => chatLifecycle(() => ({ url, chat, person, generation })));

  test('no secret of anyone is in its log', () => {
    const log = served.log();
    expect(tokensOf(chat).length).toBeGreaterThan(5);
    for (const token of tokensOf(chat)) expect(log).not.toContain(token);
    for (const secret of [bank.clientSecret, chat.clientSecret]) expect(log).not.toContain(secret);
  });

  test('told to end, it ends', async () => {
    expect(await served.stop()).toBe(0);
  });
});

/** As strict as Bridge, and varied where its documentation leaves a form open. */
async function startBank(url: string): Promise<BridgeStandin> {
  const bank = await startBridgeStandin({
    clock,
    clientId: 'served_id_7',
    clientSecret: 'served_secret_7',
    callbackPrefixes: [`${url}/`],
    banks: [...banks, ...moreBanks],
    limits: true,
    varied: true,
    syncMs: 0,
  });
  // A whole lifecycle read in pages of two would be more calls than a user has in a minute.
  bank.control.setListBehaviour({ maxPage: 2, shortPages: 18 });
  return bank;
}

async function startChat(url: string): Promise<SlackStandin> {
  const redirectPrefixes = [`${url}/api/`];
  const chat = await startSlackStandin({ clock, redirectPrefixes, varied: true });
  chat.control.addTeam({ ...workspace, channels });
  chat.control.setMaxPage(3);
  return chat;
}

const clock = { now: () => new Date() };

/** Nothing but addresses and credentials tells a real service from a stand-in. */
function addressesOf(bank: BridgeStandin, chat: SlackStandin, generation: Setup['generation']) {
  return {
    BRIDGE_API_URL: bank.url,
    BRIDGE_CLIENT_ID: bank.clientId,
    BRIDGE_CLIENT_SECRET: bank.clientSecret,
    SLACK_API_URL: chat.apiUrl,
    SLACK_CLIENT_ID: chat.clientId,
    SLACK_CLIENT_SECRET: chat.clientSecret,
    SLACK_AUTHORIZE_URL: chat.authorizeUrls[generation],
    ...(generation === 'classic' && { SLACK_SCOPE: 'bot' }),
  };
}

interface Data {
  variables: Record<string, string>;
  remove(): Promise<void>;
}

async function dataOf({ database }: Setup): Promise<Data> {
  const folder = await mkdtemp(join(tmpdir(), 'tirelire data '));
  const server = database === 'PostgreSQL' ? await startPostgres() : null;
  if (!server) await unpackEmptyDatabase(join(folder, 'database/cluster'));
  return {
    variables: {
      DATA_DIR: folder,
      ...(server && {
        DATABASE_URL: await server.createDatabase(),
        APP_SECRET: 'a secret of every machine of this test',
      }),
    },
    async remove() {
      await server?.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
