import { expect, onTestFinished, test } from 'vitest';
import { banks } from '../../../../standins/enablebanking/state.ts';
import { as, clientDetails, refusal } from '../source-fixture.ts';
import {
  askedFor,
  callbackUrl,
  clock,
  coastBank,
  consentTo,
  enable,
  linked,
  read,
  redirectOf,
  reopen,
  session,
  setUpEnableBanking,
  source,
  submitForm,
  values,
} from './fixture.ts';

setUpEnableBanking();

test('a consent is asked for as long as the bank grants it, an hour less', async () => {
  await linked();
  const [asked] = askedFor('/auth');
  const body = JSON.parse(asked?.text ?? '');
  expect(body).toMatchObject({
    aspsp: { name: coastBank, country: 'FR' },
    ...{
      psu_type: 'personal',
      state: `${session.nonce}.${values.applicationId}`,
      redirect_url: callbackUrl,
      language: 'fr',
    },
  });
  const days = (Date.parse(body.access.valid_until) - clock.now().getTime()) / 86_400_000;
  expect(days).toBeCloseTo(180 - 1 / 24, 5);
});

/** A bank grants no longer consents than these, for one test. */
function grantAtMost(seconds: number): void {
  const bank = banks.find(({ name }) => name === coastBank);
  if (!bank) throw new Error('no such bank');
  const { longestSeconds } = bank;
  onTestFinished(() => void Object.assign(bank, { longestSeconds }));
  bank.longestSeconds = seconds;
}

test('no consent is asked for longer than 180 days, whatever the bank grants', async () => {
  grantAtMost(365 * 86_400);
  clock.advance({ days: 2 });
  await linked();
  const until = Date.parse(JSON.parse(askedFor('/auth')[0]?.text ?? '').access.valid_until);
  expect(until - clock.now().getTime()).toBeLessThan(180 * 86_400_000);
});

test.for([7_200, 3_600, 600])('a bank that grants %d seconds is asked for fewer', async (most) => {
  grantAtMost(most);
  await linked();
  const until = Date.parse(JSON.parse(askedFor('/auth')[0]?.text ?? '').access.valid_until);
  expect(until - clock.now().getTime()).toBe((most * 1000) / 2);
});

test.for(['EXPIRED', 'REVOKED', 'CLOSED', 'CANCELLED'] as const)(
  'a consent that is %s is to be renewed, and lists no account',
  async (status) => {
    const secret = await linked();
    enable.control.setSession(enable.control.sessions().at(-1)?.id ?? '', { status });
    const { connections, accounts } = await read(secret);
    expect(connections[0]?.state).toBe('renew');
    expect(accounts).toEqual([]);
  },
);

test('a bank that refuses the consent itself says so through an error of its own', async () => {
  const secret = await linked();
  const body = { code: 400, error: 'ASPSP_ERROR', detail: { error_name: 'UnauthorizedException' } };
  enable.control.addFault({ kind: 'status', status: 400, body, path: '/accounts' });
  expect((await read(secret)).connections[0]?.state).toBe('renew');
});

test('after its date a consent is to be renewed, and nobody is asked', async () => {
  const secret = await linked();
  clock.advance({ days: 180 });
  enable.control.clearRequests();
  expect((await read(secret)).connections[0]?.state).toBe('renew');
  expect(enable.control.requests()).toEqual([]);
});

test('a status that is not known is told as it is', async () => {
  const secret = await linked();
  const { id } = enable.control.sessions().at(-1) ?? { id: '' };
  enable.control.setSession(id, { status: 'DREAMING' as 'CLOSED' });
  const { connections } = await read(secret);
  expect(connections[0]).toMatchObject({
    ...{ state: 'unknown', description: expect.stringContaining('DREAMING') },
  });
});

test('a renewal keeps the connection and its accounts, and closes the earlier consent', async () => {
  const secret = await linked();
  const before = await read(secret);
  const [first] = enable.control.sessions().slice(-1);
  const connectionId = before.connections[0]?.id ?? '';
  const renewed = await consentTo(secret, { connectionId });
  const after = await read(renewed);
  expect(after.connections.map(({ id }) => id)).toEqual([connectionId]);
  expect(after.accounts.map(({ id }) => id)).toEqual(before.accounts.map(({ id }) => id));
  expect(first?.status).toBe('CLOSED');
  expect(enable.control.sessions().at(-1)).toMatchObject({ status: 'AUTHORIZED' });
});

test('a consent is renewed while the list of banks does not come, for as long as before', async () => {
  const about = { bankId: 'FR/Néo Pécule' };
  const secret = await consentTo(await submitForm(), about);
  const [connection] = (await read(secret)).connections;
  reopen();
  enable.control.addFault({ kind: 'status', status: 500, path: '/aspsps' });
  const renewed = await consentTo(secret, { connectionId: connection?.id ?? '' });
  const [after] = (await read(renewed)).connections;
  expect(after?.authenticationExpiresAt).toEqual(connection?.authenticationExpiresAt);
  expect((await refusal(consentTo(renewed, about))).kind).toBe('unavailable');
});

test('the same accounts, added once more, are the same connection; others are another', async () => {
  const secret = await linked();
  enable.control.setBehaviour({ closesOld: true });
  const again = await consentTo(secret);
  expect((await read(again)).connections).toHaveLength(1);
  const more = await consentTo(again, { bankId: 'FR/Crédit Coopérant' });
  expect((await read(more)).connections.map(({ bank }) => bank.name)).toEqual([
    ...[coastBank, 'Crédit Coopérant'],
  ]);
});

test('the number of an account is no id, also where the bank gives it no hash', async () => {
  const number = 'FR7610278060000002044740123';
  const give = (uid: string) =>
    enable.control.addFault({
      ...{ kind: 'status', status: 200, path: '/sessions', times: 1 },
      body: {
        ...{ session_id: `session ${uid}`, aspsp: { name: coastBank, country: 'FR' } },
        access: { valid_until: new Date(clock.now().getTime() + 86_400_000).toISOString() },
        accounts: [{ uid, account_id: { iban: number } }],
      },
    });
  const consentsOf = (secret: string | null) => JSON.parse(secret ?? '').consents;
  give('1');
  const secret = await linked();
  const [{ id, accounts }] = consentsOf(secret);
  expect(accounts).toMatchObject([{ id: expect.stringMatching(/^[0-9a-f]{64}$/), number }]);
  give('2');
  expect(consentsOf(await consentTo(secret ?? ''))).toMatchObject([
    { id, accounts: [{ uid: '2' }] },
  ]);
  // As earlier versions kept it.
  const older = {
    ...JSON.parse(secret ?? ''),
    consents: [{ ...consentsOf(secret)[0], accounts: [{ ...accounts[0], id: number }] }],
  };
  give('3');
  expect(consentsOf(await consentTo(JSON.stringify(older)))).toMatchObject([
    { id, accounts: [{ uid: '3' }] },
  ]);
});

/** What a session says of its accounts, and how those are known whose bank gives them no hash. */
test.for([
  ['the uids alone', (uid: string) => ({ uid }), 3],
  ['a hash that the consent lacked', (uid: string) => ({ uid, identification_hash: 'new' }), 3],
  ['nothing that names them', () => ({}), 3],
  ['one of them', (uid: string, index: number) => (index === 0 ? { uid } : null), 1],
] as const)(
  'accounts without a hash are read when their session tells %s',
  async ([, tell, count]) => {
    const { consents, ...rest } = JSON.parse(await linked());
    const [consent] = consents as { accounts: { id: string; uid: string; number: string }[] }[];
    const accounts = (consent?.accounts ?? []).map((one) => ({
      ...one,
      id: one.number ?? one.uid,
    }));
    const rows = accounts.map(({ uid }, index) => tell(uid, index)).filter((row) => row !== null);
    const body = { status: 'AUTHORIZED', accounts_data: rows };
    enable.control.addFault({ kind: 'status', status: 200, body, path: '/sessions/', times: 1 });
    const secret = JSON.stringify({ ...rest, consents: [{ ...consent, accounts }] });
    const found = (await read(secret)).accounts;
    expect(found.map(({ id }) => id)).toEqual(accounts.slice(0, count).map(({ id }) => id));
  },
);

test('two consents that are given at once are both kept', async () => {
  const secret = await submitForm();
  const [one, two] = await Promise.all(
    [coastBank, 'Crédit Coopérant'].map(async (name) => {
      const address = await redirectOf().begin(as(secret), { ...session, bankId: `FR/${name}` });
      const back = new URL(enable.control.decide(address, 'allow'));
      const query = Object.fromEntries(back.searchParams);
      return redirectOf().complete?.(as(secret), query, clientDetails, null);
    }),
  );
  const kept = two?.changeSecret(one?.changeSecret(secret) ?? null) ?? null;
  expect((await read(kept)).connections).toHaveLength(2);
});

test('of two renewals at once the one that is kept closes the other', async () => {
  const secret = await linked();
  const connectionId = (await read(secret)).connections[0]?.id ?? '';
  const begin = async () => {
    const address = await source.openEditPage?.(as(secret), { ...session, connectionId });
    const back = new URL(enable.control.decide(address ?? '', 'allow'));
    const query = Object.fromEntries(back.searchParams);
    return redirectOf().complete?.(as(secret), query, clientDetails, connectionId);
  };
  const [one, two] = [await begin(), await begin()];
  const first = one?.changeSecret(secret) ?? null;
  const second = two?.changeSecret(first) ?? null;
  await one?.afterwards?.();
  await two?.afterwards?.();
  const states = enable.control.sessions().slice(-3);
  expect(states.map(({ status }) => status)).toEqual(['CLOSED', 'CLOSED', 'AUTHORIZED']);
  expect((await read(second)).connections).toMatchObject([{ id: connectionId, state: 'ok' }]);
});

test('a consent without accounts is told as such', async () => {
  expect((await refusal(consentTo(await submitForm(), undefined, []))).kind).toBe('no-accounts');
});

test('what comes back refused, broken or foreign is never exchanged', async () => {
  const { read: readBack } = redirectOf().callback;
  expect(readBack({ state: 'x', error: 'access_denied' }).outcome).toBe('cancelled');
  expect(readBack({ state: 'x', error: 'server_error' }).outcome).toBe('failed');
  const named = { state: `${session.nonce}.${values.applicationId}`, code: 'one' };
  expect(readBack(named)).toMatchObject({ nonce: session.nonce, outcome: 'done' });
  const secret = await submitForm();
  const wrong = redirectOf().complete?.(as(secret), { code: 'stolen' }, clientDetails, null);
  expect((await refusal(wrong ?? Promise.resolve())).kind).toBe('refused');
});

/** What is left of the secret once a connection is removed. */
const removed = async (secret: string | null, id: string, others: string[]) =>
  (await source.removeConnection(as(secret), id))?.(secret, others) ?? null;

test('removing closes the consent, and forgets the key with the last one', async () => {
  const secret = await consentTo(await linked(), { bankId: 'FR/Crédit Coopérant' });
  const [first, second] = (await read(secret)).connections.map(({ id }) => id);
  const rest = await removed(secret, first ?? '', [second ?? '']);
  expect((await read(rest)).connections.map(({ id }) => id)).toEqual([second]);
  enable.control.addFault({ kind: 'drop', path: '/sessions', times: 1 });
  const silent = source.removeConnection(as(rest), second ?? '');
  expect((await refusal(silent)).kind).toBe('unavailable');
  expect(await removed(rest, second ?? '', [])).toBeNull();
  expect(enable.control.sessions().slice(-2)).toMatchObject([
    { status: 'CLOSED' },
    { status: 'CLOSED' },
  ]);
  // Closed at the service already: done.
  expect(await removed(rest, second ?? '', [])).toBeNull();
});

test('a consent that is renewed while it is removed is not forgotten open', async () => {
  const secret = await linked();
  const id = (await read(secret)).connections[0]?.id ?? '';
  const change = await source.removeConnection(as(secret), id);
  const renewed = await consentTo(secret, { connectionId: id });
  const end = Promise.resolve().then(() => change?.(renewed, []));
  expect((await refusal(end)).kind).toBe('unavailable');
  expect(await removed(renewed, id, [])).toBeNull();
  expect(enable.control.sessions().slice(-2)).toMatchObject([
    { status: 'CLOSED' },
    { status: 'CLOSED' },
  ]);
});

test('all consents of a person are closed at once; what is over already counts as done', async () => {
  const secret = await consentTo(await linked(), { bankId: 'FR/Crédit Coopérant' });
  const [first, second] = enable.control.sessions().slice(-2);
  enable.control.addFault({ kind: 'drop', path: `/sessions/${first?.id}`, times: 1 });
  const broken = source.endAccesses?.(secret) ?? Promise.resolve();
  expect((await refusal(broken)).kind).toBe('unavailable');
  expect([first?.status, second?.status]).toEqual(['AUTHORIZED', 'CLOSED']);
  await source.endAccesses?.(secret);
  expect(first?.status).toBe('CLOSED');
});

test('a session of which no consent can be made is not left open', async () => {
  const secret = await submitForm();
  const { length } = enable.control.sessions();
  for (const { hash } of enable.control.accounts(coastBank)) {
    const override = { uid: null, identification_hash: null, account_id: {} };
    enable.control.setAccount(hash, { override });
    onTestFinished(() => enable.control.setAccount(hash, { override: {} }));
  }
  expect((await refusal(consentTo(secret))).kind).toBe('unavailable');
  const made = enable.control.sessions().slice(length);
  expect(made.map(({ status }) => status)).toEqual(['CLOSED']);
});
