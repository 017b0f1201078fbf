import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWorker } from '../../../../src/server/app/worker.ts';
import { sendConsentReminders } from '../../../../src/server/banking/reminders/reminders.ts';
import { sealedColumns } from '../../../../src/server/operations/sealed-columns.ts';
import { countSealed } from '../../../../src/server/platform/vault/sealed-columns.ts';
import { configuredPonto } from '../../../../src/server/providers/banks/ponto/definition.ts';
import { type PontoStandin, startPontoStandin } from '../../../../standins/ponto/server.ts';
import { type Application, startApplication } from '../../../support/application.ts';
import { manualClock } from '../../../support/clock.ts';
import type { Person } from '../../../support/person.ts';
import { connectSlack } from '../../../support/slack.ts';

/** A company's banks through Ponto, told in order: each test goes on where the last one ended. */
const [team, channel] = ['T0FONTAINE', 'C0FGENERAL0'];
const pair = { clientId: 'ponto-atelier', clientSecret: 'secret-demo-atelier' };
const clock = manualClock();
let ponto: PontoStandin;
let app: Application;
let ana: Person;
beforeAll(async () => {
  ponto = await startPontoStandin({ clock });
  app = await startApplication({
    clock,
    configuration: { bankSources: [configuredPonto(ponto.url)] },
  });
  ana = await app.signUp();
});
afterAll(() => Promise.all([app.close(), ponto.close()]));

interface Account {
  id: number;
  name: string;
  balance: number;
  updated_at: string;
}

const link = (values: object) => ana.post('/banks/sources/ponto/connections', { values });
const items = async () => (await ana.get('/bridge/items')).body;
const accounts = async (): Promise<Account[]> =>
  (await ana.get('/bridge/accounts?types[]=checking')).body;
const ofAtelier = () => ponto.control.organizations()[0]?.accounts ?? [];
const secretsOf = () =>
  app.services.database.sql.selectFrom('bank_links').selectAll().where('user_id', '=', ana.id);

test('its banks are in the one list, and its form says what it costs', async () => {
  expect((await ana.get('/banks/directory')).body).toEqual({
    banks: expect.arrayContaining([
      { name: 'Crédit Coopérant', ways: [{ source: 'ponto', bank: expect.any(String) }] },
    ]),
    missing: [],
  });
  expect((await ana.get('/banks/sources')).body).toMatchObject([
    {
      ...{ source: 'ponto', note: expect.stringContaining('4\u202f€'), isLinked: false },
      connect: { kind: 'form', isDemonstration: true, page: `${ponto.url}/dashboard` },
    },
  ]);
});

test('while Ponto is silent the list comes without its banks, and says so', async () => {
  clock.advance({ hours: 25 });
  ponto.control.addFault({ kind: 'drop', path: '/financial', times: null });
  expect((await ana.get('/banks/directory')).body).toEqual({ banks: [], missing: ['Ponto'] });
  ponto.control.clearFaults();
});

test('a wrong secret is refused with a sentence, and nothing is linked', async () => {
  expect(await link({ ...pair, clientSecret: 'un-mauvais-secret' })).toMatchObject({
    status: 422,
    body: {
      code: 'Bank_Credentials_Refused',
      message: expect.stringContaining('Ponto refuse cet identifiant'),
    },
  });
  expect(await items()).toEqual([]);
  expect(await secretsOf().execute()).toEqual([]);
});

test('the right pair shows each bank with its figures and the end of its consent', async () => {
  const { status, body } = await link(pair);
  expect(status).toBe(201);
  expect(body).toMatchObject([
    {
      ...{ state: 'ok', form: 'ponto', can_refresh: true, removal_note: expect.any(String) },
      bank: { name: 'Banque du Littoral - Espace Entreprises' },
      authentication_expires_at: ofAtelier()[0]?.endsAt,
    },
    { bank: { name: 'Crédit Coopérant' } },
  ]);
  expect(await accounts()).toMatchObject([
    { name: 'Compte courant pro', currency_code: 'EUR' },
    { name: 'Compte en dollars', currency_code: 'USD' },
    { name: 'Compte de la coopérative' },
  ]);
});

test('the pair is sealed, and is in no answer', async () => {
  const rows = await secretsOf().execute();
  expect(JSON.stringify(rows)).not.toContain(pair.clientSecret);
  expect(await countSealed(app.services, sealedColumns)).toMatchObject({ unreadable: 0 });
  const all = [app.answers, (await ana.get('/users/me/export')).body];
  expect(JSON.stringify(all)).not.toContain(pair.clientSecret);
});

test('the button brings the figures of the moment, and no other person can press it', async () => {
  const [bank] = await items();
  clock.advance({ hours: 1 });
  const press = (person = ana) => person.post(`/banks/connections/${bank.id}/refreshes`);
  expect(await press()).toMatchObject({
    status: 200,
    body: {
      ...{ id: bank.id, last_successful_refresh: clock.now().toISOString() },
      has_newer_balances: true,
    },
  });
  expect((await accounts())[0]?.updated_at).toBe(clock.now().toISOString());
  expect(await press()).toMatchObject({
    status: 429,
    body: { message: expect.stringContaining('dans 5 minutes') },
  });
  expect((await press(await app.signUp())).status).toBe(404);
});

test('it is read before a message, which says its balance', async () => {
  const { id } = await connectSlack(app, ana, team);
  const message = 'Ponto\u202f: {{solde:Compte courant pro}}';
  await ana.patch(`/messengers/${id}`, { message, slackChannel: channel });
  ponto.control.setAccount(ofAtelier()[0]?.id ?? '', { override: { currentBalance: 2000 } });
  const worker = await startWorker(app.services);
  const posted = () => app.chat.control.messages(team, channel).map(({ text }) => text);
  clock.set('2026-01-14T07:58:30Z');
  const stored = async () => (await ana.get('/bridge/accounts?stored=1')).body[0].balance;
  await expect.poll(stored, { timeout: 15_000 }).toBe(2000);
  clock.set('2026-01-14T08:00:00Z');
  await expect.poll(posted, { timeout: 15_000 }).toHaveLength(1);
  await worker.stop();
  expect(posted()[0]).toContain('2\u202f000,00');
});

test.for([
  ['is down', { kind: 'status', status: 503 }],
  ['limits us', { kind: 'ratelimited', retryAfter: 30 }],
  ['answers what cannot be read', { kind: 'status', status: 200, body: { data: [{}] } }],
  ['answers with a page', { kind: 'html' }],
] as const)('while Ponto %s, no figure and no date changes', async ([, fault]) => {
  const before = await accounts();
  clock.advance({ minutes: 20 });
  ponto.control.addFault({ ...fault });
  expect(await ana.get('/bridge/accounts?types[]=checking&fresh=1')).toMatchObject({
    status: 503,
    body: { code: 'Bank_Unavailable' },
  });
  expect(await accounts()).toEqual(before);
  ponto.control.clearFaults();
});

test('an ending consent is said and mailed, and its link leads to the dashboard', async () => {
  const ends = new Date(clock.now().getTime() + 2.5 * 86_400_000).toISOString();
  for (const { id } of ofAtelier().slice(0, 3)) ponto.control.setAccount(id, { endsAt: ends });
  const [bank] = await items();
  expect(bank.notice).toMatchObject({ action: { label: 'Renouveler' } });
  await sendConsentReminders(app.services);
  const { body } = await ana.get(`/bridge/items/edit/${bank.id}`);
  expect(body).toEqual({ redirect_url: `${ponto.url}/dashboard` });
});

test('after its end the figures keep their date, and a renewal goes on with their history', async () => {
  clock.advance({ hours: 72 });
  const ended = await accounts();
  expect((await items())[0]).toMatchObject({
    state: 'renew',
    notice: { action: { kind: 'edit' } },
  });
  for (const { id, endsAt } of ofAtelier().slice(0, 3)) {
    expect(Date.parse(endsAt)).toBeLessThan(clock.now().getTime());
    ponto.control.setAccount(id, {
      ...{ authorizedAt: clock.now().toISOString(), id: `renewed-${id}` },
      endsAt: new Date(clock.now().getTime() + 180 * 86_400_000).toISOString(),
    });
  }
  expect(Date.parse(ended[0]?.updated_at ?? '')).toBeLessThan(clock.now().getTime() - 3_600_000);
  const { body: before } = await ana.get(`/bridge/accounts/${ended[0]?.id}/balances`);
  expect((await items())[0]).toMatchObject({ state: 'ok', notice: null });
  const renewed = await accounts();
  expect(renewed.map(({ id }) => id)).toEqual(ended.map(({ id }) => id));
  const { body: after } = await ana.get(`/bridge/accounts/${ended[0]?.id}/balances`);
  expect(after).toHaveLength(before.length + 1);
});

test('a revoked secret is said on the cards, and a new one mends them', async () => {
  const before = await accounts();
  ponto.control.setOrganization(pair.clientId, { clientSecret: 'un-secret-tout-neuf' });
  ponto.control.dropTokens();
  expect(await items()).toMatchObject([{ state: 'credentials' }, { state: 'credentials' }]);
  expect(await accounts()).toMatchObject(
    before.map(({ id, balance, updated_at }) => ({ id, balance, updated_at })),
  );
  const { body } = await link({ ...pair, clientSecret: 'un-secret-tout-neuf' });
  expect(body).toMatchObject([{ state: 'ok' }, { state: 'ok' }]);
});

test('of two integrations, the banks of one that fails stay, and say so', async () => {
  const studio = { clientId: 'ponto-studio', clientSecret: 'secret-demo-studio' };
  const { body } = await link(studio);
  expect(body).toHaveLength(4);
  const before = await accounts();
  ponto.control.setOrganization(studio.clientId, { clientSecret: 'un-autre-secret' });
  ponto.control.dropTokens();
  for (let readings = 0; readings < 3; readings += 1) {
    clock.advance({ hours: 2 });
    expect((await items()).map(({ state }: { state: string }) => state)).toEqual([
      ...['ok', 'ok', 'credentials', 'credentials'],
    ]);
  }
  expect((await accounts()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  for (const { id } of body.slice(2)) await ana.delete(`/bridge/items/${id}`);
  expect(await items()).toHaveLength(2);
});

test('an account that leaves the integration is hidden', async () => {
  const [, ...others] = ofAtelier();
  ponto.control.setOrganization(pair.clientId, { accounts: others });
  expect((await accounts()).map(({ name }) => name)).toEqual([
    'Compte en dollars',
    'Compte de la coopérative',
  ]);
});

test('of one IBAN in two currencies, each account is found again under its new id', async () => {
  const made = ponto.control.addOrganization('Deux devises', 'ponto-currencies');
  const [euros, dollars] = made.accounts;
  for (const { id } of [euros, dollars].flatMap((one) => one ?? [])) {
    ponto.control.setAccount(id, { override: { reference: 'FR7630004000031234567890143' } });
  }
  const bo = await app.signUp();
  const { clientId, clientSecret } = made;
  await bo.post('/banks/sources/ponto/connections', { values: { clientId, clientSecret } });
  const ofCurrencies = async () =>
    (await bo.get('/bridge/accounts?types[]=checking')).body
      .filter(({ name }: Account) => /courant|dollars/.test(name))
      .map(({ id, currency_code }: { id: number; currency_code: string }) => [currency_code, id])
      .toSorted();
  const before = await ofCurrencies();
  expect(before).toHaveLength(2);
  for (const [at, one] of [dollars, euros].entries()) {
    ponto.control.setAccount(one?.id ?? '', { id: `renewed-${at}` });
  }
  clock.advance({ hours: 2 });
  expect(await ofCurrencies()).toEqual(before);
});

test('an account that another integration gives too stays when the later card is removed', async () => {
  const [one, other] = ['ponto-one', 'ponto-other'].map((clientId) =>
    ponto.control.addOrganization(clientId, clientId),
  );
  const bo = await app.signUp();
  const shared = one?.accounts.slice(0, 1) ?? [];
  ponto.control.setOrganization('ponto-other', { accounts: shared });
  for (const made of [one, other]) {
    const values = { clientId: made?.clientId, clientSecret: made?.clientSecret };
    expect((await bo.post('/banks/sources/ponto/connections', { values })).status).toBe(201);
  }
  const list = async () => (await bo.get('/bridge/accounts?types[]=checking')).body;
  const found = async () =>
    (await list()).find(({ name }: Account) => name === 'Compte courant pro');
  const before = await found();
  expect((await bo.delete(`/bridge/items/${before.item.id}`)).status).toBe(204);
  const after = await found();
  expect(after.id).toBe(before.id);
  expect(after.item.id).not.toBe(before.item.id);
});

test('one bank is removed while the other stays, and the pair goes with the last', async () => {
  const [first, second] = await items();
  expect((await ana.delete(`/bridge/items/${first.id}`)).status).toBe(204);
  expect(await items()).toMatchObject([{ id: second.id }]);
  expect(await secretsOf().execute()).toHaveLength(1);
  expect((await ana.delete(`/bridge/items/${second.id}`)).status).toBe(204);
  expect(await items()).toEqual([]);
  expect(await secretsOf().execute()).toEqual([]);
});
