import { createHmac } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { BridgeStandinOptions } from '../../../../standins/bridge/options.ts';
import { accountsOf, type Fixture, itemsOf, openPage, startFixture } from './fixture.ts';
import { completeForms } from './person-at-bank.ts';

const settings: Fixture[] = [];
afterEach(async () => {
  for (const fixture of settings.splice(0)) await fixture.close();
});

async function start(options: Partial<BridgeStandinOptions> = {}): Promise<Fixture> {
  const fixture = await startFixture(options);
  settings.push(fixture);
  return fixture;
}

const callbackUrl = 'https://tirelire.test/back';

test('balances move from one day to the next, and the morning refresh keeps them fresh', async () => {
  const { bank, bridge, clock, user } = await start();
  const ana = await user('ana');
  bank.control.link({ externalUserId: 'ana' });
  const read = async () =>
    (await accountsOf(bridge, ana)).map(({ balance }) => ({
      balanceMinor: balance.minor,
      age: clock.now().getTime() - (balance.asOf?.getTime() ?? 0),
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
  const statuses = async () => (await itemsOf(bridge, ana)).map(({ code }) => code);
  expect(await statuses()).toEqual([0, 0]);
  clock.advance({ days: 1 });
  expect(await statuses()).toEqual([0, 1010]);
  const account = (await accountsOf(bridge, ana)).find(
    ({ connectionId }) => connectionId === String(stale),
  );
  expect(clock.now().getTime() - (account?.balance.asOf?.getTime() ?? 0)).toBeGreaterThan(
    4 * 864e5,
  );
});

test('a new connection synchronises first; accounts a person keeps back stay back', async () => {
  const { bank, bridge, clock, user } = await start();
  const ana = await user('ana');
  const address = await openPage(bridge, ana, { callbackUrl, nonce: 'n-1' });
  const steps = [{ bank: '601' }, { action: 'login', login: 'otp' }, { action: 'code', code: '1' }];
  await completeForms(address, steps);
  const [kept] = bank.control.items('ana')[0]?.accounts ?? [];
  const back = new URL(
    await completeForms(address, [{ action: 'accounts', account: String(kept) }]),
  );
  expect(back.origin + back.pathname).toBe(callbackUrl);
  expect(Object.fromEntries(back.searchParams)).toEqual({
    user_uuid: ana.providerUserId,
    item_id: String(bank.control.items('ana')[0]?.id),
    success: 'true',
    source: 'connect',
    context: 'n-1',
  });
  expect(await itemsOf(bridge, ana)).toMatchObject([{ code: -2, state: 'refreshing' }]);
  expect(await accountsOf(bridge, ana)).toEqual([]);
  clock.advance({ seconds: 3 });
  expect(await itemsOf(bridge, ana)).toMatchObject([{ code: 0 }]);
  expect((await accountsOf(bridge, ana)).map(({ id }) => id)).toEqual([String(kept)]);
});

test('leaving before the end adds nothing and says where', async () => {
  const { bank, bridge, user } = await start();
  const ana = await user('ana');
  const address = await openPage(bridge, ana, { callbackUrl, nonce: 'n-1' });
  const steps = [{ bank: '601' }, { action: 'login', login: 'success' }, { action: 'cancel' }];
  const back = new URL(await completeForms(address, steps));
  expect(back.searchParams.get('success')).toBe('false');
  expect(back.searchParams.has('item_id')).toBe(false);
  expect(bank.control.items('ana')).toEqual([]);
});

test('a refused login leaves a connection that another login repairs', async () => {
  const { bank, bridge, clock, user } = await start();
  const ana = await user('ana');
  const visit = { callbackUrl, nonce: 'n-1' };
  const steps = [{ bank: '574' }, { action: 'login', login: '402' }, { action: 'finish' }];
  const back = new URL(await completeForms(await openPage(bridge, ana, visit), steps));
  expect(back.searchParams.get('step')).toBe('sync_error');
  clock.advance({ seconds: 3 });
  expect(await itemsOf(bridge, ana)).toMatchObject([{ code: 402 }]);
  const itemId = bank.control.items('ana')[0]?.id ?? 0;
  const repair = [
    { action: 'login', login: 'success' },
    { action: 'accounts', account: 'all' },
  ];
  await completeForms(
    await openPage(bridge, ana, { ...visit, connectionId: String(itemId) }),
    repair,
  );
  expect(await itemsOf(bridge, ana)).toMatchObject([{ id: String(itemId), code: -3 }]);
  clock.advance({ seconds: 3 });
  expect(await accountsOf(bridge, ana)).toHaveLength(4);
});

test('a form sent from another site is refused', async () => {
  const { bridge, user } = await start();
  const address = await openPage(bridge, await user('ana'), { callbackUrl, nonce: 'n' });
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
  const accounts = await accountsOf(first.bridge, ana);
  await settings.pop()?.close();
  const second = await start({ stateFile });
  expect(await itemsOf(second.bridge, ana)).toMatchObject([{ id: String(itemId), code: 0 }]);
  expect(await accountsOf(second.bridge, ana)).toEqual(accounts);
});

test('sixty requests a minute are a user’s limit', async () => {
  const { bridge, user } = await start({ limits: true });
  const ana = await user('ana');
  for (let call = 0; call < 60; call += 1) await itemsOf(bridge, ana);
  await expect(itemsOf(bridge, ana)).rejects.toMatchObject({ kind: 'limited' });
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

describe('what Bridge refuses is refused', () => {
  const back = { callback_url: callbackUrl, context: 'n-1' };
  const visit = { user_email: 'ana@exemple.fr', ...back };

  /** A call as a client writes it that knows nothing of the rules. */
  async function ask(path: string, body: string, type = 'application/json', token = '') {
    const { bank, user } = await start({ callbackPrefixes: ['https://tirelire.test/'] });
    const { providerUserId } = await user('ana');
    const itemId = bank.control.link({ externalUserId: 'ana' });
    const headers = {
      'bridge-version': '2025-01-15',
      'client-id': bank.clientId,
      'client-secret': bank.clientSecret,
      'content-type': type,
    };
    const send = (to: string, text: string, more = {}) =>
      fetch(`${bank.url}/v3/aggregation/${to}`, {
        method: text === '' ? 'GET' : 'POST',
        headers: { ...headers, ...more },
        body: text === '' ? null : text,
      });
    const given = JSON.stringify({ user_uuid: providerUserId });
    const own = { ...headers, 'content-type': 'application/json' };
    const { access_token } = await (await send('authorization/token', given, own)).json();
    const filled = body
      .replaceAll('"ITEM"', String(itemId))
      .replaceAll('UUID', providerUserId ?? '');
    const bearer = { authorization: `Bearer ${token || access_token}` };
    const answer = await send(path, filled, bearer);
    const { errors } = (await answer.json()) as { errors?: { code: string; property?: string }[] };
    return [answer.status, errors?.[0]?.property ?? errors?.[0]?.code];
  }

  test.for([
    ['users', '{}', 'text/plain', 415, 'unsupported_media_type'],
    ['users', '{', 'application/json', 422, 'invalid_json'],
    ['users', '[]', 'application/json', 422, 'invalid_json'],
    ['users', '{"external_user_id":12}', 'application/json', 400, 'external_user_id'],
    ['users', '{"external_user_id":"a@b"}', 'application/json', 400, 'external_user_id'],
    ['users', '{"external_user_id":"ana"}', 'application/json', 409, 'user.already_exists'],
    ['authorization/token', '{', 'application/json', 422, 'invalid_json'],
    ['authorization/token', '{}', 'application/json', 400, 'authorization.user_invalid'],
    [
      'authorization/token',
      '{"user_uuid":"UUID","external_user_id":"ana"}',
      'application/json',
      400,
      'authorization.user_invalid',
    ],
    ['authorization/token', '{"user_uuid":"x"}', 'application/json', 404, 'user.not_found'],
    ['items?after=unknown', '', 'application/json', 400, 'after'],
    ['items?limit=501', '', 'application/json', 400, 'limit'],
  ] as const)('%s %s as %s: %i %s', async ([path, body, type, status, told]) => {
    expect(await ask(path, body, type)).toEqual([status, told]);
  });

  test.for([
    [{ ...visit, redirect_url: 'https://tirelire.test/' }, 400, 'redirect_url'],
    [{ ...visit, account_types: 'savings' }, 400, 'account_types'],
    [{ ...visit, context: 'two words' }, 400, 'context'],
    [{ ...visit, callback_url: 'https://elsewhere.test/' }, 400, 'callback_url'],
    [{ ...visit, force_reauthentication: true }, 400, 'force_reauthentication'],
    [{ ...back, item_id: 'text' }, 400, 'item_id'],
    [{ ...back, item_id: 'ITEM', provider_id: 574 }, 400, 'provider_id'],
    [{ ...back, item_id: 1 }, 404, 'item.not_found'],
    [back, 404, 'not_found'],
    [{ ...back, user_email: 'ana' }, 404, 'not_found'],
  ] as const)('a session asked for with %j: %i %s', async ([body, status, told]) => {
    expect(await ask('connect-sessions', JSON.stringify(body))).toEqual([status, told]);
  });

  test('a token that nobody was given', async () => {
    const told = await ask('items', '', 'application/json', 'invented');
    expect(told).toEqual([401, 'invalid_authorization_header']);
  });
});

test('a fault may strike after the work is done', async () => {
  const { bank, bridge, user } = await start();
  const ana = await user('ana');
  const itemId = bank.control.link({ externalUserId: 'ana' });
  bank.control.addFault({ match: 'DELETE', kind: 'drop', posted: true, times: 1 });
  await expect(bridge.removeConnection(ana, String(itemId))).rejects.toMatchObject({
    kind: 'unavailable',
  });
  expect(bank.control.items('ana')).toEqual([]);
});

test('what the documentation leaves open comes in one form and then in another', async () => {
  const { bank, bridge, user } = await start({ varied: true });
  const ana = await user('ana');
  bank.control.link({ externalUserId: 'ana' });
  const headers = {
    'bridge-version': '2025-01-15',
    'client-id': bank.clientId,
    'client-secret': bank.clientSecret,
  };
  const read = async (path: string) => await (await fetch(bank.url + path, { headers })).json();
  const ends = [];
  for (let time = 0; time < 5; time += 1) ends.push((await read('/v3/providers')).pagination);
  const told = [{ next_uri: null }, { next_uri: 'null' }, { next_uri: null }, {}, undefined];
  expect(new Set(ends.map((end) => JSON.stringify(end)))).toEqual(
    new Set(told.map((end) => JSON.stringify(end))),
  );
  const refusals = [await read('/v3/nothing'), await read('/v3/nothing')];
  expect(refusals.map((body) => Object.keys(body)[0]).sort()).toEqual(['code', 'errors']);
  expect(await accountsOf(bridge, ana)).toHaveLength(4);
});
