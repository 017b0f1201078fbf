import { expect, onTestFinished, test } from 'vitest';
import { as, clientDetails, refusal } from '../source-fixture.ts';
import {
  askedFor,
  clock,
  coastBank,
  consentTo,
  enable,
  figures,
  linked,
  read,
  reopen,
  setUpEnableBanking,
  source,
  submitForm,
} from './fixture.ts';

setUpEnableBanking();

test('without the person an account is read four times a day, and keeps its figure after that', async () => {
  const secret = await linked();
  enable.control.clearRequests();
  for (let readings = 0; readings < 6; readings += 1) await read(secret);
  const [first] = enable.control.accounts(coastBank);
  expect(first?.unattended).toHaveLength(4);
  const { connections, accounts } = await read(secret);
  expect(connections[0]).toMatchObject({ state: 'ok', lastSuccessfulRefresh: null });
  expect(accounts[0]?.balance).toMatchObject({ minor: null, isUnrenewed: true });
  clock.advance({ hours: 24 });
  expect((await figures(secret))[0]).not.toBeNull();
});

test('with the person present all that the bank wants is told, and no reading is counted', async () => {
  const secret = await linked();
  for (let readings = 0; readings < 6; readings += 1) {
    expect((await figures(secret, true))[0]).not.toBeNull();
  }
  expect(enable.control.accounts(coastBank)[0]?.unattended).toEqual([]);
  const [asked] = askedFor('/balances');
  expect(asked?.headers).toMatchObject({
    ...{ 'psu-ip-address': '203.0.113.7', 'psu-user-agent': 'Navigateur' },
  });
  expect(asked?.headers).not.toHaveProperty('psu-referer');
});

test('a bank that wants what the browser does not tell is read as without the person', async () => {
  const secret = await consentTo(await submitForm(), { bankId: 'FR/Caisse du Lointain' });
  expect((await figures(secret, true))[0]).not.toBeNull();
  const [asked] = askedFor('/balances');
  expect(Object.keys(asked?.headers ?? {}).filter((name) => name.startsWith('psu-'))).toEqual([]);
});

test('a card that is never told does not speak for accounts whose readings of the day are used up', async () => {
  const secret = await linked();
  for (let hours = 0; hours < 6; hours += 1) {
    expect((await read(secret)).connections[0]?.state).toBe('ok');
    clock.advance({ hours: 1 });
  }
  // One that cannot be read at all says nothing of the bank either.
  const [current, , card] = enable.control.accounts(coastBank);
  enable.control.setAccount(current?.hash ?? '', { override: { uid: null } });
  onTestFinished(() => enable.control.setAccount(current?.hash ?? '', { override: {} }));
  const chosen = [current?.hash ?? '', card?.hash ?? ''];
  const alone = await consentTo(await submitForm(), undefined, chosen);
  const { accounts } = JSON.parse(alone).consents[0];
  const rows = accounts.map(({ id, uid }: { id: string; uid: string | null }) => ({
    ...{ identification_hash: id, uid },
  }));
  const body = { status: 'AUTHORIZED', accounts_data: rows };
  enable.control.addFault({ kind: 'status', status: 200, body, path: '/sessions/' });
  reopen();
  clock.advance({ days: 1 });
  for (const _ of ['asked', 'not asked again at once']) {
    expect((await read(alone)).connections[0]?.state).toBe('unreachable');
  }
});

test('a card that the bank always forbids ends no consent while the other accounts rest', async () => {
  const [, , card] = enable.control.accounts(coastBank);
  enable.control.setAccount(card?.hash ?? '', { error: 'AUTHORIZATION_NOT_PROVIDED' });
  const secret = await linked();
  const accounts = JSON.parse(secret).consents[0].accounts as { id: string; uid: string }[];
  for (const { uid } of accounts.filter(({ id }) => id !== card?.hash)) {
    enable.control.addFault({ kind: 'ratelimited', path: `/accounts/${uid}` });
  }
  expect((await read(secret)).connections[0]?.state).toBe('ok');
});

test('an account whose limit is met at the bank rests for six hours, and its bank is in order', async () => {
  const secret = await linked();
  enable.control.addFault({ kind: 'ratelimited', retryAfter: null, path: '/accounts', times: 3 });
  expect((await read(secret)).connections[0]?.state).toBe('ok');
  enable.control.clearRequests();
  clock.advance({ hours: 5 });
  await read(secret);
  expect(askedFor('/balances')).toEqual([]);
  clock.advance({ hours: 1 });
  expect((await figures(secret))[0]).not.toBeNull();
});

test('an account whose bank asks for years of rest is asked again a day later', async () => {
  const secret = await linked();
  const fault = {
    kind: 'ratelimited',
    retryAfter: 500_000_000,
    path: '/accounts',
    times: 3,
  } as const;
  enable.control.addFault(fault);
  await read(secret);
  enable.control.clearRequests();
  clock.advance({ hours: 23 });
  await read(secret);
  expect(askedFor('/balances')).toEqual([]);
  clock.advance({ hours: 1 });
  expect((await figures(secret))[0]).not.toBeNull();
});

test('a bank that does not answer is left alone a minute, then an hour', async () => {
  const secret = await linked();
  enable.control.addFault({
    kind: 'error',
    code: 'ASPSP_TIMEOUT',
    extra: { status: 408 },
    path: '/accounts',
  });
  expect((await read(secret)).connections[0]?.state).toBe('unreachable');
  enable.control.clearRequests();
  const asked = async (minutes: number) => {
    clock.advance({ minutes });
    enable.control.clearRequests();
    await read(secret);
    return askedFor('/balances').length;
  };
  expect([await asked(0.5), await asked(0.5), await asked(59), await asked(1)]).toEqual([
    0, 3, 0, 3,
  ]);
});

test('while all its accounts rest, a bank stays in the state of its last try', async () => {
  const secret = await linked();
  const refuse = (code: string, status: number, times: number) =>
    enable.control.addFault({
      ...{ kind: 'error', code, extra: { status }, path: '/accounts', times },
    });
  const state = async () => (await read(secret)).connections[0]?.state;
  refuse('ASPSP_TIMEOUT', 408, 3);
  expect([await state(), await state()]).toEqual(['unreachable', 'unreachable']);
  clock.advance({ minutes: 1 });
  refuse('ASPSP_PSU_ACTION_REQUIRED', 403, 3);
  expect([await state(), await state()]).toEqual(['action-at-bank', 'action-at-bank']);
});

test('an action that the bank waits for is told the second time', async () => {
  const secret = await linked();
  const extra = { status: 403 };
  enable.control.addFault({
    kind: 'error',
    code: 'ASPSP_PSU_ACTION_REQUIRED',
    extra,
    path: '/accounts',
  });
  expect((await read(secret)).connections[0]?.state).toBe('unreachable');
  clock.advance({ minutes: 1 });
  expect((await read(secret)).connections[0]?.state).toBe('action-at-bank');
});

test.for(['PSU_HEADER_INVALID', 'PSU_HEADER_NOT_PROVIDED'])(
  'a bank that answers %s to a person who is present is read without them',
  async (code) => {
    const secret = await linked();
    // Each account once: the address of a home network, or a header that the bank asks for since yesterday.
    const fault = { kind: 'error', code, extra: { status: 422 }, path: '/accounts' } as const;
    enable.control.addFault({ ...fault, times: 3 });
    const { connections, accounts } = await read(secret, true);
    expect(connections[0]?.state).toBe('ok');
    expect(accounts[0]?.balance.minor).not.toBeNull();
    const unattended = enable.control.accounts(coastBank).map((one) => one.unattended.length);
    expect(unattended).toEqual([1, 1, 1]);
  },
);

test('a card that always waits for its holder does not speak for accounts that are read', async () => {
  const [, , card] = enable.control.accounts(coastBank);
  enable.control.setAccount(card?.hash ?? '', { error: 'ASPSP_PSU_ACTION_REQUIRED' });
  const secret = await linked();
  for (const _ of ['first', 'second', 'third', 'fourth', 'beyond the limit']) {
    expect((await read(secret)).connections[0]?.state).toBe('ok');
    clock.advance({ minutes: 1 });
  }
});

test('a savings account that is read does not speak for the only current account', async () => {
  const [current] = enable.control.accounts(coastBank);
  const secret = await linked();
  enable.control.setAccount(current?.hash ?? '', { error: 'ASPSP_PSU_ACTION_REQUIRED' });
  const condition = async () => {
    const { connections, accounts } = await read(secret);
    const { state, lastSuccessfulRefresh } = connections[0] ?? {};
    return [state, lastSuccessfulRefresh, accounts[1]?.balance.minor === null];
  };
  expect(await condition()).toEqual(['unreachable', null, false]);
  clock.advance({ minutes: 1 });
  expect(await condition()).toEqual(['action-at-bank', null, false]);
});

test('the button does not take back that the bank waits for its customer', async () => {
  const secret = await linked();
  const code = 'ASPSP_PSU_ACTION_REQUIRED';
  enable.control.addFault({ kind: 'error', code, extra: { status: 403 }, path: '/accounts' });
  await read(secret);
  clock.advance({ minutes: 1 });
  const [connection] = (await read(secret)).connections;
  expect(connection?.state).toBe('action-at-bank');
  await source.refreshNow?.(as(secret), connection?.id ?? '', clientDetails);
  enable.control.clearRequests();
  expect((await read(secret)).connections[0]?.state).toBe('action-at-bank');
  expect(askedFor('/balances')).toHaveLength(3);
});

test('the button lets resting accounts be asked again, once a minute', async () => {
  const secret = await linked();
  enable.control.addFault({ kind: 'ratelimited', path: '/accounts', times: 3 });
  await read(secret);
  const id = (await read(secret)).connections[0]?.id ?? '';
  const press = () => source.refreshNow?.(as(secret), id, clientDetails) ?? Promise.resolve();
  await press();
  expect((await figures(secret, true))[0]).not.toBeNull();
  expect((await refusal(press())).kind).toBe('page-limit');
  clock.advance({ minutes: 1 });
  await press();
});
