import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { configuredEnableBanking } from '../../../../src/server/providers/banks/enablebanking/definition.ts';
import type { BankSource } from '../../../../src/server/providers/banks/port.ts';
import {
  type EnableBankingStandin,
  startEnableBankingStandin,
} from '../../../../standins/enablebanking/server.ts';
import { as, openSetting, presence, refusal } from '../source-setting.ts';

const setting = openSetting();
const { clock } = setting;
const callbackUrl = 'https://tirelire.exemple.fr/api/banks/callback/enablebanking';
const coast = 'Banque du Littoral';
let enable: EnableBankingStandin;
let source: BankSource;
let values: { applicationId: string; privateKey: string };
beforeAll(async () => {
  enable = await startEnableBankingStandin({ clock, redirectUrls: [callbackUrl] });
  const [application] = enable.control.applications();
  values = { applicationId: application?.id ?? '', privateKey: application?.privateKey ?? '' };
});
beforeEach(() => {
  enable.control.clearFaults();
  enable.control.clearRequests();
  enable.control.setLever({ closesOld: false });
  for (const { hash, type } of enable.control.accounts(coast)) {
    const error = type === 'CARD' ? 'ASPSP_ERROR' : null;
    enable.control.setAccount(hash, { error, balances: null, unattended: [] });
  }
  // A new one remembers no rest of an account.
  source = setting.open(configuredEnableBanking(enable.url));
});
afterAll(() => Promise.all([setting.close(), enable.close()]));

function redirectOf() {
  if (source.connect.kind !== 'redirect') throw new Error('no page');
  return source.connect;
}

const give = (given: Record<string, string> = values, known: string | null = null) =>
  redirectOf()
    .access?.link(given, callbackUrl)
    .then((keep) => keep(known)) ?? Promise.reject(new Error('no form'));

const session = { callbackUrl, nonce: '0123456789abcdef01234567' };

/** The person goes to the page of a bank, and comes back with what she decided. */
async function consentTo(
  secret: string,
  about: { bankId?: string; connectionId?: string } = { bankId: `FR/${coast}` },
  chosen?: string[],
) {
  const address = await redirectOf().begin(as(secret), { ...session, ...about });
  const back = new URL(enable.control.decide(address, 'allow', chosen));
  const query = Object.fromEntries(back.searchParams);
  const { nonce, outcome } = redirectOf().callback.read(query);
  expect([nonce, outcome]).toEqual([session.nonce, 'done']);
  const { complete } = redirectOf();
  if (!complete) throw new Error('nothing to complete');
  const completion = await complete(as(secret), query, presence, about.connectionId ?? null);
  const kept = completion.keep(secret);
  await completion.afterwards?.();
  return kept;
}

const linked = async () => consentTo(await give());
const read = (secret: string | null, present = false) =>
  source.read(as(secret), present ? presence : null, []);
const askedFor = (word: string) =>
  enable.control.requests().filter(({ path }) => path.includes(word));
const figures = async (secret: string, present = false) =>
  (await read(secret, present)).accounts.map(({ balance }) => balance.minor);

test('calls are signed by the key of the application, for a short time', async () => {
  await give({ ...values, applicationId: ` ${values.applicationId}\n` });
  const [asked] = enable.control.requests();
  const [head, claims] = String(asked?.headers.authorization)
    .replace('Bearer ', '')
    .split('.')
    .map((part, index) =>
      index < 2 ? JSON.parse(Buffer.from(part, 'base64url').toString()) : part,
    );
  expect(head).toEqual({ typ: 'JWT', alg: 'RS256', kid: values.applicationId });
  expect(claims).toMatchObject({ iss: 'enablebanking.com', aud: 'api.enablebanking.com' });
  expect(claims.exp - claims.iat).toBeLessThanOrEqual(3_600);
});

test('a key that lost its line ends, or has the older form, is taken', async () => {
  await give({ ...values, privateKey: values.privateKey.replaceAll('\n', ' ') });
  await give({ ...values, privateKey: values.privateKey.replaceAll('\n', '') });
});

const other = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

test.for([
  ['a text', 'sésame', "n'est pas une clé privée"],
  ['a public key', other.publicKey, 'clé publique'],
  ['a certificate', '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----', 'certificat'],
  [
    'a protected key',
    '-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIB\n-----END ENCRYPTED PRIVATE KEY-----',
    'mot de passe',
  ],
  [
    'half a key',
    '-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----',
    "n'est pas une clé privée",
  ],
  ['another key', other.privateKey, "refuse cet identifiant d'application"],
] as const)('%s in place of the key is refused in French', async ([, privateKey, sentence]) => {
  const told = await refusal(give({ ...values, privateKey }));
  expect(told).toMatchObject({ kind: 'credentials', sentence: expect.stringContaining(sentence) });
  expect(told.said).not.toContain(other.privateKey.slice(40, 80));
});

test.for([
  [{ active: false }, "n'est pas encore active"],
  [{ redirectUrls: ['https://ailleurs.exemple.fr/'] }, callbackUrl],
  [{ services: ['PIS'] }, 'AIS'],
] as const)('an application with %j is refused with what to do', async ([change, sentence]) => {
  const usual = { active: true, redirectUrls: [callbackUrl], services: ['AIS'] };
  enable.control.setApplication(
    values.applicationId,
    structuredClone({ ...usual, ...change }) as object,
  );
  expect(await refusal(give())).toMatchObject({
    ...{ kind: 'credentials', sentence: expect.stringContaining(sentence) },
  });
  enable.control.setApplication(values.applicationId, usual);
});

test('the banks of a country are those for private persons, once the application is given', async () => {
  expect(await source.listBanks?.('FR', null)).toEqual([]);
  const secret = await give();
  const names = async (country: string) =>
    (await source.listBanks?.(country, as(secret)))?.map(({ name }) => name);
  expect(await names('FR')).toEqual([
    ...['Banque du Littoral', 'Crédit Coopérant', 'Néo Pécule', 'Caisse du Lointain'],
  ]);
  expect(await names('BE')).toEqual(['Banque de Meuse']);
  await names('FR');
  expect(askedFor('/aspsps')).toHaveLength(2);
});

test('a consent is asked for as long as the bank grants it, an hour less', async () => {
  await linked();
  const [asked] = askedFor('/auth');
  const body = JSON.parse(asked?.text ?? '');
  expect(body).toMatchObject({
    aspsp: { name: coast, country: 'FR' },
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

test('accounts are named by what they are, with the booked figure of the moment', async () => {
  const { connections, accounts } = await read(await linked());
  expect(connections).toMatchObject([
    {
      ...{ state: 'ok', bank: { id: `FR/${coast}`, name: coast } },
      lastSuccessfulRefresh: clock.now(),
      authenticationExpiresAt: new Date(clock.now().getTime() + (180 * 24 - 1) * 3_600_000),
    },
  ]);
  expect(accounts.map(({ name, type }) => [name, type])).toEqual([
    ['Compte courant', 'checking'],
    ['Livret A', 'savings'],
    ['Carte à débit différé', 'card'],
  ]);
  expect(accounts[0]?.balance).toMatchObject({ minor: 152_050, kind: 'booked', asOf: clock.now() });
  // A card that its bank never tells: its figure stays unknown, and the bank is in order.
  expect(accounts[2]?.balance).toMatchObject({ minor: null, isUnrenewed: true });
});

const amount = (value: string, currency = 'EUR') => ({ currency, amount: value });
const figure = (balance_type: string, value: string, more: object = {}) => ({
  ...{ name: '', balance_type, balance_amount: amount(value), ...more },
});

test.for([
  [
    'CLBD before XPCD',
    [figure('XPCD', '2.00'), figure('CLBD', '1.00')],
    { minor: 100, kind: 'booked' },
  ],
  ['ITBD before CLBD', [figure('CLBD', '2.00'), figure('ITBD', '1.00')], { minor: 100 }],
  [
    'OTHR before CLAV',
    [figure('CLAV', '2.00'), figure('OTHR', '1.00')],
    { minor: 100, kind: 'unknown' },
  ],
  ['CLAV alone', [figure('CLAV', '2.00')], { minor: 200, kind: 'available' }],
  ['a type of its own before none', [figure('XYZ', '3.00')], { minor: 300, kind: 'unknown' }],
  ['a debt', [figure('ITBD', '-12.34')], { minor: -1234 }],
  [
    'the currency of the account first',
    [figure('ITBD', '9.00', { balance_amount: amount('9.00', 'USD') }), figure('CLAV', '1.00')],
    { minor: 100, currency: 'EUR' },
  ],
  [
    'another currency alone',
    [figure('ITBD', '', { balance_amount: amount('900', 'JPY') })],
    { minor: 900, currency: 'JPY' },
  ],
  ['nothing', [], { minor: null, isUnrenewed: true }],
  ['no amount', [{ balance_type: 'ITBD' }], { minor: null, isUnrenewed: true }],
  [
    'the day of the figure',
    [figure('CLBD', '1.00', { reference_date: '2026-01-09' })],
    { asOf: new Date('2026-01-09T00:00:00Z') },
  ],
  [
    'a day to come as now',
    [figure('CLBD', '1.00', { reference_date: '2030-01-09' })],
    { asOf: new Date('2026-01-12T07:00:00Z') },
  ],
] as const)('of a bank’s figures, %s is shown', async ([, balances, expected]) => {
  const [first] = enable.control.accounts(coast);
  enable.control.setAccount(first?.hash ?? '', { balances: [...balances] });
  expect((await read(await linked())).accounts[0]?.balance).toMatchObject(expected);
});

test('without the person an account is read four times a day, and keeps its figure after that', async () => {
  const secret = await linked();
  enable.control.clearRequests();
  for (let readings = 0; readings < 6; readings += 1) await read(secret);
  const [first] = enable.control.accounts(coast);
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
  expect(enable.control.accounts(coast)[0]?.unattended).toEqual([]);
  const [asked] = askedFor('/balances');
  expect(asked?.headers).toMatchObject({
    ...{ 'psu-ip-address': '203.0.113.7', 'psu-user-agent': 'Navigateur' },
  });
  expect(asked?.headers).not.toHaveProperty('psu-referer');
});

test('a bank that wants what the browser does not tell is read as without the person', async () => {
  const secret = await consentTo(await give(), { bankId: 'FR/Caisse du Lointain' });
  expect((await figures(secret, true))[0]).not.toBeNull();
  const [asked] = askedFor('/balances');
  expect(Object.keys(asked?.headers ?? {}).filter((name) => name.startsWith('psu-'))).toEqual([]);
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

test('an account that the bank no longer knows is no longer shared', async () => {
  const secret = await linked();
  const extra = { status: 404 };
  enable.control.addFault({
    ...{ kind: 'error', code: 'ACCOUNT_DOES_NOT_EXIST', extra, path: '/accounts', times: 1 },
  });
  const { accounts, unshared } = await read(secret);
  expect(accounts).toHaveLength(2);
  expect(unshared).toHaveLength(1);
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

test.for([
  [{ kind: 'status', status: 401, body: { code: 401, message: '' } }, 'credentials'],
  [
    { kind: 'status', status: 403, body: { code: 403, message: 'Application is not active' } },
    'credentials',
  ],
  [{ kind: 'status', status: 401, body: '<html>' }, 'unavailable'],
  [{ kind: 'status', status: 400 }, 'refused'],
  [{ kind: 'status', status: 500 }, 'unavailable'],
  [
    { kind: 'status', status: 302, headers: { location: 'https://elsewhere.invalid/' } },
    'unavailable',
  ],
  [{ kind: 'ratelimited', retryAfter: 30 }, 'limited'],
  [{ kind: 'html' }, 'unavailable'],
  [{ kind: 'truncated' }, 'unavailable'],
  [{ kind: 'drop' }, 'unavailable'],
] as const)('an answer that fails as %j is told as %s, without the key', async ([fault, kind]) => {
  const secret = await linked();
  source = setting.open(configuredEnableBanking(enable.url));
  enable.control.addFault({ ...fault, path: '/sessions' });
  const told = await refusal(read(secret));
  expect(told.kind).toBe(kind);
  expect(told.said).not.toContain(values.privateKey.slice(40, 80));
  expect(told.said).not.toContain('Bearer');
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

test('the same accounts, added once more, are the same connection; others are another', async () => {
  const secret = await linked();
  enable.control.setLever({ closesOld: true });
  const again = await consentTo(secret);
  expect((await read(again)).connections).toHaveLength(1);
  const more = await consentTo(again, { bankId: 'FR/Crédit Coopérant' });
  expect((await read(more)).connections.map(({ bank }) => bank.name)).toEqual([
    ...[coast, 'Crédit Coopérant'],
  ]);
});

test('two consents that are given at once are both kept', async () => {
  const secret = await give();
  const [one, two] = await Promise.all(
    [coast, 'Crédit Coopérant'].map(async (name) => {
      const address = await redirectOf().begin(as(secret), { ...session, bankId: `FR/${name}` });
      const back = new URL(enable.control.decide(address, 'allow'));
      const query = Object.fromEntries(back.searchParams);
      return redirectOf().complete?.(as(secret), query, presence, null);
    }),
  );
  const kept = two?.keep(one?.keep(secret) ?? null) ?? null;
  expect((await read(kept)).connections).toHaveLength(2);
});

test('a consent without accounts is told as such', async () => {
  expect((await refusal(consentTo(await give(), undefined, []))).kind).toBe('no-accounts');
});

test('what comes back refused, broken or foreign is never exchanged', async () => {
  const { read: readBack } = redirectOf().callback;
  expect(readBack({ state: 'x', error: 'access_denied' }).outcome).toBe('cancelled');
  expect(readBack({ state: 'x', error: 'server_error' }).outcome).toBe('failed');
  const named = { state: `${session.nonce}.${values.applicationId}`, code: 'one' };
  expect(readBack(named)).toMatchObject({ nonce: session.nonce, outcome: 'done' });
  const secret = await give();
  const wrong = redirectOf().complete?.(as(secret), { code: 'stolen' }, presence, null);
  expect((await refusal(wrong ?? Promise.resolve())).kind).toBe('refused');
});

/** What is left of the secret once a connection is removed. */
const removed = async (secret: string | null, id: string, others: string[]) =>
  (await source.removeConnection(as(secret), id, others))?.(secret) ?? null;

test('removing closes the consent, and forgets the key with the last one', async () => {
  const secret = await consentTo(await linked(), { bankId: 'FR/Crédit Coopérant' });
  const [first, second] = (await read(secret)).connections.map(({ id }) => id);
  const rest = await removed(secret, first ?? '', [second ?? '']);
  expect((await read(rest)).connections.map(({ id }) => id)).toEqual([second]);
  enable.control.addFault({ kind: 'drop', path: '/sessions', times: 1 });
  const silent = source.removeConnection(as(rest), second ?? '', []);
  expect((await refusal(silent)).kind).toBe('unavailable');
  expect(await removed(rest, second ?? '', [])).toBeNull();
  expect(enable.control.sessions().slice(-2)).toMatchObject([
    { status: 'CLOSED' },
    { status: 'CLOSED' },
  ]);
  // Closed at the service already: done.
  expect(await removed(rest, second ?? '', [])).toBeNull();
});

test('the button lets resting accounts be asked again, once a minute', async () => {
  const secret = await linked();
  enable.control.addFault({ kind: 'ratelimited', path: '/accounts', times: 3 });
  await read(secret);
  const id = (await read(secret)).connections[0]?.id ?? '';
  const press = () => source.refreshNow?.(as(secret), id, presence) ?? Promise.resolve();
  await press();
  expect((await figures(secret, true))[0]).not.toBeNull();
  expect((await refusal(press())).kind).toBe('page-limit');
  clock.advance({ minutes: 1 });
  await press();
});
