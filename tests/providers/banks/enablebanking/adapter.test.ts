import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { as, refusal } from '../source-fixture.ts';
import {
  askedFor,
  callbackUrl,
  clock,
  coastBank,
  enable,
  linked,
  read,
  reopen,
  setUpEnableBanking,
  source,
  submitForm,
  values,
} from './fixture.ts';

setUpEnableBanking();

test('calls are signed by the key of the application, for a short time', async () => {
  await submitForm({ ...values, applicationId: ` ${values.applicationId}\n` });
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
  await submitForm({ ...values, privateKey: values.privateKey.replaceAll('\n', ' ') });
  await submitForm({ ...values, privateKey: values.privateKey.replaceAll('\n', '') });
});

const certificate = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';

test('a key that stands beside its certificate is taken', async () => {
  await submitForm({ ...values, privateKey: certificate + values.privateKey });
  await submitForm({ ...values, privateKey: values.privateKey + certificate });
});

const other = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

test.for([
  ['a text', 'sésame', "n'est pas une clé privée"],
  ['a public key', other.publicKey, 'clé publique'],
  ['a certificate', certificate, 'certificat'],
  [
    'a protected key',
    '-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIB\n-----END ENCRYPTED PRIVATE KEY-----',
    'mot de passe',
  ],
  [
    'a protected key of the older form',
    '-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,AA\n\nMIIB\n-----END RSA PRIVATE KEY-----',
    'mot de passe',
  ],
  [
    'half a key',
    '-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----',
    "n'est pas une clé privée",
  ],
  ['another key', other.privateKey, "refuse cet identifiant d'application"],
] as const)('%s in place of the key is refused in French', async ([, privateKey, sentence]) => {
  const told = await refusal(submitForm({ ...values, privateKey }));
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
  expect(await refusal(submitForm())).toMatchObject({
    ...{ kind: 'credentials', sentence: expect.stringContaining(sentence) },
  });
  enable.control.setApplication(values.applicationId, usual);
});

test('the banks of a country are those for private persons, once the application is given', async () => {
  expect(await source.listBanks?.('FR', null)).toEqual([]);
  const secret = await submitForm();
  const names = async (country: string) =>
    (await source.listBanks?.(country, as(secret)))?.map(({ name }) => name);
  expect(await names('FR')).toEqual([
    ...['Banque du Littoral', 'Crédit Coopérant', 'Néo Pécule', 'Caisse du Lointain'],
  ]);
  expect(await names('BE')).toEqual(['Banque de Meuse']);
  await names('FR');
  expect(askedFor('/aspsps')).toHaveLength(2);
});

test('accounts are named by what they are, with the booked figure of the moment', async () => {
  const { connections, accounts } = await read(await linked());
  expect(connections).toMatchObject([
    {
      ...{ state: 'ok', bank: { id: `FR/${coastBank}`, name: coastBank } },
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
    'a closing balance before an interim one of an earlier day',
    [
      figure('ITBD', '1.00', { reference_date: '2026-01-08' }),
      figure('CLBD', '2.00', { reference_date: '2026-01-10' }),
    ],
    { minor: 200, asOf: new Date('2026-01-10T00:00:00Z') },
  ],
  [
    'an interim balance before a closing one of the same day',
    [
      figure('CLBD', '2.00', { reference_date: '2026-01-10' }),
      figure('ITBD', '1.00', { reference_date: '2026-01-10' }),
    ],
    { minor: 100 },
  ],
  [
    'an interim balance that has not moved for days before a closing one of yesterday',
    [
      figure('CLBD', '2.00', { reference_date: '2026-01-11' }),
      figure('ITBD', '1.00', { last_change_date_time: '2026-01-08T10:00:00Z' }),
    ],
    { minor: 100, asOf: new Date('2026-01-12T07:00:00Z') },
  ],
  [
    'a closing balance before an expected or available one of a later day',
    [
      figure('XPCD', '3.00', { reference_date: '2026-01-12' }),
      figure('ITAV', '4.00', { reference_date: '2026-01-12' }),
      figure('CLBD', '2.00', { reference_date: '2026-01-10' }),
    ],
    { minor: 200 },
  ],
  [
    'OTHR before CLAV',
    [figure('CLAV', '2.00'), figure('OTHR', '1.00')],
    { minor: 100, kind: 'unknown' },
  ],
  [
    'the newest of several of one kind',
    [
      figure('CLBD', '1.00', { reference_date: '2026-01-08' }),
      figure('CLBD', '3.00', { reference_date: '2026-01-10' }),
      figure('CLBD', '2.00', { reference_date: '2026-01-09' }),
    ],
    { minor: 300, asOf: new Date('2026-01-10T00:00:00Z') },
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
    'a current figure that has not moved for days as now',
    [figure('XPCD', '1.00', { last_change_date_time: '2026-01-09T10:00:00Z' })],
    { asOf: new Date('2026-01-12T07:00:00Z') },
  ],
  [
    'the one that changed last of several current ones',
    [
      figure('ITBD', '1.00', { last_change_date_time: '2026-01-08T10:00:00Z' }),
      figure('ITBD', '3.00', { last_change_date_time: '2026-01-10T10:00:00Z' }),
      figure('ITBD', '2.00', { last_change_date_time: '2026-01-09T10:00:00Z' }),
    ],
    { minor: 300, asOf: new Date('2026-01-12T07:00:00Z') },
  ],
  ['the end of a day that is not named without a date', [figure('CLBD', '1.00')], { asOf: null }],
  [
    'a day to come as now',
    [figure('CLBD', '1.00', { reference_date: '2030-01-09' })],
    { asOf: new Date('2026-01-12T07:00:00Z') },
  ],
] as const)('of a bank’s figures, %s is shown', async ([, balances, expected]) => {
  const [first] = enable.control.accounts(coastBank);
  enable.control.setAccount(first?.hash ?? '', { balances: [...balances] });
  expect((await read(await linked())).accounts[0]?.balance).toMatchObject(expected);
});

/** The clock is at 2026-01-12T07:00:00Z. */
test.for([
  // Closed at midnight of Paris: of no later day than the moment of its last change.
  [{ last_change_date_time: '2026-01-10T23:00:00Z' }, '2026-01-10T23:00:00Z', undefined],
  [{ last_change_date_time: '2026-01-12T05:00:00Z' }, '2026-01-12T05:00:00Z', undefined],
  [{ last_change_date_time: '2026-01-13T05:00:00Z' }, '2026-01-12T07:00:00Z', undefined],
  [
    { reference_date: '2026-01-10', last_change_date_time: '2026-01-10T23:00:00Z' },
    ...(['2026-01-10T00:00:00Z', true] as const),
  ],
  [{ reference_date: '2026-01-12' }, '2026-01-12T07:00:00Z', undefined],
] as const)('a closing balance told with %j is as of %s', async ([told, asOf, isOfDay]) => {
  const [first] = enable.control.accounts(coastBank);
  enable.control.setAccount(first?.hash ?? '', { balances: [figure('CLBD', '1.00', told)] });
  const balance = (await read(await linked())).accounts[0]?.balance;
  expect([balance?.asOf, balance?.isOfDay]).toEqual([new Date(asOf), isOfDay]);
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

test('a refused application that is given again elsewhere, and taken, is sent again', async () => {
  const secret = await linked();
  const where = source;
  const refused = { code: 401, message: '' };
  enable.control.addFault({ kind: 'status', status: 401, body: refused, path: '/sessions' });
  expect((await refusal(where.read(as(secret), null, []))).kind).toBe('credentials');
  enable.control.clearFaults();
  expect((await refusal(where.read(as(secret), null, []))).kind).toBe('credentials');
  reopen();
  clock.advance({ minutes: 1 });
  const again = await submitForm(values, secret);
  expect((await where.read(as(again), null, [])).accounts).toHaveLength(3);
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
  reopen();
  enable.control.addFault({ ...fault, path: '/sessions' });
  const told = await refusal(read(secret));
  expect(told.kind).toBe(kind);
  expect(told.said).not.toContain(values.privateKey.slice(40, 80));
  expect(told.said).not.toContain('Bearer');
});
