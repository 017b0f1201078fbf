import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createHttpClient } from '../../../../src/server/platform/http-client/http-client.ts';
import type { BankSource } from '../../../../src/server/providers/banks/port.ts';
import { configuredQonto } from '../../../../src/server/providers/banks/qonto/definition.ts';
import { type QontoStandin, startQontoStandin } from '../../../../standins/qonto/server.ts';
import { type ManualClock, manualClock } from '../../../support/clock.ts';
import { as, refusal } from '../source-fixture.ts';

const log = pino({ level: 'silent' });
const httpClient = createHttpClient({ log });
const [slug, other] = ['atelier-exemple-1234', 'studio-exemple-5678'];
let clock: ManualClock;
let qonto: QontoStandin;
beforeAll(async () => {
  clock = manualClock();
  qonto = await startQontoStandin({ clock });
});
afterAll(async () => {
  await httpClient.close();
  await qonto.close();
});
let source: BankSource;
beforeEach(() => {
  qonto.control.clearFaults();
  qonto.control.clearRequests();
  source = open();
});

/** A new one remembers no refused key. */
function open(): BankSource {
  const free = async () => 0;
  const deps = { httpClient, clock, log, callLimiter: free, keyedLimiter: free };
  return configuredQonto(qonto.url).open(deps);
}

const keyOf = (login: string) => ({
  login,
  key: qonto.control.organizations().find((one) => one.slug === login)?.secretKey ?? '',
});

function link(values: { login: string; key: string }, known: string | null = null) {
  if (source.connect.kind !== 'form') throw new Error('no form');
  return source.connect.check(values).then((change) => change(known));
}

test('one call, with the two values as they are, checks the key', async () => {
  await link({ login: ` ${slug} `, key: `${keyOf(slug).key}\n` });
  expect(qonto.control.requests()).toMatchObject([
    {
      ...{ method: 'GET', path: '/v2/organization' },
      headers: { authorization: `${slug}:${keyOf(slug).key}` },
    },
  ]);
});

test('open accounts of its own are read in cents, as of the call', async () => {
  const { connections, accounts } = await source.read(as(await link(keyOf(slug))), null, []);
  const [first] = qonto.control.organizations();
  expect(connections).toEqual([
    {
      ...{ id: first?.id, state: 'ok', code: null, description: null },
      bank: { id: 'qonto', name: 'Qonto' },
      ...{ lastSuccessfulRefresh: clock.now(), authenticationExpiresAt: null },
    },
  ]);
  expect(accounts.map(({ name, type, balance }) => [name, type, balance])).toEqual([
    [
      'Compte principal',
      'checking',
      { minor: 152_050, currency: 'EUR', kind: 'booked', asOf: clock.now() },
    ],
    [
      'Compte TVA',
      'checking',
      { minor: 32_000, currency: 'EUR', kind: 'booked', asOf: clock.now() },
    ],
  ]);
  expect(accounts.every(({ number }) => number?.startsWith('FR'))).toBe(true);
});

test('an account that was closed is no longer read', async () => {
  const made = qonto.control.addOrganization('closing-1', 'Fermeture');
  const secret = await link(keyOf('closing-1'));
  qonto.control.setAccount(made.accounts[1]?.id ?? '', { status: 'closed' });
  const { accounts, unshared } = await source.read(as(secret), null, []);
  expect(accounts.map(({ name }) => name)).toEqual(['Compte principal']);
  expect(unshared).toContain(made.accounts[1]?.id);
});

test.for([
  [{ name: '' }, { name: 'closing-2-bank-account-1' }],
  [{ name: null, slug: null }, { name: /^Compte \d{4}$/ }],
  [{ currency: 'usd' }, { balance: { currency: 'USD' } }],
  [{ balance_cents: undefined }, { balance: { minor: null, kind: 'unknown' } }],
  [{ balance_cents: null }, { balance: { minor: null } }],
  [{ balance_cents: -0 }, { balance: { minor: 0 } }],
  [{ balance_cents: -1 }, { balance: { minor: -1 } }],
  [{ balance_cents: '152050' }, { balance: { minor: 152_050 } }],
  [{ iban: 'FR76****0987' }, { number: null }],
] as const)('an account told with %j is read', async ([override, expected]) => {
  const known = qonto.control.organizations().find((one) => one.slug === 'closing-2');
  const made = known ?? qonto.control.addOrganization('closing-2', 'Champs');
  qonto.control.setAccount(made.accounts[0]?.id ?? '', { override });
  const { accounts } = await source.read(as(await link(keyOf('closing-2'))), null, []);
  const { name, ...rest } = expected as { name?: string | RegExp };
  expect(accounts[0]).toMatchObject(rest);
  if (name) expect(accounts[0]?.name).toMatch(name);
});

test.for(['1 520,50', 'n/a', {}, 0.5, 1e20])('cents told as %j fail the reading', async (told) => {
  const secret = await link(keyOf(slug));
  const rows = [{ id: 'a', currency: 'EUR', balance_cents: told }];
  const body = { organization: { id: JSON.parse(secret)[0]?.id, bank_accounts: rows } };
  qonto.control.addFault({ kind: 'status', status: 200, body });
  const { kind, said } = await refusal(source.read(as(secret), null, []));
  expect([kind, said]).toEqual(['unavailable', expect.stringContaining('a balance')]);
});

test('a key whose role sees no money gives no balance, never 0', async () => {
  qonto.control.addOrganization('blind-1', 'Sans droit');
  qonto.control.setOrganization('blind-1', { hidesMoney: true });
  const { accounts } = await source.read(as(await link(keyOf('blind-1'))), null, []);
  expect(accounts.map(({ balance }) => balance.minor)).toEqual([null, null]);
});

test.for([
  [{ kind: 'status', status: 401 }, 'credentials'],
  [{ kind: 'status', status: 403, body: { message: 'Forbidden' } }, 'credentials'],
  // A firewall or a proxy in between says nothing of the key.
  ...[401, 403, 404].map(
    (status) => [{ kind: 'status', status, body: '<html>' }, 'unavailable'] as const,
  ),
  [{ kind: 'status', status: 429, body: '<html>' }, 'limited'],
  [{ kind: 'status', status: 404 }, 'refused'],
  [{ kind: 'status', status: 422 }, 'refused'],
  [{ kind: 'ratelimited', retryAfter: 30 }, 'limited'],
  [{ kind: 'ratelimited', retryAfter: null }, 'limited'],
  [{ kind: 'status', status: 500 }, 'unavailable'],
  [
    { kind: 'status', status: 302, headers: { location: 'https://elsewhere.invalid/' } },
    'unavailable',
  ],
  [{ kind: 'html' }, 'unavailable'],
  [{ kind: 'truncated' }, 'unavailable'],
  [{ kind: 'drop' }, 'unavailable'],
  [{ kind: 'status', status: 200, body: {} }, 'unavailable'],
  [{ kind: 'status', status: 200, body: { organization: { id: 'x' } } }, 'unavailable'],
  [
    { kind: 'status', status: 200, body: { organization: { id: 'x', bank_accounts: [{}] } } },
    'unavailable',
  ],
  [
    { kind: 'status', status: 200, body: { organization: { id: 'x', bank_accounts: [null] } } },
    'unavailable',
  ],
] as const)('an answer that fails as %j is told as %s, without the key', async ([fault, kind]) => {
  const secret = await link(keyOf(slug));
  qonto.control.addFault({ ...fault });
  const told = await refusal(source.read(as(secret), null, []));
  expect(told.kind).toBe(kind);
  expect(told.said).not.toContain(keyOf(slug).key);
  if (fault.kind === 'ratelimited') {
    expect(told.retryAfterSeconds).toBe(fault.retryAfter ?? undefined);
  }
});

test('a wrong key is refused in French', async () => {
  const told = await refusal(link({ login: slug, key: 'wrong-key-0' }));
  expect(told).toMatchObject({
    kind: 'credentials',
    sentence: expect.stringContaining('Qonto refuse'),
  });
});

test.for([
  ['30', 30],
  ['Mon, 12 Jan 2026 07:00:45 GMT', 45],
  [null, 60],
  // A clock that is wrong by years.
  ['Wed, 12 Jan 2033 07:00:00 GMT', 3600],
] as const)(
  'after a 429 that says %j, nothing is asked for %d seconds',
  async ([after, seconds]) => {
    clock.set('2026-01-12T07:00:00Z');
    const secret = await link(keyOf(slug));
    const headers: Record<string, string> = after === null ? {} : { 'retry-after': after };
    qonto.control.addFault({ kind: 'status', status: 429, times: 1, headers });
    qonto.control.clearRequests();
    await refusal(source.read(as(secret), null, []));
    clock.advance({ seconds: seconds - 10 });
    expect(await refusal(source.read(as(secret), null, []))).toMatchObject({
      ...{ kind: 'limited', retryAfterSeconds: 10 },
    });
    expect(qonto.control.requests()).toHaveLength(1);
    clock.advance({ seconds: 10 });
    expect((await source.read(as(secret), null, [])).accounts).toHaveLength(2);
  },
);

test.for([
  ['1.5', 2],
  ['0', 0],
  ['-5', undefined],
  ['soon', undefined],
  ['Mon, 12 Jan 2026 06:59:00 GMT', 0],
] as const)('a Retry-After of %j asks for %s seconds', async ([after, seconds]) => {
  clock.set('2026-01-12T07:00:00Z');
  const secret = await link(keyOf(slug));
  const headers = { 'retry-after': after };
  qonto.control.addFault({ kind: 'status', status: 429, times: 1, headers });
  expect((await refusal(source.read(as(secret), null, []))).retryAfterSeconds).toBe(seconds);
});

test('a refused key is not sent again within the hour', async () => {
  const secret = await link(keyOf(slug));
  qonto.control.addFault({ kind: 'status', status: 401, times: 1 });
  qonto.control.clearRequests();
  for (let tries = 0; tries < 5; tries += 1) {
    expect((await refusal(source.read(as(secret), null, []))).kind).toBe('credentials');
  }
  expect(qonto.control.requests()).toHaveLength(1);
  clock.advance({ hours: 1 });
  expect((await source.read(as(secret), null, [])).accounts).toHaveLength(2);
});

test('a refused key that is given again elsewhere, and taken, is sent again', async () => {
  const given = await link(keyOf(slug));
  const ofEarlierVersion = JSON.stringify(
    JSON.parse(given).map(({ givenAt: _givenAt, ...access }: { givenAt: string }) => access),
  );
  for (const secret of [given, ofEarlierVersion]) {
    const where = open();
    qonto.control.addFault({ kind: 'status', status: 401, times: 1 });
    expect((await refusal(where.read(as(secret), null, []))).kind).toBe('credentials');
    clock.advance({ minutes: 1 });
    const again = await link(keyOf(slug), secret);
    expect((await where.read(as(again), null, [])).accounts).toHaveLength(2);
  }
});

test('several organisations are told apart, and one that fails leaves the others alone', async () => {
  const secret = await link(keyOf(other), await link(keyOf(slug)));
  const both = await source.read(as(secret), null, []);
  expect(both.connections.map(({ bank }) => bank.name)).toEqual([
    'Qonto (Atelier Exemple)',
    'Qonto (Studio Exemple)',
  ]);
  expect(both.accounts).toHaveLength(4);
  for (const [fault, state] of [
    [{ kind: 'status', status: 503 }, 'unreachable'],
    [{ kind: 'ratelimited' }, 'limited'],
    [{ kind: 'status', status: 401 }, 'credentials'],
  ] as const) {
    qonto.control.addFault({ ...fault, times: 1 });
    clock.advance({ hours: 1 });
    const { connections, accounts } = await source.read(as(secret), null, []);
    expect(connections.map((one) => one.state).sort()).toEqual(['ok', state].sort());
    expect(connections.find((one) => one.state === state)?.lastSuccessfulRefresh).toBeNull();
    expect(accounts).toHaveLength(2);
  }
});

test('a new key to the same organisation takes the place of the old one', async () => {
  const before = await link(keyOf(other), await link(keyOf(slug)));
  qonto.control.setOrganization(slug, { secretKey: 'cle-toute-neuve' });
  const after = await link(keyOf(slug), before);
  expect(after).not.toContain('cle-demo-atelier');
  expect((await source.read(as(after), null, [])).connections).toHaveLength(2);
  qonto.control.setOrganization(slug, { secretKey: 'cle-demo-atelier' });
});

test('removing one organisation keeps the key of the other', async () => {
  const secret = await link(keyOf(other), await link(keyOf(slug)));
  const [first, second] = (await source.read(as(secret), null, [])).connections;
  const removed = async (from: string | null, id = '') =>
    (await source.removeConnection(as(from ?? ''), id))?.(from, []) ?? null;
  const rest = await removed(secret, first?.id);
  const left = await source.read(as(rest ?? ''), null, []);
  expect(left.connections.map(({ id, bank }) => [id, bank.name])).toEqual([[second?.id, 'Qonto']]);
  expect(await removed(rest, second?.id)).toBeNull();
});
