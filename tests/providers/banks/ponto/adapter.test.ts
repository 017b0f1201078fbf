import { expect, test } from 'vitest';
import { as, clientDetails, refusal } from '../source-fixture.ts';
import {
  asked,
  atelier,
  clock,
  link,
  made,
  ponto,
  read,
  reopen,
  setUpPonto,
  source,
} from './fixture.ts';

setUpPonto();

test('accounts stand under their banks, in their currencies, as of the last answer of the bank', async () => {
  const { connections, accounts } = await read(await link(atelier));
  expect(connections.map(({ bank, state }) => [bank.name, state])).toEqual([
    ['Banque du Littoral - Espace Entreprises', 'ok'],
    ['Crédit Coopérant', 'ok'],
  ]);
  expect(accounts.map(({ name, type, balance }) => [name, type, balance.currency])).toEqual([
    ['Compte courant pro', 'checking', 'EUR'],
    ['Compte en dollars', 'checking', 'USD'],
    ['Livret', 'savings', 'EUR'],
    ['Compte de la coopérative', 'checking', 'EUR'],
  ]);
  expect(accounts[0]?.balance).toEqual({
    ...{ minor: 815_015, currency: 'EUR', kind: 'booked', isUnrenewed: false },
    asOf: new Date('2026-01-12T09:30:00Z'),
  });
  expect(connections[0]).toMatchObject({
    lastSuccessfulRefresh: new Date('2026-01-12T09:30:00Z'),
    authenticationExpiresAt: new Date('2026-07-11T09:30:00Z'),
  });
  expect(accounts.every(({ number }) => number?.startsWith('FR'))).toBe(true);
});

test('figures change when Ponto asks the bank: at its four hours, not at ours', async () => {
  const { secret } = await made('Heures', 'ponto-hours');
  const figure = async () => (await read(secret)).accounts[0]?.balance;
  const before = await figure();
  clock.set('2026-01-13T00:59:00Z');
  expect((await figure())?.asOf).toEqual(new Date('2026-01-12T19:00:00Z'));
  clock.set('2026-01-13T01:00:00Z');
  expect((await figure())?.asOf).toEqual(new Date('2026-01-13T01:00:00Z'));
  expect((await figure())?.minor).not.toBe(before?.minor);
});

test.for([
  [{ override: { description: '' } }, { name: 'Current account' }],
  [{ override: { description: null, product: null } }, { name: /^Compte \d{4}$/ }],
  [{ override: { description: null, product: null, reference: null } }, { name: 'Compte' }],
  [
    { override: { currency: 'jpy', currentBalance: 1200 } },
    { balance: { minor: 1200, currency: 'JPY' } },
  ],
  [{ override: { currentBalance: -0.1 } }, { balance: { minor: -10 } }],
  [{ override: { currentBalance: 1234.005 } }, { balance: { minor: 123_401 } }],
  [{ override: { currentBalance: null } }, { balance: { minor: null, kind: 'unknown' } }],
  [{ override: { currentBalance: undefined } }, { balance: { minor: null } }],
  [{ override: { subtype: undefined } }, { type: 'checking' }],
  [{ override: { subtype: 'card' } }, { type: 'card' }],
  // The earlier of two dates, and never one after the reading.
  [
    { override: { currentBalanceReferenceDate: '2026-01-10T00:00:00Z' } },
    { balance: { asOf: new Date('2026-01-10T00:00:00Z') } },
  ],
  [
    {
      override: { currentBalanceReferenceDate: '2030-01-01T00:00:00Z' },
      meta: { synchronizedAt: null },
    },
    { balance: { asOf: new Date('2026-01-13T01:00:00Z') } },
  ],
  [
    { override: { currentBalanceReferenceDate: null }, meta: { synchronizedAt: null } },
    { balance: { asOf: null } },
  ],
] as const)('an account told with %j is read', async ([change, expected], { task }) => {
  const { secret, accounts } = await made('Champs', `ponto-${task.id.replace(/\W/g, '')}`);
  ponto.control.setAccount(accounts[0]?.id ?? '', change);
  const { name, ...rest } = expected as { name?: string | RegExp };
  const [first] = (await read(secret)).accounts;
  expect(first).toMatchObject(rest);
  if (name) expect(first?.name).toMatch(name);
});

/** The clock is at 2026-01-13T01:00:00Z. */
test.for([
  // At midnight of UTC, and at that of Paris: the thirteenth, as of the bank's answer on that day.
  ['2026-01-13T00:00:00.000Z', '2026-01-13T00:50:00Z', '2026-01-13T00:50:00Z', undefined],
  ['2026-01-12T23:00:00.000Z', '2026-01-13T00:50:00Z', '2026-01-13T00:50:00Z', undefined],
  ['2026-01-13', '2026-01-13T00:50:00Z', '2026-01-13T00:50:00Z', undefined],
  // The bank answered since and still gives the twelfth: a figure of that day's end.
  ['2026-01-12T00:00:00.000Z', '2026-01-13T00:50:00Z', '2026-01-12T00:00:00Z', true],
  ['2026-01-11T23:00:00.000Z', '2026-01-13T00:50:00Z', '2026-01-11T23:00:00Z', true],
  // It answered on that very day: no later than that.
  ['2026-01-12T00:00:00.000Z', '2026-01-12T19:00:00Z', '2026-01-12T19:00:00Z', undefined],
  // A day that has not begun dates nothing, nor does a day without an answer of the bank date this minute.
  ['2026-01-14T00:00:00.000Z', '2026-01-13T00:50:00Z', '2026-01-13T00:50:00Z', undefined],
  ['2026-01-13T00:00:00.000Z', null, '2026-01-13T00:00:00Z', true],
  // A moment stays one.
  ['2026-01-12T19:00:00.000Z', '2026-01-13T00:50:00Z', '2026-01-12T19:00:00Z', undefined],
] as const)(
  'a figure of %s, answered at %s, has the day that the bank gave',
  async ([reference, synchronizedAt, asOf, isOfDay], { task }) => {
    const { secret, accounts } = await made('Jours', `ponto-${task.id.replace(/\W/g, '')}`);
    const override = { currentBalanceReferenceDate: reference };
    ponto.control.setAccount(accounts[0]?.id ?? '', { override, meta: { synchronizedAt } });
    const balance = (await read(secret)).accounts[0]?.balance;
    expect([balance?.asOf, balance?.isOfDay]).toEqual([new Date(asOf), isOfDay]);
  },
);

test.for(['12,50', '', {}, 1e20])(
  'a balance told as %j fails the reading',
  async (told, { task }) => {
    const { secret, accounts } = await made('Illisible', `ponto-${task.id.replace(/\W/g, '')}`);
    ponto.control.setAccount(accounts[0]?.id ?? '', { override: { currentBalance: told } });
    expect((await refusal(read(secret))).kind).toBe('unavailable');
  },
);

test('a list without any account is no word about the banks of its integration', async () => {
  const { secret, accounts } = await made('Vide un jour', 'ponto-emptied');
  const known = (await read(secret)).connections.map(({ id }) => id);
  ponto.control.setOrganization('ponto-emptied', { accounts: [] });
  await expect(read(secret, known)).rejects.toMatchObject({ kind: 'unavailable' });
  ponto.control.setOrganization('ponto-emptied', { accounts });
  expect((await read(secret, known)).unread).toEqual([]);
  const deprecated = accounts.map((one) => ({ ...one, deprecated: true }));
  ponto.control.setOrganization('ponto-emptied', { accounts: deprecated });
  expect(await read(secret, known)).toEqual({ connections: [], accounts: [], unread: [] });
});

test('accounts of an old connector, and those taken out of the integration, are left out', async () => {
  const { secret, accounts } = await made('Fermeture', 'ponto-closing');
  expect((await read(secret)).accounts.map(({ name }) => name)).not.toContain('Ancien accès');
  ponto.control.setOrganization('ponto-closing', { accounts: accounts.slice(1) });
  expect((await read(secret)).accounts.map(({ name }) => name)).not.toContain('Compte courant pro');
});

test.for([
  ['the bank does not answer Ponto', { bankError: 'bankUnavailable' }, 'unreachable'],
  ['Ponto says something unknown', { meta: { availability: 'readonly' } }, 'unknown'],
] as const)(
  'when %s, the bank says so and the figure keeps its date',
  async ([, change, state], { task }) => {
    const { secret, accounts } = await made('Pannes', `ponto-${task.id.replace(/\W/g, '')}`);
    clock.advance({ hours: 12 });
    const before = clock.now();
    ponto.control.setAccount(accounts[0]?.id ?? '', change);
    const { connections, accounts: found } = await read(secret);
    expect(connections.map((one) => one.state)).toEqual([state, 'ok']);
    const balance = found[0]?.balance;
    expect(balance?.asOf?.getTime()).toBeLessThanOrEqual(before.getTime());
    if (state !== 'unknown') expect(balance?.isUnrenewed).toBe(true);
    if (state === 'unknown') expect(connections[0]?.description).toContain('readonly');
  },
);

test.for([
  ['the bank ended the authorization', { bankError: 'authorizationExpired' }],
  ['the consent has ended by its date', { endsAt: '2026-01-13T01:00:00Z' }],
] as const)('when %s, the accounts of which it is so are named', async ([, change], { task }) => {
  const { secret, accounts } = await made('Fins', `ponto-${task.id.replace(/\W/g, '')}`);
  const others = new Date(accounts[2]?.endsAt ?? '');
  clock.advance({ hours: 12 });
  const conditions = [];
  for (const { id } of accounts.slice(0, 3)) {
    ponto.control.setAccount(id, change);
    const { connections, accounts: found } = await read(secret);
    expect(found[0]?.balance.isUnrenewed).toBe(true);
    conditions.push(connections[0]);
  }
  expect(conditions).toMatchObject([
    {
      ...{ state: 'unknown', authenticationExpiresAt: others },
      description:
        "L'accès au compte «\u202fCompte courant pro\u202f» a expiré. Renouvelez-le dans Ponto.",
    },
    {
      ...{ state: 'unknown', authenticationExpiresAt: others },
      description:
        "L'accès aux comptes «\u202fCompte courant pro\u202f» et «\u202fCompte en dollars\u202f» a expiré. Renouvelez-le dans Ponto.",
    },
    { state: 'renew', description: null },
  ]);
});

test.for([
  ['accountTransactions', 'bankUnavailable', 'ok', false],
  ['accountTransactions', 'authorizationExpired', 'unknown', false],
  ['accountDetails', 'bankUnavailable', 'unreachable', true],
  [undefined, 'bankUnavailable', 'unreachable', true],
] as const)(
  'a failed try for %s with %s leaves the bank %s',
  async ([subtype, code, state, isUnrenewed], { task }) => {
    const { secret, accounts } = await made('Essais', `ponto-${task.id.replace(/\W/g, '')}`);
    const attributes = { status: 'error', subtype, errors: [{ code }] };
    const meta = { latestSynchronization: { type: 'synchronization', id: '1', attributes } };
    ponto.control.setAccount(accounts[0]?.id ?? '', { meta });
    const { connections, accounts: found } = await read(secret);
    expect([connections[0]?.state, found[0]?.balance.isUnrenewed]).toEqual([state, isUnrenewed]);
  },
);

test('a bank whose name Ponto does not tell is read without it', async () => {
  const secret = await link(atelier);
  reopen();
  ponto.control.addFault({ kind: 'status', status: 500, path: '/financial-institutions' });
  const { connections, accounts } = await read(secret);
  for (const { bank } of [...connections, ...accounts]) {
    expect(bank).toMatchObject({ name: null, unnamed: 'Banque reliée par Ponto' });
  }
  ponto.control.clearFaults();
});

test('a long list is read to its end, and never at another address', async () => {
  const secret = await link(atelier);
  ponto.control.setBehaviour({ pageSize: 2 });
  expect((await read(secret)).accounts).toHaveLength(4);
  ponto.control.setBehaviour({ pageSize: 100, foreignNext: true });
  expect((await refusal(read(secret))).kind).toBe('refused');
  ponto.control.setBehaviour({ foreignNext: false });
});

test('a press that Ponto did not answer can be made again at once', async () => {
  const { secret } = await made('Reprise', 'ponto-again');
  const [connection] = (await read(secret)).connections;
  const press = async () => source.refreshNow?.(as(secret), connection?.id ?? '', clientDetails);
  ponto.control.addFault({ kind: 'drop', path: '/synchronizations' });
  expect((await refusal(press())).kind).toBe('unavailable');
  ponto.control.clearFaults();
  await press();
});

test('the button has the bank asked, with the address of the person, once in five minutes', async () => {
  const { secret } = await made('Bouton', 'ponto-button');
  clock.advance({ hours: 1 });
  const [connection] = (await read(secret)).connections;
  const press = () => source.refreshNow?.(as(secret), connection?.id ?? '', clientDetails);
  ponto.control.clearRequests();
  await press();
  const started = ponto.control.requests().filter(({ method }) => method === 'POST');
  expect(started.map(({ path }) => path)).toEqual(Array(3).fill('/synchronizations'));
  expect(JSON.parse(started[0]?.text ?? '').data.attributes).toMatchObject({
    ...{ subtype: 'accountDetails', customerIpAddress: '203.0.113.7' },
  });
  expect((await read(secret)).accounts[0]?.balance.asOf).toEqual(clock.now());
  clock.advance({ minutes: 4 });
  expect(await refusal(press() ?? Promise.resolve())).toMatchObject({
    ...{ kind: 'page-limit', retryAfterSeconds: 60 },
    sentence: "L'actualisation de cette banque vient d'être demandée. Réessayez dans une minute.",
  });
  clock.advance({ minutes: 1 });
  await press();
});

test.for([
  ['an account that Ponto refuses', { kind: 'status', status: 404, path: '/synchronizations' }],
  ['a look that fails', { kind: 'status', status: 500, path: '/synchronizations/' }],
] as const)('%s keeps the button from no other account', async ([name, fault]) => {
  const { secret, accounts } = await made(name, `ponto-${fault.status}`);
  clock.advance({ hours: 1 });
  const [connection] = (await read(secret)).connections;
  ponto.control.addFault({ ...fault, times: 1 });
  await source.refreshNow?.(as(secret), connection?.id ?? '', clientDetails);
  const renewed = accounts.filter(({ synchronizedAt }) => synchronizedAt !== null);
  expect(renewed.length).toBeGreaterThanOrEqual(2);
});

test('that Ponto itself finds a press too soon is told as such', async () => {
  const { secret, accounts } = await made('Ailleurs', 'ponto-elsewhere');
  for (const { id } of accounts) {
    ponto.control.setAccount(id, { synchronizedAt: clock.now().toISOString() });
  }
  const [connection] = (await read(secret)).connections;
  const press = source.refreshNow?.(as(secret), connection?.id ?? '', clientDetails);
  expect((await refusal(press ?? Promise.resolve())).kind).toBe('page-limit');
});

test('the banks of a country are listed without an access, once a day', async () => {
  const names = async (country: string) =>
    (await source.listBanks?.(country, null))?.map(({ name }) => name);
  expect(await names('FR')).toEqual([
    'Banque du Littoral - Espace Entreprises',
    ...['Crédit Coopérant', 'Comptoir Lyonnais Pro', 'Banque Ardoise Pro'],
  ]);
  expect(await names('BE')).toEqual(['Banque de Meuse']);
  ponto.control.clearRequests();
  await names('FR');
  expect(asked()).toEqual([]);
  clock.advance({ hours: 24 });
  ponto.control.addFault({ kind: 'drop', path: '/financial', times: null });
  expect((await refusal(names('FR'))).kind).toBe('unavailable');
});
