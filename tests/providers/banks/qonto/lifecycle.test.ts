import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWorker } from '../../../../src/server/app/worker.ts';
import { scheduleDue } from '../../../../src/server/banking/refreshing/work.ts';
import { sealedColumns } from '../../../../src/server/operations/sealed-columns.ts';
import { countSealed } from '../../../../src/server/platform/vault/sealed-columns.ts';
import { configuredBridge } from '../../../../src/server/providers/banks/bridge/definition.ts';
import { configuredQonto } from '../../../../src/server/providers/banks/qonto/definition.ts';
import { type BridgeStandin, startBridgeStandin } from '../../../../standins/bridge/server.ts';
import { type QontoStandin, startQontoStandin } from '../../../../standins/qonto/server.ts';
import { type Application, startApplication } from '../../../support/application.ts';
import { manualClock } from '../../../support/clock.ts';
import type { Person } from '../../../support/person.ts';
import { connectSlack } from '../../../support/slack.ts';

/** A company's life with its own bank, told in order: each test goes on where the last one ended. */
const [team, channel] = ['T0FONTAINE', 'C0FGENERAL0'];
const login = 'atelier-exemple-1234';
const key = 'cle-demo-atelier';
const clock = manualClock();
let qonto: QontoStandin;
let bridge: BridgeStandin;
let app: Application;
let ana: Person;
beforeAll(async () => {
  [qonto, bridge] = await Promise.all([
    startQontoStandin({ clock }),
    startBridgeStandin({ clock }),
  ]);
  const { url: apiUrl, clientId, clientSecret } = bridge;
  const bridgeSource = configuredBridge({ apiUrl, clientId, clientSecret, webhookSecrets: [] });
  app = await startApplication({
    clock,
    configuration: { bankSources: [bridgeSource, configuredQonto(qonto.url)] },
  });
  ana = await app.signUp();
});
afterAll(async () => {
  await app.close();
  await Promise.all([qonto.close(), bridge.close()]);
});

const link = (values: object, person = ana) =>
  person.post('/banks/sources/qonto/connections', { values });
const items = async () => (await ana.get('/bridge/items')).body;
const accounts = async () => (await ana.get('/bridge/accounts?types[]=checking')).body;
const first = () => qonto.control.organizations()[0]?.accounts[0]?.id ?? '';

test('is offered after the direct way, with what to copy and from where', async () => {
  const { body } = await ana.get('/banks/sources');
  expect(body).toMatchObject([
    { source: 'bridge', connect: { kind: 'redirect' } },
    {
      ...{ source: 'qonto', name: 'Qonto' },
      connect: {
        kind: 'form',
        isDemonstration: true,
        steps: [expect.any(String), expect.any(String)],
        fields: [
          { name: 'login', secret: false },
          { name: 'key', secret: true },
        ],
      },
    },
  ]);
  expect((await ana.get('/bridge/items/connect')).body.redirect_url).toContain(bridge.url);
});

test('a wrong key is refused with a sentence, and nothing is linked', async () => {
  expect(await link({ login, key: 'une-mauvaise-cle' })).toMatchObject({
    status: 422,
    body: {
      code: 'Bank_Credentials_Refused',
      message: expect.stringContaining('Qonto refuse cet identifiant'),
    },
  });
  expect(await link({ login: 'pas un identifiant', key })).toMatchObject({
    status: 400,
    body: { details: [{ path: '/values/login' }] },
  });
  expect(await items()).toEqual([]);
});

test('wrong keys in a row cost time, also the time of the right one', async () => {
  const eve = await app.signUp();
  const ends: number[] = [];
  for (let tries = 0; tries < 12; tries += 1) {
    ends.push((await link({ login, key: `mauvaise-cle-${tries}` }, eve)).status);
  }
  expect([ends[0], ends.at(-1)]).toEqual([422, 429]);
  expect((await link({ login, key }, eve)).status).toBe(429);
  expect((await link({ login, key: 'encore-une-mauvaise' })).status).toBe(422);
});

test('the right key shows the balances of the moment, without an end of consent', async () => {
  const { status, body } = await link({ login, key });
  expect(status).toBe(201);
  expect(body).toMatchObject([
    {
      ...{ state: 'ok', notice: null, form: 'qonto', bank: { name: 'Qonto' } },
      last_successful_refresh: clock.now().toISOString(),
      authentication_expires_at: null,
    },
  ]);
  expect(await accounts()).toMatchObject([
    { name: 'Compte principal', balance: 1520.5, currency_code: 'EUR' },
    { name: 'Compte TVA', balance: 320, updated_at: clock.now().toISOString() },
  ]);
});

test('the key is sealed, and is in no answer', async () => {
  const rows = await app.services.database.sql.selectFrom('bank_links').selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(key);
  expect(await countSealed(app.services, sealedColumns)).toMatchObject({ unreadable: 0 });
  const all = [app.answers, (await ana.get('/users/me/export')).body];
  expect(JSON.stringify(all)).not.toContain(key);
});

test('it is read before a message, which says its balance', async () => {
  const { id } = await connectSlack(app, ana, team);
  const message = 'Qonto\u202f: {{solde:Compte principal}}';
  await ana.patch(`/messengers/${id}`, { message, slackChannel: channel });
  qonto.control.setAccount(first(), { override: { balance_cents: 200_000 } });
  const worker = await startWorker(app.services);
  const posted = () => app.chat.control.messages(team, channel).map(({ text }) => text);
  clock.set('2026-01-13T07:58:30Z');
  const stored = async () => (await ana.get('/bridge/accounts?stored=1')).body[0].balance;
  await expect.poll(stored, { timeout: 15_000 }).toBe(2000);
  clock.set('2026-01-13T08:00:00Z');
  await expect.poll(posted, { timeout: 15_000 }).toHaveLength(1);
  await worker.stop();
  expect(posted()[0]).toContain('2\u202f000,00');
});

test('of two organisations one that failed has both read again before the message', async () => {
  const studio = qonto.control.organizations().find(({ slug }) => slug !== login);
  await link({ login: studio?.slug ?? '', key: studio?.secretKey ?? '' });
  const bankSources = new Map([...app.services.bankSources].filter(([kind]) => kind === 'qonto'));
  const services = { ...app.services, bankSources };
  clock.set('2026-01-14T07:46:00Z');
  qonto.control.addFault({ kind: 'status', status: 503, times: 1 });
  await app.services.bankRefreshes.refresh(ana.id, 'qonto');
  expect(await scheduleDue(services)).toBe(0);
  clock.set('2026-01-14T07:57:00Z');
  expect(await scheduleDue(services)).toBe(1);
  await app.services.bankRefreshes.refresh(ana.id, 'qonto');
  const [, other] = await items();
  expect((await ana.delete(`/bridge/items/${other.id}`)).status).toBe(204);
});

test.for([
  ['is down', { kind: 'status', status: 503 }],
  ['limits us', { kind: 'ratelimited', retryAfter: 30 }],
  ['answers what cannot be read', { kind: 'status', status: 200, body: { organization: {} } }],
] as const)('while Qonto %s, no figure and no date changes', async ([, fault]) => {
  const before = await accounts();
  clock.advance({ hours: 1 });
  qonto.control.addFault({ ...fault });
  expect(await ana.get('/bridge/accounts?types[]=checking&fresh=1')).toMatchObject({
    status: 503,
    body: { code: 'Bank_Unavailable' },
  });
  expect(await accounts()).toEqual(before);
  qonto.control.clearFaults();
});

test('a key that is revoked is said on the card, and the figures keep their date', async () => {
  const before = await accounts();
  qonto.control.setOrganization(login, { secretKey: 'cle-toute-neuve' });
  clock.advance({ hours: 1 });
  expect(await items()).toMatchObject([
    { state: 'credentials', notice: { action: { kind: 'edit' } } },
  ]);
  const after = await accounts();
  const figures = (rows: { balance: number; updated_at: string }[]) =>
    rows.map(({ balance, updated_at }) => [balance, updated_at]);
  expect(figures(after)).toEqual(figures(before));
});

test('a new key goes on with the same accounts and their history', async () => {
  const before = await accounts();
  const { body: history } = await ana.get(`/bridge/accounts/${before[0].id}/balances`);
  clock.advance({ hours: 24 });
  expect((await link({ login, key: 'cle-toute-neuve' })).body).toMatchObject([{ state: 'ok' }]);
  const after = await accounts();
  expect(after.map(({ id }: { id: number }) => id)).toEqual(
    before.map(({ id }: { id: number }) => id),
  );
  const { body: longer } = await ana.get(`/bridge/accounts/${before[0].id}/balances`);
  expect(longer.slice(0, history.length - 1)).toEqual(history.slice(0, -1));
  expect(longer.length).toBeGreaterThan(history.length);
});

test('a list without any account leaves the last balances, and the card says that there was no answer', async () => {
  const before = await accounts();
  const [organization] = qonto.control.organizations();
  const body = { organization: { id: organization?.id, bank_accounts: [] } };
  qonto.control.addFault({ kind: 'status', status: 200, times: null, body });
  expect(await items()).toMatchObject([{ state: 'unreachable' }]);
  expect(await accounts()).toMatchObject(
    before.map(({ id: known }: { id: number }) => ({ id: known })),
  );
  qonto.control.clearFaults();
  expect(await items()).toMatchObject([{ state: 'ok' }]);
});

test('an account that was closed at Qonto is hidden', async () => {
  qonto.control.setAccount(first(), { status: 'closed' });
  expect((await accounts()).map(({ name }: { name: string }) => name)).toEqual(['Compte TVA']);
});

test('nobody links, sees or removes the bank of somebody else', async () => {
  const eve = await app.signUp();
  const [mine] = await items();
  expect((await eve.get('/bridge/items')).body).toEqual([]);
  expect((await eve.delete(`/bridge/items/${mine.id}`)).status).toBe(204);
  expect(await items()).toHaveLength(1);
});

test('a removed bank goes with its key', async () => {
  const [mine] = await items();
  expect((await ana.delete(`/bridge/items/${mine.id}`)).status).toBe(204);
  expect(await items()).toEqual([]);
  const rows = await app.services.database.sql
    .selectFrom('bank_links')
    .select('source')
    .where('user_id', '=', ana.id)
    .where('source', '=', 'qonto')
    .execute();
  expect(rows).toEqual([]);
});

test('an access that is forgotten during its first reading leaves no bank behind', async () => {
  const zoe = await app.signUp();
  const { secretKey } = qonto.control.addOrganization('atelier-hatif-1', 'Hâtif');
  qonto.control.clearRequests();
  // The check of the key is answered at once, the reading after it late.
  for (const ms of [1, 3_000]) qonto.control.addFault({ kind: 'delay', ms, times: 1 });
  const linking = link({ login: 'atelier-hatif-1', key: secretKey }, zoe);
  await expect.poll(() => qonto.control.requests().length, { timeout: 15_000 }).toBe(2);
  expect((await zoe.delete('/banks/sources/qonto/access')).status).toBe(204);
  expect(await linking).toMatchObject({ status: 201, body: [] });
  expect((await zoe.get('/bridge/items?stored=1')).body).toEqual([]);
  expect((await zoe.get('/banks/sources')).body[1]).toMatchObject({ isLinked: false });
});
