import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createHttpClient } from '../../../../src/server/platform/http-client/http-client.ts';
import type { SourceLink } from '../../../../src/server/providers/banks/connect.ts';
import { BankSourceError } from '../../../../src/server/providers/banks/failures.ts';
import type { BankSource } from '../../../../src/server/providers/banks/port.ts';
import { configuredQonto } from '../../../../src/server/providers/banks/qonto/definition.ts';
import { readTransactionsOf } from '../../../../src/server/providers/banks/qonto/transactions.ts';
import { type QontoStandin, startQontoStandin } from '../../../../standins/qonto/server.ts';
import { type ManualClock, manualClock } from '../../../support/clock.ts';

const log = pino({ level: 'silent' });
const httpClient = createHttpClient({ log });
const [slug, other] = ['atelier-exemple-1234', 'studio-exemple-5678'];
let clock: ManualClock;
let qonto: QontoStandin;
beforeAll(async () => {
  clock = manualClock();
  qonto = await startQontoStandin({ clock });
  // A transaction a day on each account.
  clock.advance({ days: 250 });
});
afterAll(async () => {
  await httpClient.close();
  await qonto.close();
});
let source: BankSource;
let secret: string | null;
beforeEach(async () => {
  qonto.control.clearFaults();
  // A new one remembers no refused key.
  const free = async () => 0;
  source = configuredQonto(qonto.url).open({
    httpClient,
    clock,
    log,
    callLimiter: free,
    keyedLimiter: free,
  });
  secret = await linked(slug, null);
  qonto.control.clearRequests();
});

async function linked(login: string, known: string | null): Promise<string | null> {
  if (source.connect.kind !== 'form') throw new Error('no form');
  const change = await source.connect.check({ login, key: organization(login).secretKey });
  return change(known);
}

function organization(login: string) {
  const found = qonto.control.organizations().find((one) => one.slug === login);
  if (!found) throw new Error(`no organisation ${login}`);
  return found;
}

const accountOf = (login: string, index = 0) => organization(login).accounts[index]?.id ?? '';

const link = (): SourceLink => ({
  ...{ userId: 'ana', email: 'ana@exemple.fr', providerUserId: null, secret },
});

function readAll(accountIds: string[], since: string) {
  if (!source.readTransactions) throw new Error('Qonto tells transactions');
  return source.readTransactions(link(), accountIds, since);
}

async function read(accountIds: string[], since: string) {
  return (await readAll(accountIds, since)).transactions;
}

const dayBefore = (count: number) =>
  new Date(clock.now().getTime() - count * 86_400_000).toISOString().slice(0, 10);

async function balance(): Promise<number> {
  const { accounts } = await source.read(link(), null, []);
  return accounts.find(({ id }) => id === accountOf(slug))?.balance.minor ?? 0;
}

test('transactions since a day are those by which the balance has moved, with their sign', async () => {
  const told = await read([accountOf(slug)], dayBefore(2));
  expect(told.map(({ day }) => day)).toEqual([dayBefore(0), dayBefore(1), dayBefore(2)]);
  expect(new Set(told.map(({ accountId }) => accountId))).toEqual(new Set([accountOf(slug)]));
  expect(new Set(told.map(({ id }) => id)).size).toBe(3);
  for (const { minor, currency, label } of told) {
    expect([currency, label]).toEqual(['EUR', minor < 0 ? 'Fournitures de bureau' : 'Client']);
  }
  const before = await balance();
  clock.advance({ days: 1 });
  const [latest] = await read([accountOf(slug)], dayBefore(0));
  expect(latest?.minor).toBe((await balance()) - before);
});

test('all pages are read, each transaction once', async () => {
  const told = await read([accountOf(slug)], dayBefore(240));
  expect(new Set(told.map(({ id }) => id)).size).toBe(241);
  const pages = qonto.control.requests().filter(({ path }) => path === '/v2/transactions');
  expect(pages).toHaveLength(3);
});

test('each organisation is asked with its own key, for the chosen accounts alone', async () => {
  secret = await linked(other, secret);
  qonto.control.clearRequests();
  const chosen = [accountOf(slug, 1), accountOf(other)];
  const told = await read(chosen, dayBefore(0));
  expect(told.map(({ accountId }) => accountId).sort()).toEqual(chosen.sort());
  const asked = qonto.control.requests().filter(({ path }) => path === '/v2/transactions');
  expect(asked.map(({ headers }) => headers.authorization)).toEqual(
    [slug, other].map((login) => `${login}:${organization(login).secretKey}`),
  );
});

test('an account that the source does not have is said to be unread', async () => {
  expect(await readAll(['elsewhere'], dayBefore(5))).toEqual({
    ...{ transactions: [], unread: ['elsewhere'] },
  });
});

const row = {
  ...{ transaction_id: 't-1', amount_cents: 1234, currency: 'eur', side: 'debit' },
  ...{ settled_at: '2026-01-13T23:30:00.000Z', label: 'CB BOULANGERIE' },
};

/** What comes of an answer about the transactions of one account. */
async function readAs(body: unknown) {
  qonto.control.addFault({ kind: 'status', status: 200, body, times: 1 });
  const key = { login: slug, secretKey: organization(slug).secretKey };
  return await readTransactionsOf(
    { httpClient, clock, apiUrl: qonto.url },
    key,
    'a-1',
    '2026-01-12',
  );
}

test.for([
  [{}, { minor: -1234, currency: 'EUR', label: 'CB BOULANGERIE', day: '2026-01-14', id: 't-1' }],
  // In Paris it is the day after from 23:00 in winter, from 22:00 in summer.
  [{ settled_at: '2026-01-13T22:59:59.000Z' }, { day: '2026-01-13' }],
  [{ settled_at: '2026-10-06T22:30:00.000Z' }, { day: '2026-10-07' }],
  [{ settled_at: '2026-10-06T21:59:59.000Z' }, { day: '2026-10-06' }],
  [{ side: 'credit' }, { minor: 1234 }],
  [{ clean_counterparty_name: 'Boulangerie' }, { label: 'Boulangerie' }],
  [{ clean_counterparty_name: ' ' }, { label: 'CB BOULANGERIE' }],
  [{ clean_counterparty_name: null, label: null }, { label: '' }],
  [{ amount_cents: 0 }, { minor: 0 }],
  [{ currency: null }, { currency: 'EUR' }],
] as const)('a transaction told with %j is read', async ([change, expected]) => {
  const told = await readAs({ transactions: [{ ...row, ...change }], meta: { next_page: null } });
  expect(told).toMatchObject([{ accountId: 'a-1', ...expected }]);
});

test.for([
  {},
  { transactions: [null] },
  { transactions: [{ ...row, transaction_id: null }] },
  { transactions: [{ ...row, amount_cents: 12.5 }] },
  { transactions: [{ ...row, amount_cents: null }] },
  { transactions: [{ ...row, side: 'sideways' }] },
  { transactions: [{ ...row, settled_at: null }] },
  { transactions: [{ ...row, settled_at: 'yesterday' }] },
])(
  'an answer as %j fails the reading: a message tells all transactions or says so',
  async (body) => {
    await expect(readAs(body)).rejects.toThrow(BankSourceError);
  },
);

test('a day that is asked for begins at midnight in Paris', async () => {
  await readAs({ transactions: [], meta: { next_page: null } });
  const [asked] = qonto.control.requests().filter(({ path }) => path === '/v2/transactions');
  const query = new URLSearchParams(asked?.query);
  expect(query.get('settled_at_from')).toBe('2026-01-11T23:00:00.000Z');
});

test('a list without end fails the reading instead of passing for a whole one', async () => {
  const body = { transactions: [row], meta: { next_page: 2 } };
  qonto.control.addFault({ kind: 'status', status: 200, body });
  const key = { login: slug, secretKey: organization(slug).secretKey };
  const deps = { httpClient, clock, apiUrl: qonto.url };
  await expect(readTransactionsOf(deps, key, 'a-1', '2026-01-12')).rejects.toThrow(
    'cannot be read',
  );
});

test('a key that was refused is not sent again within the hour', async () => {
  qonto.control.addFault({ kind: 'status', status: 401, times: 1 });
  for (let tries = 0; tries < 3; tries += 1) {
    await expect(read([accountOf(slug)], dayBefore(1))).rejects.toMatchObject({
      kind: 'credentials',
    });
  }
  expect(qonto.control.requests()).toHaveLength(1);
});
