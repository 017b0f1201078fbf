import { expect, test } from 'vitest';
import { readTransactionsOf } from '../../../../src/server/providers/banks/ponto/transactions.ts';
import { as, refusal } from '../source-fixture.ts';
import { asked, clock, made, ponto, read, setUpPonto, source } from './fixture.ts';

setUpPonto();

const dayBefore = (count: number) =>
  new Date(clock.now().getTime() - count * 86_400_000).toISOString().slice(0, 10);

const tellAll = async (secret: string, accountIds: string[], since: string) => {
  if (!source.readTransactions) throw new Error('Ponto tells transactions');
  return await source.readTransactions(as(secret), accountIds, since);
};
const tell = async (secret: string, accountIds: string[], since: string) =>
  (await tellAll(secret, accountIds, since)).transactions;

test('transactions since a day are those by which the balance has moved, in the order of pages', async () => {
  const { secret, accounts } = await made('Mouvements', 'ponto-moves');
  const [first = { id: '' }, second = { id: '' }] = accounts;
  const figure = async () => (await read(secret)).accounts[0]?.balance.minor ?? 0;
  clock.advance({ days: 149 });
  const before = await figure();
  clock.advance({ days: 1 });
  const told = await tell(secret, [first.id], dayBefore(2));
  expect(told.map(({ day }) => day)).toEqual([dayBefore(0), dayBefore(1), dayBefore(2)]);
  expect(told[0]?.minor).toBe((await figure()) - before);
  expect(new Set(told.map(({ accountId }) => accountId))).toEqual(new Set([first.id]));
  // No page is asked for that is older than what is wanted.
  ponto.control.clearRequests();
  await tell(secret, [second.id], dayBefore(20));
  expect(asked().filter((call) => call.endsWith('/transactions'))).toHaveLength(2);
  expect((await tell(secret, [second.id], dayBefore(140))).length).toBe(141);
  expect((await tell(secret, [second.id], dayBefore(1)))[0]?.currency).toBe('USD');
  expect(await tell(secret, ['elsewhere'], dayBefore(5))).toEqual([]);
});

test('an integration that is refused keeps those of no other from being told', async () => {
  const first = await made('Première', 'ponto-first');
  const other = await made('Seconde', 'ponto-second');
  const revoked = JSON.parse(first.secret).map((pair: object) => ({ ...pair, clientSecret: 'no' }));
  const secret = JSON.stringify([...revoked, ...JSON.parse(other.secret)]);
  clock.advance({ days: 3 });
  const [{ id } = { id: '' }] = other.accounts;
  expect((await tell(secret, [id], dayBefore(2))).map(({ accountId }) => accountId)).toContain(id);
  const [{ id: lost } = { id: '' }] = first.accounts;
  const { transactions, unread } = await tellAll(secret, [lost, id], dayBefore(2));
  expect(new Set(transactions.map(({ accountId }) => accountId))).toEqual(new Set([id]));
  expect(unread).toEqual([lost]);
  expect((await refusal(tellAll(secret, [lost], dayBefore(2)))).kind).toBe('credentials');
});

const row = {
  type: 'transaction',
  id: 't-1',
  attributes: {
    ...{ amount: -99.01, currency: 'eur', executionDate: '2026-09-28T00:00:00.000Z' },
    ...{ counterpartName: 'Client Durand', remittanceInformation: 'FACTURE 12' },
  },
};

/** What comes of an answer about the transactions of one account. */
const readAs = (rows: unknown) =>
  readTransactionsOf(
    { ask: async () => ({ data: rows as object[], links: {} }) },
    ponto.url,
    { clientId: 'c', clientSecret: 's' },
    'a-1',
    '2026-09-01',
  );

test.for([
  [{}, { day: '2026-09-28', minor: -9901, currency: 'EUR', label: 'Client Durand', id: 't-1' }],
  // Midnight of Paris, a plain day and a late hour are all the day that the bank booked.
  [{ executionDate: '2026-09-27T22:00:00.000Z' }, { day: '2026-09-28' }],
  [{ executionDate: '2026-09-28' }, { day: '2026-09-28' }],
  [{ executionDate: '2026-09-28T21:59:00Z' }, { day: '2026-09-28' }],
  [{ executionDate: null, valueDate: '2026-09-29T00:00:00Z' }, { day: '2026-09-29' }],
  [{ counterpartName: ' ' }, { label: 'FACTURE 12' }],
  [{ counterpartName: null, remittanceInformation: null }, { label: '' }],
  [{ currency: 'JPY', amount: 1200 }, { minor: 1200 }],
] as const)('a transaction told with %j is read', async ([change, expected]) => {
  const told = await readAs([{ ...row, attributes: { ...row.attributes, ...change } }]);
  expect(told).toMatchObject([{ accountId: 'a-1', ...expected }]);
});

test.for([
  [[null]],
  [[{ ...row, id: null }]],
  [[{ ...row, attributes: null }]],
  [[{ ...row, attributes: { ...row.attributes, amount: null } }]],
  [[{ ...row, attributes: { ...row.attributes, executionDate: 'hier' } }]],
])(
  'a list as %j fails the reading: a message tells all transactions or says so',
  async ([rows]) => {
    expect((await refusal(readAs(rows))).kind).toBe('unavailable');
  },
);
