import { createHmac } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { BridgeStandinOptions } from '../../../../standins/bridge/options.ts';
import { click } from './person-at-bank.ts';
import { type Setting, startSetting } from './setting.ts';

const settings: Setting[] = [];
afterEach(async () => {
  for (const setting of settings.splice(0)) await setting.close();
});

async function start(options: Partial<BridgeStandinOptions> = {}): Promise<Setting> {
  const setting = await startSetting(options);
  settings.push(setting);
  return setting;
}

const callbackUrl = 'https://tirelire.test/back';

test('balances move from one day to the next, and the morning refresh keeps them fresh', async () => {
  const { bank, bridge, clock, user } = await start();
  const ana = await user('ana');
  bank.control.link({ externalUserId: 'ana' });
  const read = async () =>
    (await bridge.listAccounts(ana)).map(({ balanceMinor, updatedAt }) => ({
      balanceMinor,
      age: clock.now().getTime() - (updatedAt?.getTime() ?? 0),
    }));
  let before = await read();
  expect(await read()).toEqual(before);
  for (let day = 0; day < 5; day += 1) {
    clock.advance({ days: 1 });
    const after = await read();
    after.forEach(({ balanceMinor, age }, index) => {
      expect(balanceMinor).not.toBe(before[index]?.balanceMinor);
      expect(age).toBeLessThan(24 * 60 * 60_000);
    });
    before = after;
  }
});

test('stale data stays stale, and a chained login turns on the next morning', async () => {
  const { bank, bridge, clock, user } = await start();
  const ana = await user('ana');
  const stale = bank.control.link({ externalUserId: 'ana', login: 'stale' });
  bank.control.link({ externalUserId: 'ana', login: 'success.1010' });
  const statuses = async () => (await bridge.listItems(ana)).map(({ status }) => status);
  expect(await statuses()).toEqual([0, 0]);
  clock.advance({ days: 1 });
  expect(await statuses()).toEqual([0, 1010]);
  const account = (await bridge.listAccounts(ana)).find(({ itemId }) => itemId === stale);
  expect(clock.now().getTime() - (account?.updatedAt?.getTime() ?? 0)).toBeGreaterThan(4 * 864e5);
});

test('a new connection synchronises first; accounts a person keeps back stay back', async () => {
  const { bank, bridge, clock, user } = await start();
  const ana = await user('ana');
  const address = await bridge.openConnectPage(ana, { callbackUrl, nonce: 'n-1' });
  const steps = [{ bank: '601' }, { action: 'login', login: 'otp' }, { action: 'code', code: '1' }];
  await click(address, steps);
  const [kept] = bank.control.items('ana')[0]?.accounts ?? [];
  const back = new URL(await click(address, [{ action: 'accounts', account: String(kept) }]));
  expect(back.origin + back.pathname).toBe(callbackUrl);
  expect(Object.fromEntries(back.searchParams)).toEqual({
    user_uuid: ana.providerUserId,
    item_id: String(bank.control.items('ana')[0]?.id),
    success: 'true',
    source: 'connect',
    context: 'n-1',
  });
  expect(await bridge.listItems(ana)).toMatchObject([{ status: -2 }]);
  expect(await bridge.listAccounts(ana)).toEqual([]);
  clock.advance({ seconds: 3 });
  expect(await bridge.listItems(ana)).toMatchObject([{ status: 0 }]);
  expect((await bridge.listAccounts(ana)).map(({ id }) => id)).toEqual([kept]);
});

test('leaving before the end adds nothing and says where', async () => {
  const { bank, bridge, user } = await start();
  const ana = await user('ana');
  const address = await bridge.openConnectPage(ana, { callbackUrl, nonce: 'n-1' });
  const steps = [{ bank: '601' }, { action: 'login', login: 'success' }, { action: 'cancel' }];
  const back = new URL(await click(address, steps));
  expect(back.searchParams.get('success')).toBe('false');
  expect(back.searchParams.has('item_id')).toBe(false);
  expect(bank.control.items('ana')).toEqual([]);
});

test('a refused login leaves a connection that another login repairs', async () => {
  const { bank, bridge, clock, user } = await start();
  const ana = await user('ana');
  const visit = { callbackUrl, nonce: 'n-1' };
  const steps = [{ bank: '574' }, { action: 'login', login: '402' }, { action: 'finish' }];
  const back = new URL(await click(await bridge.openConnectPage(ana, visit), steps));
  expect(back.searchParams.get('step')).toBe('sync_error');
  clock.advance({ seconds: 3 });
  expect(await bridge.listItems(ana)).toMatchObject([{ status: 402 }]);
  const itemId = bank.control.items('ana')[0]?.id ?? 0;
  const repair = [
    { action: 'login', login: 'success' },
    { action: 'accounts', account: 'all' },
  ];
  await click(await bridge.openConnectPage(ana, { ...visit, itemId }), repair);
  expect(await bridge.listItems(ana)).toMatchObject([{ id: itemId, status: -3 }]);
  clock.advance({ seconds: 3 });
  expect(await bridge.listAccounts(ana)).toHaveLength(4);
});

test('a form sent from another site is refused', async () => {
  const { bridge, user } = await start();
  const address = await bridge.openConnectPage(await user('ana'), { callbackUrl, nonce: 'n' });
  const post = (site: string) =>
    fetch(address, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'sec-fetch-site': site },
      body: new URLSearchParams({ action: 'cancel' }),
    });
  expect((await post('cross-site')).status).toBe(403);
  expect((await post('same-origin')).status).toBe(303);
});

test('a restarted bank remembers its people', async () => {
  const stateFile = join(mkdtempSync(join(tmpdir(), 'tirelire-bank-')), 'bank.json');
  const first = await start({ stateFile });
  const ana = await first.user('ana');
  const itemId = first.bank.control.link({ externalUserId: 'ana' });
  const accounts = await first.bridge.listAccounts(ana);
  await settings.pop()?.close();
  const second = await start({ stateFile });
  expect(await second.bridge.listItems(ana)).toMatchObject([{ id: itemId, status: 0 }]);
  expect(await second.bridge.listAccounts(ana)).toEqual(accounts);
});

test('sixty requests a minute are a user’s limit', async () => {
  const { bridge, user } = await start({ limits: true });
  const ana = await user('ana');
  for (let call = 0; call < 60; call += 1) await bridge.listItems(ana);
  await expect(bridge.listItems(ana)).rejects.toMatchObject({ kind: 'limited' });
});

test('events are signed with every secret, in their order', async () => {
  const received: { type: string; signature: string; body: string }[] = [];
  const listener = createServer(async (request, response) => {
    const body = (await request.toArray()).join('');
    const signature = String(request.headers['bridgeapi-signature']);
    received.push({ type: JSON.parse(body).type, signature, body });
    response.end();
  });
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  const { bank, user } = await start({ webhook: { url, secret: ['new', 'old'] } });
  await user('ana');
  bank.control.link({ externalUserId: 'ana' });
  await bank.control.settled();
  listener.closeAllConnections();
  listener.close();
  expect(received.map(({ type }) => type)).toEqual([
    'item.created',
    ...Array.from({ length: 4 }, () => 'item.account.created'),
    'item.refreshed',
  ]);
  for (const { signature, body } of received) {
    const sign = (key: string) =>
      `v1=${createHmac('sha256', key).update(body).digest('hex').toUpperCase()}`;
    expect(signature).toBe(`${sign('new')},${sign('old')}`);
  }
});

test('what Bridge v3 does not have is not there', async () => {
  const { bank } = await start();
  const headers = { 'client-id': bank.clientId, 'client-secret': bank.clientSecret };
  const status = async (path: string, more = {}) =>
    (await fetch(bank.url + path, { method: 'POST', headers: { ...headers, ...more } })).status;
  const version = { 'bridge-version': '2025-01-15' };
  expect(await status('/v3/aggregation/items/1/refresh', version)).toBe(404);
  expect(await status('/v3/aggregation/users')).toBe(400);
  expect(await status('/v3/aggregation/users', { ...version, 'client-secret': 'x' })).toBe(401);
});
