import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { SourceLink } from '../../../../src/server/providers/banks/connect.ts';
import { accountsOf, type Fixture, itemsOf, openPage, refusal, startFixture } from './fixture.ts';

let fixture: Fixture;
let ana: SourceLink;

beforeAll(async () => {
  fixture = await startFixture();
  ana = await fixture.user('ana');
  control().clearRequests();
});
afterAll(() => fixture.close());
afterEach(() => {
  fixture.bank.control.clearFaults();
  fixture.bank.control.clearRequests();
  fixture.bank.control.setListBehaviour({ end: 'null', maxPage: 500 });
});

const control = () => fixture.bank.control;

test('every call carries the four headers', async () => {
  await itemsOf(fixture.another(), ana);
  const [first, ...rest] = control().requests();
  const application = {
    'bridge-version': '2025-01-15',
    'client-id': fixture.bank.clientId,
    'client-secret': fixture.bank.clientSecret,
    'accept-language': 'fr',
  };
  expect(first?.headers).toMatchObject(application);
  expect(first?.path).toBe('/v3/aggregation/authorization/token');
  for (const { path, headers } of rest) {
    expect(headers).toMatchObject(application);
    if (path.includes('/aggregation/')) expect(headers.authorization).toMatch(/^Bearer \S{40,}$/);
  }
});

test('the address works with and without its version and slash', async () => {
  for (const end of ['/', '/v3', '/v3/']) {
    expect(await itemsOf(fixture.another(fixture.bank.url + end), ana)).toEqual([]);
  }
});

test('balances, banks and states are read', async () => {
  const user = await fixture.user('dora');
  const id = control().link({ externalUserId: 'dora', providerId: 602 });
  expect(await itemsOf(fixture.bridge, user)).toMatchObject([
    {
      id: String(id),
      ...{ state: 'ok', code: 0 },
      bank: { id: '602', name: 'Caisse des Trois Vallées' },
    },
  ]);
  const accounts = await accountsOf(fixture.bridge, user);
  expect(accounts.map(({ type }) => type)).toEqual(['checking', 'checking', 'card', 'savings']);
  for (const account of accounts) {
    expect(account).toMatchObject({ connectionId: String(id), bank: { id: '602' } });
    expect(account.balance.currency).toBe('EUR');
    expect(Number.isInteger(account.balance.minor)).toBe(true);
    expect(account.balance.asOf).toBeInstanceOf(Date);
  }
});

test('awkward rows are told as they are', async () => {
  const user = await fixture.user('eva');
  const id = control().link({ externalUserId: 'eva' });
  control().addEdgeCaseAccounts(id);
  control().setItem(id, { status: 1234 });
  const accounts = new Map(
    (await accountsOf(fixture.bridge, user)).map((account) => [account.name, account]),
  );
  expect(accounts.has('Compte non partagé')).toBe(false);
  expect(accounts.get('Prêt immobilier')).toMatchObject({
    type: 'loan',
    balance: { minor: 15_200_050 },
  });
  expect(accounts.get('Compte étranger')).toMatchObject({
    bank: { id: '99999', name: null, unnamed: 'Banque nº 99999' },
    balance: { minor: 30 },
  });
  expect(accounts.get('Objet bancaire')).toMatchObject({
    type: 'tontine',
    balance: { minor: null },
  });
  expect(accounts.get('Compte sans date')?.balance.asOf).toBeNull();
  expect(accounts.get('Compte en yens')).toMatchObject({
    balance: { currency: 'JPY', minor: 1500 },
  });
  expect(accounts.get('Compte sans zone')?.balance.asOf).toEqual(new Date('2026-01-02T03:04:05Z'));
  expect(Object.is(accounts.get('Compte découvert')?.balance.minor, 0)).toBe(true);
  expect(await itemsOf(fixture.bridge, user)).toMatchObject([
    {
      code: 1234,
      state: 'unknown',
      description: 'Votre banque a changé ses conditions : ouvrez sa page.',
    },
  ]);
});

test('an account without its bank has that of its connection', async () => {
  const user = await fixture.user('fay');
  const id = control().link({ externalUserId: 'fay', providerId: 603 });
  const [account] = control().items('fay')[0]?.accounts ?? [];
  control().setAccount(account ?? 0, { provider_id: null });
  const [first] = await accountsOf(fixture.bridge, user);
  expect(first).toMatchObject({
    connectionId: String(id),
    bank: { id: '603', name: 'Comptoir Lyonnais' },
  });
});

test.for([
  ['no amount', { amount: null }],
  ['an amount without meaning', { amount: 'beaucoup' }],
  ['no day that can be read', { date: 'hier', booking_date: null }],
] as const)(
  'an account with a transaction of %s counts as unread, and is told as far as it is',
  async ([, change], { task }) => {
    const userId = `moves-${task.id}`;
    const user = await fixture.user(userId);
    control().link({ externalUserId: userId });
    const [first = 0, second = 0, other = 0] = control().items(userId)[0]?.accounts ?? [];
    const row = { amount: -5, date: '2026-01-12', booking_date: '2026-01-12' };
    control().setTransactions(first, [
      { ...row, id: 1 },
      { ...row, id: 2, ...change },
    ]);
    control().setTransactions(second, [{ ...row, id: 3 }]);
    control().setTransactions(other, [{ ...row, id: 4, amount: null }]);
    const wanted = [first, second].map(String);
    const told = await fixture.bridge.readTransactions?.(user, wanted, '2026-01-10');
    expect(told?.unread).toEqual([String(first)]);
    expect(told?.transactions.map(({ id }) => id).sort()).toEqual(['1', '3']);
  },
);

test('a transaction that names no account fails the reading', async () => {
  const user = await fixture.user('gil');
  control().link({ externalUserId: 'gil' });
  const [account = 0] = control().items('gil')[0]?.accounts ?? [];
  control().setTransactions(account, [{ id: 1, amount: -5, date: '2026-01-12', account_id: null }]);
  const reading = fixture.bridge.readTransactions?.(user, [String(account)], '2026-01-10');
  expect((await refusal(reading ?? Promise.resolve())).kind).toBe('unavailable');
});

test.for(['null', 'missing', 'string'] as const)(
  'all pages are read, whatever says their end (%s)',
  async (end) => {
    const userId = `pages-${end}`;
    const user = await fixture.user(userId);
    const ids = [601, 602, 603].map((providerId) =>
      control().link({ externalUserId: userId, providerId }),
    );
    control().setListBehaviour({ end, maxPage: 2 });
    expect((await itemsOf(fixture.bridge, user)).map(({ id }) => Number(id))).toEqual(ids);
    expect(await accountsOf(fixture.bridge, user)).toHaveLength(12);
  },
);

test.for([
  ['loop', 'unavailable'],
  ['foreign', 'refused'],
] as const)('a list that ends in a %s is no list', async ([end, kind]) => {
  control().setListBehaviour({ end });
  expect((await refusal(itemsOf(fixture.bridge, ana))).kind).toBe(kind);
});

test.for([
  [{ kind: 'status', status: 500 }, 'unavailable'],
  [
    { kind: 'status', status: 503, body: '<html>', headers: { 'retry-after': '30' } },
    'unavailable',
  ],
  [{ kind: 'status', status: 429 }, 'limited'],
  [{ kind: 'status', status: 403, body: { code: 'forbidden', message: 'x' } }, 'refused'],
  // A firewall or a proxy in between says nothing of the application.
  ...[403, 404, 407, 408, 451].map(
    (status) => [{ kind: 'status', status, body: '<html>' }, 'unavailable'] as const,
  ),
  [{ kind: 'status', status: 429, body: '<html>' }, 'limited'],
  [{ kind: 'status', status: 301, body: '' }, 'unavailable'],
  [
    { kind: 'status', status: 302, body: '', headers: { location: 'http://maintenance.invalid/' } },
    'unavailable',
  ],
  [{ kind: 'html' }, 'unavailable'],
  [{ kind: 'truncated' }, 'unavailable'],
  [{ kind: 'drop' }, 'unavailable'],
] as const)('an answer that fails as %j is told as %s', async ([fault, kind]) => {
  control().addFault({ match: 'GET /v3/aggregation/items', ...fault });
  const told = await refusal(itemsOf(fixture.another(), ana));
  expect(told.kind).toBe(kind);
  if (fault.kind === 'status' && fault.status === 503) expect(told.retryAfterSeconds).toBe(30);
});

test('a date in Retry-After counts from now', async () => {
  const at = new Date(fixture.clock.now().getTime() + 90_000).toUTCString();
  const headers = { 'retry-after': at };
  control().addFault({ match: '/items', kind: 'status', status: 429, headers });
  const bridge = fixture.another();
  const told = await refusal(itemsOf(bridge, ana));
  expect(told).toEqual({ kind: 'limited', retryAfterSeconds: 90 });
  control().clearFaults();
  control().clearRequests();
  fixture.clock.advance({ seconds: 80 });
  expect(await refusal(itemsOf(bridge, ana))).toEqual({ kind: 'limited', retryAfterSeconds: 10 });
  expect(control().requests()).toEqual([]);
  fixture.clock.advance({ seconds: 10 });
  expect(await itemsOf(bridge, ana)).toEqual([]);
});

test('a connection that breaks once while reading is not noticed', async () => {
  control().addFault({ match: 'GET /v3/aggregation/items', kind: 'drop', times: 1 });
  expect(await itemsOf(fixture.bridge, ana)).toEqual([]);
});

test('removing a bank twice is removing it', async () => {
  const user = await fixture.user('ines');
  const id = control().link({ externalUserId: 'ines' });
  await fixture.bridge.removeConnection(user, String(id));
  await fixture.bridge.removeConnection(user, String(id));
  expect(await accountsOf(fixture.bridge, user)).toEqual([]);
});

test('the page for a new bank is asked for with an address, a return and a nonce', async () => {
  const visit = { callbackUrl: 'https://tirelire.test/api/bridge/callback', nonce: 'n-1' };
  const address = await openPage(fixture.bridge, ana, visit);
  expect(address.startsWith(`${fixture.bank.url}/session/`)).toBe(true);
  expect(JSON.parse(control().requests().at(-1)?.text ?? '')).toEqual({
    user_email: 'ana@exemple.fr',
    callback_url: visit.callbackUrl,
    context: 'n-1',
  });
});

test('a connection is managed four times a day, and the fifth is told apart', async () => {
  const user = await fixture.user('jo');
  const connectionId = String(control().link({ externalUserId: 'jo' }));
  const open = () =>
    openPage(fixture.bridge, user, { connectionId, callbackUrl: 'https://t.test/', nonce: 'n' });
  for (let time = 0; time < 4; time += 1) await open();
  expect((await refusal(open())).kind).toBe('page-limit');
  fixture.clock.advance({ hours: 24 });
  await open();
});

test('a page of something on the way does not make a connection unknown', async () => {
  const user = await fixture.user('lea');
  const connectionId = String(control().link({ externalUserId: 'lea' }));
  const visit = { connectionId, callbackUrl: 'https://t.test/', nonce: 'n' };
  const match = '/connect-sessions';
  control().addFault({ match, kind: 'status', status: 404, body: '<html>', times: 1 });
  expect((await refusal(openPage(fixture.bridge, user, visit))).kind).toBe('unavailable');
});

test('a stranger’s connection is unknown', async () => {
  await fixture.user('kim');
  const connectionId = String(control().link({ externalUserId: 'kim' }));
  const visit = { connectionId, callbackUrl: 'https://t.test/', nonce: 'n' };
  expect((await refusal(openPage(fixture.bridge, ana, visit))).kind).toBe('unknown-connection');
});

test.for([{}, { url: 'javascript:alert(1)' }, { url: 'nowhere' }])(
  'a session answered as %j sends nobody anywhere',
  async (body) => {
    control().addFault({ match: 'connect-sessions', kind: 'status', status: 201, body });
    const visit = { callbackUrl: 'https://t.test/', nonce: 'n' };
    expect((await refusal(openPage(fixture.bridge, ana, visit))).kind).toBe('unavailable');
  },
);
