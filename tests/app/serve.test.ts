import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unpackEmptyDatabase } from '../support/empty-database.ts';
import { startPostgres } from '../support/postgres.ts';
import { bankLife } from './bank-life.ts';
import { type BridgePeer, bridgeCredentials, startBridgePeer } from './bridge-peer.ts';
import { chatLife } from './chat-life.ts';
import { newPerson, type Person } from './person.ts';
import { freePort, type Served, serve } from './serving.ts';
import { type SlackPeer, slackCredentials, startSlackPeer } from './slack-peer.ts';

type World = { database: 'embedded' | 'PostgreSQL'; generation: 'granular' | 'classic' };

const worlds: World[] = [
  { database: 'embedded', generation: 'granular' },
  { database: 'PostgreSQL', generation: 'classic' },
];

describe.each(worlds)('served on $database with a $generation chat app', (world) => {
  const { generation } = world;
  let url: string;
  let data: Data;
  let bridge: BridgePeer;
  let slack: SlackPeer;
  let served: Served;
  let person: Person;

  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    data = await dataOf(world);
    bridge = await startBridgePeer({ callbackHost: `127.0.0.1:${port}` });
    slack = await startSlackPeer({ redirectUrl: `${url}/api/`, generation });
    served = await serve({
      PORT: String(port),
      PUBLIC_URL: url,
      ...data.variables,
      ...addressesOf(bridge, slack, generation),
    });
    person = await newPerson(url, 'zoe@example.fr');
  });

  afterAll(async () => {
    await served?.stop();
    await bridge?.close();
    await slack?.close();
    await data?.remove();
  });

  test('it says that it is up and ready', async () => {
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  });

  describe('banks', () => bankLife(() => ({ url, bridge, person })));
  describe('chat', () => chatLife(() => ({ url, slack, person, generation })));

  test('no secret of anyone is in its log', () => {
    const log = served.log();
    for (const { token } of slack.posted) expect(log).not.toContain(token);
    for (const secret of [bridgeCredentials.clientSecret, slackCredentials.clientSecret]) {
      expect(log).not.toContain(secret);
    }
  });

  test('told to end, it ends', async () => {
    expect(await served.stop()).toBe(0);
  });
});

/** Nothing but addresses and credentials tells a real service from a peer. */
function addressesOf(bridge: BridgePeer, slack: SlackPeer, generation: World['generation']) {
  return {
    BRIDGE_API_URL: bridge.url,
    BRIDGE_CLIENT_ID: bridgeCredentials.clientId,
    BRIDGE_CLIENT_SECRET: bridgeCredentials.clientSecret,
    SLACK_API_URL: `${slack.url}/api/`,
    SLACK_CLIENT_ID: slackCredentials.clientId,
    SLACK_CLIENT_SECRET: slackCredentials.clientSecret,
    ...(generation === 'classic'
      ? { SLACK_AUTHORIZE_URL: `${slack.url}/oauth/authorize`, SLACK_SCOPE: 'bot' }
      : { SLACK_AUTHORIZE_URL: `${slack.url}/oauth/v2/authorize` }),
  };
}

interface Data {
  variables: Record<string, string>;
  remove(): Promise<void>;
}

async function dataOf({ database }: World): Promise<Data> {
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
