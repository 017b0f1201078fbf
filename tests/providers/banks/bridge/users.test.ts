import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { SourceLink } from '../../../../src/server/providers/banks/connect.ts';
import { accountsOf, type Fixture, itemsOf, refusal, startFixture, usersOf } from './fixture.ts';

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
});

const control = () => fixture.bank.control;
const pathsAsked = () =>
  control()
    .requests()
    .map(({ method, path }) => `${method} ${path}`);

test('a user who exists there already is found again', async () => {
  const [first, second] = [fixture.another(), fixture.another()];
  const uuid = await usersOf(first).register('bob');
  expect(await usersOf(second).register('bob')).toBe(uuid);
});

test.for([
  { kind: 'status', status: 404 },
  { kind: 'status', status: 404, body: '<html>' },
  { kind: 'status', status: 200, body: { users: [] } },
] as const)('a user who cannot be looked up, by %j, is named by a token', async (fault) => {
  const uuid = await usersOf(fixture.another()).register('carl');
  control().addFault({ match: 'GET /v3/aggregation/users', ...fault });
  expect(await usersOf(fixture.another()).register('carl')).toBe(uuid);
});

test('one token serves all calls until shortly before its end', async () => {
  const bridge = fixture.another();
  await Promise.all(Array.from({ length: 5 }, () => itemsOf(bridge, ana)));
  await accountsOf(bridge, ana);
  const tokens = () => pathsAsked().filter((path) => path.endsWith('/token')).length;
  expect(tokens()).toBe(1);
  fixture.clock.advance({ minutes: 118 });
  await itemsOf(bridge, ana);
  expect(tokens()).toBe(1);
  fixture.clock.advance({ minutes: 1, seconds: 1 });
  await itemsOf(bridge, ana);
  expect(tokens()).toBe(2);
});

test('a token that is no longer taken is renewed once, for all who wait', async () => {
  const bridge = fixture.another();
  await itemsOf(bridge, ana);
  control().expireTokens();
  control().clearRequests();
  await Promise.all([itemsOf(bridge, ana), itemsOf(bridge, ana), itemsOf(bridge, ana)]);
  expect(pathsAsked().filter((path) => path.endsWith('/token'))).toHaveLength(1);
});

test('a 401 that stays is a refusal, and never more than ten tokens are asked in a minute', async () => {
  const bridge = fixture.another();
  control().addFault({ match: 'GET /v3/aggregation/items', kind: 'status', status: 401 });
  const kinds = new Set<string>();
  for (let call = 0; call < 20; call += 1) {
    kinds.add((await refusal(itemsOf(bridge, ana))).kind);
  }
  expect(pathsAsked().filter((path) => path.endsWith('/token'))).toHaveLength(10);
  expect(kinds).toEqual(new Set(['refused', 'limited']));
  control().clearFaults();
  fixture.clock.advance({ minutes: 1 });
  expect(await itemsOf(bridge, ana)).toEqual([]);
});

test('a wrong secret is a refusal, not a signed-out user', async () => {
  const fault = { errors: [{ code: 'invalid_client_credentials', message: 'x' }] };
  control().addFault({ match: '/token', kind: 'status', status: 401, body: fault });
  expect((await refusal(itemsOf(fixture.another(), ana))).kind).toBe('refused');
});

test('a user who is gone there is said to be unknown', async () => {
  const user = await fixture.user('gil');
  control().forgetUser('gil');
  expect((await refusal(itemsOf(fixture.bridge, user))).kind).toBe('unknown-user');
  expect(await usersOf(fixture.bridge).isUserGone(user)).toBe(true);
});

test('a 404 that is not of its own making says nothing of a user or a connection', async () => {
  const user = await fixture.user('ines');
  const page = { kind: 'status', status: 404, body: '<html>', headers: {} } as const;
  // The token stays in memory: what is refused is the removal itself.
  await itemsOf(fixture.bridge, user);
  for (const match of ['/token', 'DELETE /v3/aggregation/users', 'DELETE /v3/aggregation/items']) {
    control().addFault({ match, ...page });
  }
  expect((await refusal(itemsOf(fixture.another(), user))).kind).toBe('unavailable');
  expect((await refusal(fixture.bridge.removeConnection(user, '1'))).kind).toBe('unavailable');
  expect((await refusal(usersOf(fixture.bridge).remove(user))).kind).toBe('unavailable');
});

test('a user is forgotten only where the whole list does not name them', async () => {
  const user = await fixture.user('ines');
  expect(await usersOf(fixture.bridge).isUserGone(user)).toBe(false);
  const missing = { errors: [{ code: 'not_found', message: 'x' }] };
  const part = { resources: [], pagination: { next_uri: '/v3/aggregation/users?after=1' } };
  const match = 'GET /v3/aggregation/users';
  control().addFault({ match, kind: 'status', status: 404, body: missing, times: 1 });
  expect((await refusal(usersOf(fixture.bridge).isUserGone(user))).kind).toBe('refused');
  control().clearFaults();
  control().addFault({ match, kind: 'status', status: 200, body: part, times: 1 });
  expect(await usersOf(fixture.bridge).isUserGone(user)).toBe(false);
});
