import { expect, test } from 'vitest';
import { as } from '../source-fixture.ts';
import {
  askedFor,
  clock,
  coastBank,
  consentTo,
  enable,
  read,
  reopen,
  setUpEnableBanking,
  source,
  submitForm,
} from './fixture.ts';

setUpEnableBanking();

const about = { bankId: `FR/${coastBank}` };

/** One of the current account and the savings, then one of the savings and the card. */
async function giveTwoConsents() {
  const [current = '', savings = '', card = ''] = enable.control
    .accounts(coastBank)
    .map(({ hash }) => hash);
  const first = await consentTo(await submitForm(), about, [current, savings]);
  const [session] = enable.control.sessions().slice(-1);
  const both = await consentTo(first, about, [savings, card]);
  return { current, savings, card, session, both };
}

test('another consent at the same bank that shares one account ends none of the other accounts', async () => {
  const { current, savings, card, session, both } = await giveTwoConsents();
  enable.control.clearRequests();
  const { connections, accounts } = await read(both);
  expect(session?.status).toBe('AUTHORIZED');
  expect(connections).toHaveLength(2);
  expect(accounts.map(({ id, connectionId }) => [id, connectionId])).toEqual([
    [current, connections[0]?.id],
    [savings, connections[1]?.id],
    [card, connections[1]?.id],
  ]);
  // Each is one of the four readings of its day.
  expect(askedFor('/balances')).toHaveLength(3);
});

test('the accounts that another consent opens too are known when one is removed', async () => {
  const { savings, both } = await giveTwoConsents();
  const [first, second] = (await read(both)).connections.map(({ id }) => id);
  const shared = async (id = '') => [
    ...((await source.sharedAccounts?.(as(both ?? ''), id)) ?? []),
  ];
  expect(await shared(second)).toEqual([[savings, first]]);
  expect(await shared(first)).toEqual([[savings, second]]);
});

test('an account of two consents is read through the one that has not ended', async () => {
  const { current, savings, both } = await giveTwoConsents();
  const kept = JSON.parse(both ?? '');
  kept.consents[1].validUntil = clock.now().toISOString();
  const { connections, accounts } = await read(JSON.stringify(kept));
  expect(connections.map(({ state }) => state)).toEqual(['ok', 'renew']);
  expect(accounts.map(({ id, connectionId }) => [id, connectionId])).toEqual([
    [current, connections[0]?.id],
    [savings, connections[0]?.id],
  ]);
});

test.for(['CLOSED', 'REVOKED', 'EXPIRED'] as const)(
  'an account of two consents is read through the first once the other is %s before its date',
  async (status) => {
    const { current, savings, both } = await giveTwoConsents();
    enable.control.setSession(enable.control.sessions().at(-1)?.id ?? '', { status });
    enable.control.clearRequests();
    const { connections, accounts } = await read(both);
    expect(connections.map(({ state }) => state)).toEqual(['ok', 'renew']);
    expect(accounts.map(({ id, connectionId }) => [id, connectionId])).toEqual([
      [current, connections[0]?.id],
      [savings, connections[0]?.id],
    ]);
    expect(askedFor('/balances')).toHaveLength(2);
  },
);

test('an account of two consents is asked for once while the later one does not answer', async () => {
  const { current, savings, card, both } = await giveTwoConsents();
  const later = enable.control.sessions().at(-1)?.id ?? '';
  enable.control.addFault({ kind: 'drop', path: `/sessions/${later}` });
  const { connections, accounts, unread, unreadAccounts } = await read(both);
  expect(connections).toHaveLength(1);
  expect(unread).toMatchObject([{ state: 'unreachable' }]);
  expect(unreadAccounts).toEqual([savings, card]);
  expect(accounts.map(({ id }) => id)).toEqual([current]);
});

test('a bank that answers through a later consent is not called silent by an earlier one', async () => {
  const [current = '', savings = '', card = ''] = enable.control
    .accounts(coastBank)
    .map(({ hash }) => hash);
  const first = await consentTo(await submitForm(), about, [savings, card]);
  const both = await consentTo(first, about, [savings, current]);
  const states = async () => (await read(both)).connections.map(({ state }) => state);
  expect(await states()).toEqual(['ok', 'ok']);
  // The card rests.
  expect(await states()).toEqual(['ok', 'ok']);
  reopen();
  enable.control.setAccount(savings, { error: 'ASPSP_ERROR' });
  expect(await states()).toEqual(['unreachable', 'ok']);
});

test.for([
  [
    'that the bank ended with the new one',
    (): void => enable.control.setBehaviour({ closesOld: true }),
  ],
  ['that ended by its date', (): void => clock.advance({ days: 180 })],
] as const)('a consent %s is renewed by one that shares an account', async ([, end]) => {
  const [current, savings, card] = enable.control.accounts(coastBank).map(({ hash }) => hash);
  const secret = await consentTo(await submitForm(), about, [current ?? '', savings ?? '']);
  const [first] = (await read(secret)).connections;
  end();
  const renewed = await consentTo(secret, about, [savings ?? '', card ?? '']);
  const { connections, accounts } = await read(renewed);
  expect(connections.map(({ id, state }) => [id, state])).toEqual([[first?.id, 'ok']]);
  expect(accounts.map(({ id }) => id)).toEqual([savings, card]);
});
