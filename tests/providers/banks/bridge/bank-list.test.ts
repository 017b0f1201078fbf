import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { accountsOf, type Fixture, itemsOf, refusal, startFixture } from './fixture.ts';

let fixture: Fixture;

beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.close());
afterEach(() => {
  control().clearFaults();
  control().clearRequests();
});

const control = () => fixture.bank.control;
const listsAsked = () =>
  control()
    .requests()
    .flatMap(({ method, path }) => (path.includes('providers') ? `${method} ${path}` : []));

test('the list of banks is read once a day, and balances do without it', async () => {
  const user = await fixture.user('hugo');
  control().link({ externalUserId: 'hugo', providerId: 601 });
  control().clearRequests();
  const bridge = fixture.another();
  control().addFault({ match: '/v3/providers', kind: 'status', status: 500 });
  expect((await itemsOf(bridge, user))[0]?.bank).toEqual({
    ...{ id: '601', name: null, unnamed: 'Banque nº 601' },
  });
  control().clearFaults();
  fixture.clock.advance({ minutes: 5 });
  expect((await itemsOf(bridge, user))[0]?.bank.name).toBe('Crédit Coopérant');
  control().clearRequests();
  await itemsOf(bridge, user);
  await accountsOf(bridge, user);
  expect(listsAsked()).toEqual([]);
  fixture.clock.advance({ hours: 25 });
  await itemsOf(bridge, user);
  expect(listsAsked()).toEqual(['GET /v3/providers']);
});

test('a bank keeps the name that was read last while no list of banks comes', async () => {
  const user = await fixture.user('jeanne');
  control().link({ externalUserId: 'jeanne', providerId: 601 });
  const bridge = fixture.another();
  await itemsOf(bridge, user);
  control().addFault({ match: '/v3/providers', kind: 'status', status: 500 });
  fixture.clock.advance({ hours: 25 });
  expect((await itemsOf(bridge, user))[0]?.bank.name).toBe('Crédit Coopérant');
  expect(await bridge.listBanks?.('FR', null)).toContainEqual({
    id: '601',
    name: 'Crédit Coopérant',
  });
});

test('the banks of a country are offered, and a list that does not come is told', async () => {
  const source = fixture.another();
  control().addFault({ kind: 'status', status: 503, match: 'GET /v3/providers', times: 1 });
  expect((await refusal(source.listBanks?.('FR', null) ?? Promise.resolve())).kind).toBe(
    'unavailable',
  );
  fixture.clock.advance({ minutes: 5 });
  expect(await source.listBanks?.('FR', null)).toContainEqual({
    id: '574',
    name: 'Banque du Littoral',
  });
  expect(await source.listBanks?.('BE', null)).toEqual([]);
});
