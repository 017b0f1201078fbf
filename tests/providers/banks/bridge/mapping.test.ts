import { expect, test } from 'vitest';
import {
  accountOf,
  connectionOf,
  isShared,
} from '../../../../src/server/providers/banks/bridge/mapping.ts';
import { readPage, readRow } from '../../../../src/server/providers/banks/bridge/pagination.ts';
import { readMoment } from '../../../../src/server/providers/banks/json-fields.ts';

const nameOf = (id: number) => `bank ${id}`;

const recordedItem = {
  id: 9_273_441,
  status: 1010,
  status_code_info: 'otp_required',
  status_code_description: 'Une authentification forte est nécessaire.',
  provider_id: 574,
  account_types: 'payment',
  last_successful_refresh: '2025-03-01T05:12:44.120Z',
  last_try_refresh: '2025-03-01T05:12:44.120',
  created_at: '2024-11-21T16:35:16.846Z',
  authentication_expires_at: '2025-05-20T16:35:16Z',
};

const recordedAccount = {
  id: 41_932_118,
  name: 'Compte de dépôt',
  balance: 1234.56,
  accounting_balance: 1200,
  currency_code: 'EUR',
  type: 'checking',
  updated_at: '2025-03-01T05:12:44.120Z',
  last_refresh_status: 'successful',
  item_id: 9_273_441,
  provider_id: 574,
  data_access: 'enabled',
  pro: false,
};

test('a connection keeps its state, the words for it and its dates', () => {
  expect(connectionOf(recordedItem, nameOf)).toEqual({
    id: '9273441',
    state: 'renew',
    code: 1010,
    description: 'Une authentification forte est nécessaire.',
    bank: { id: '574', name: 'bank 574' },
    lastSuccessfulRefresh: new Date('2025-03-01T05:12:44.120Z'),
    authenticationExpiresAt: new Date('2025-05-20T16:35:16Z'),
  });
});

test('a connection with nothing but its key, its status and its bank is whole', () => {
  expect(connectionOf({ id: 1, status: 1234, provider_id: 2 }, nameOf)).toEqual({
    id: '1',
    state: 'unknown',
    code: 1234,
    description: null,
    bank: { id: '2', name: 'bank 2' },
    lastSuccessfulRefresh: null,
    authenticationExpiresAt: null,
  });
});

test('an account is in the minor unit of its currency', () => {
  expect(accountOf(recordedAccount, recordedItem, nameOf)).toEqual({
    id: '41932118',
    connectionId: '9273441',
    name: 'Compte de dépôt',
    type: 'checking',
    bank: { id: '574', name: 'bank 574' },
    balance: {
      minor: 123_456,
      currency: 'EUR',
      kind: 'unknown',
      asOf: new Date('2025-03-01T05:12:44.120Z'),
      isUnrenewed: false,
    },
    number: null,
  });
});

test.for([
  [{ balance: 0.1 + 0.2 }, 30],
  [{ balance: -0 }, 0],
  [{ balance: '12.30' }, 1_230],
  [{ balance: undefined }, 120_000],
  [{ balance: null, accounting_balance: undefined, instant_balance: -3.5 }, -350],
  [{ balance: undefined, accounting_balance: undefined }, null],
  [{ balance: 1500, currency_code: 'jpy' }, 1500],
] as const)('a balance told as %j is %s minor units', ([fields, minor]) => {
  const account = accountOf({ ...recordedAccount, ...fields }, recordedItem, nameOf);
  expect(account?.balance.minor).toBe(minor);
});

test.for([{ balance: 'n/a' }, { balance: '15 200,50' }, { balance: {} }, { balance: 1e20 }])(
  'a balance told as %j is unreadable, whatever stands beside it',
  (fields) => {
    const read = () => accountOf({ ...recordedAccount, ...fields }, recordedItem, nameOf);
    expect(read).toThrow('a row that cannot be read');
  },
);

test('an account that is not shown fails no reading by its balance', () => {
  const loan = { ...recordedAccount, type: 'loan', balance: 'n/a' };
  expect(accountOf(loan, recordedItem, nameOf)?.balance).toMatchObject({ minor: 120_000 });
});

test('fields that are left out have a readable stand-in', () => {
  expect(accountOf({ id: 5, item_id: 6 }, null, nameOf)).toMatchObject({
    name: 'Compte',
    type: 'unknown',
    balance: { minor: null, currency: 'EUR', kind: 'unknown', asOf: null },
  });
  expect(accountOf({ id: 5 }, null, nameOf)).toBeNull();
});

test('only an account whose access is disabled is not shared', () => {
  const shares = ['enabled', 'disabled', 'DISABLED', undefined, 'something new'].map(
    (data_access) => isShared({ id: 1, data_access }),
  );
  expect(shares).toEqual([true, false, false, true, true]);
});

test.for([
  ['2025-03-01T05:12:44.120Z', '2025-03-01T05:12:44.120Z'],
  ['2025-03-01T05:12:44', '2025-03-01T05:12:44.000Z'],
  ['2025-03-01T05:12:44.123456', '2025-03-01T05:12:44.123Z'],
  ['2025-03-01 05:12:44', '2025-03-01T05:12:44.000Z'],
  ['2025-03-01T05:12:44+01:00', '2025-03-01T04:12:44.000Z'],
  ['2025-03-01T05:12:44+0100', '2025-03-01T04:12:44.000Z'],
  ['2025-03-01', '2025-03-01T00:00:00.000Z'],
] as const)('the moment %s is %s', ([written, meant]) => {
  expect(readMoment(written)?.toISOString()).toBe(meant);
});

test.for(['', 'hier', '2025-13-45T00:00:00Z', null, undefined, 1_740_805_964])(
  '%s is no moment',
  (value) => {
    expect(readMoment(value)).toBeNull();
  },
);

const path = '/v3/aggregation/items?limit=2';

test.for([undefined, null, 'null', ''])('a list ends with next_uri %s', (next_uri) => {
  expect(readPage({ resources: [], pagination: { next_uri } }, path, readRow).next).toBeNull();
});

test('a list without pagination has one page', () => {
  const body = { resources: [{ id: 1 }, { id: '2' }] };
  expect(readPage(body, path, readRow)).toEqual({ rows: [{ id: 1 }, { id: 2 }], next: null });
});

test.for([{ id: 'itm_1' }, { id: 1.5 }, {}, null, 'text', [3]])(
  'a list with the row %j is no list: what it stands for is not gone',
  (row) => {
    expect(() => readPage({ resources: [{ id: 1 }, row] }, path, readRow)).toThrow(
      'cannot be read',
    );
  },
);

test.for([
  ['2025-03-02T05:00:00Z', '2025-03-01T05:12:44.120Z', '2025-03-01T05:12:44.120Z'],
  ['2025-02-20T05:00:00Z', '2025-03-01T05:12:44.120Z', '2025-02-20T05:00:00.000Z'],
  [null, '2025-03-01T05:12:44.120Z', '2025-03-01T05:12:44.120Z'],
  ['2025-03-02T05:00:00Z', null, undefined],
] as const)(
  'a figure whose renewal failed at %s, after a success at %s, is of %s',
  ([updated_at, last_successful_refresh, asOf]) => {
    const account = { ...recordedAccount, updated_at, last_refresh_status: 'FAILED' };
    const told = accountOf(account, { ...recordedItem, last_successful_refresh }, nameOf);
    expect(told?.balance.isUnrenewed).toBe(true);
    expect(told?.balance.asOf?.toISOString()).toBe(asOf);
  },
);

test.for([
  ['/v3/aggregation/items?after=MQ&limit=2', '/v3/aggregation/items?after=MQ&limit=2'],
  ['?after=MQ', '/v3/aggregation/items?after=MQ'],
  ['/prefix/v3/aggregation/items?after=MQ', '/v3/aggregation/items?after=MQ'],
] as const)('a list goes on at %s', ([next_uri, next]) => {
  expect(readPage({ resources: [], pagination: { next_uri } }, path, readRow).next).toBe(next);
});

test.for(['https://elsewhere.test/v3/x', '//elsewhere.test/v3/x', '/admin', 'javascript:1'])(
  'a list never goes on at %s',
  (next_uri) => {
    expect(() => readPage({ resources: [], pagination: { next_uri } }, path, readRow)).toThrow(
      'foreign',
    );
  },
);

test.for([null, [], 'text', {}, { resources: {} }])('%j is no list', (body) => {
  expect(() => readPage(body, path, readRow)).toThrow('without resources');
});
