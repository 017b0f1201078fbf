import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { configuredBridge } from '../../src/server/providers/banks/bridge/definition.ts';
import { configuredEnableBanking } from '../../src/server/providers/banks/enablebanking/definition.ts';
import { configuredPonto } from '../../src/server/providers/banks/ponto/definition.ts';
import { configuredQonto } from '../../src/server/providers/banks/qonto/definition.ts';
import { tooManyBanks } from '../../src/shared/banks/returns.ts';
import { type BridgeStandin, startBridgeStandin } from '../../standins/bridge/server.ts';
import {
  type EnableBankingStandin,
  startEnableBankingStandin,
} from '../../standins/enablebanking/server.ts';
import { type PontoStandin, startPontoStandin } from '../../standins/ponto/server.ts';
import { type QontoStandin, startQontoStandin } from '../../standins/qonto/server.ts';
import { completeForms } from '../providers/banks/bridge/person-at-bank.ts';
import { type Application, startApplication } from '../support/application.ts';
import { manualClock } from '../support/clock.ts';
import type { Person } from '../support/person.ts';

const clock = manualClock();
let qonto: QontoStandin;
let ponto: PontoStandin;
let bridge: BridgeStandin;
let enable: EnableBankingStandin;
let app: Application;
beforeAll(async () => {
  [qonto, ponto, bridge, enable] = await Promise.all([
    startQontoStandin({ clock }),
    startPontoStandin({ clock }),
    startBridgeStandin({ clock }),
    startEnableBankingStandin({ clock }),
  ]);
  const { url: apiUrl, clientId, clientSecret } = bridge;
  const bridgeSource = configuredBridge({ apiUrl, clientId, clientSecret, webhookSecrets: [] });
  app = await startApplication({
    clock,
    configuration: {
      bankSources: [
        ...[bridgeSource, configuredQonto(qonto.url), configuredPonto(ponto.url)],
        configuredEnableBanking(enable.url),
      ],
    },
  });
  const redirectUrls = [`${app.url}/api/banks/callback/enablebanking`];
  for (const { id } of enable.control.applications()) {
    enable.control.setApplication(id, { redirectUrls });
  }
});
afterAll(async () => {
  await app.close();
  await Promise.all([qonto.close(), ponto.close(), bridge.close(), enable.close()]);
});

async function addBanks(person: Person, count: number, source = 'bridge'): Promise<void> {
  await sql`insert into bank_connections (user_id, source, id, source_id, bank_id, bank_name, state,
      status, seen_at)
    select ${person.id}, ${source}, nextval('bank_connection_ids'), 'x' || number, 1, 'Banque', 'ok', 0,
      ${clock.now()}::timestamptz
    from generate_series(1, ${count}::int) number`.execute(app.services.database.sql);
}

const link = (person: Person, login: string, key: string) =>
  person.post('/banks/sources/qonto/connections', { values: { login, key } });
const count = async (person: Person) => (await person.get('/bridge/items?stored=1')).body.length;

test('two banks that are linked at once do not pass the limit together', async () => {
  const ana = await app.signUp();
  await addBanks(ana, 49);
  const keys = ['atelier-un-1111', 'atelier-deux-2222'].map(
    (slug) => [slug, qonto.control.addOrganization(slug, slug).secretKey] as const,
  );
  const answers = await Promise.all(keys.map(([login, key]) => link(ana, login, key)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  expect(answers.map(({ body }) => body.code)).toContain('Too_Many_Banks');
  expect(await count(ana)).toBe(50);
  // Nothing of the other is kept: the next reading brings it no more than this one did.
  await ana.get('/bridge/items?fresh=1');
  expect(await count(ana)).toBe(50);
});

test('a bank among fifty takes a new key', async () => {
  const bob = await app.signUp();
  await addBanks(bob, 49);
  const made = qonto.control.addOrganization('atelier-trois-3333', 'Trois');
  expect((await link(bob, made.slug, made.secretKey)).status).toBe(201);
  qonto.control.setOrganization(made.slug, { secretKey: 'cle-neuve-trois' });
  expect((await link(bob, made.slug, 'cle-neuve-trois')).status).toBe(201);
  expect(await count(bob)).toBe(50);
});

const atelier = { clientId: 'ponto-atelier', clientSecret: 'secret-demo-atelier' };
const studio = { clientId: 'ponto-studio', clientSecret: 'secret-demo-studio' };

test('an integration of two banks leaves no room for another', async () => {
  const cleo = await app.signUp();
  await addBanks(cleo, 48);
  const integrate = (values: object) => cleo.post('/banks/sources/ponto/connections', { values });
  expect((await integrate(atelier)).status).toBe(201);
  expect(await count(cleo)).toBe(50);
  expect((await integrate(studio)).body.code).toBe('Too_Many_Banks');
  expect((await integrate(atelier)).status).toBe(201);
  expect(await count(cleo)).toBe(50);
});

test('banks of two sources that are linked at once do not pass the limit together', async () => {
  const dan = await app.signUp();
  await addBanks(dan, 49);
  const { secretKey } = qonto.control.addOrganization('atelier-quatre-4444', 'Quatre');
  const answers = await Promise.all([
    link(dan, 'atelier-quatre-4444', secretKey),
    dan.post('/banks/sources/ponto/connections', { values: studio }),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  expect(await count(dan)).toBe(50);
});

test('a bank whose connection is hidden takes a new key among fifty', async () => {
  const eve = await app.signUp();
  const { secretKey } = qonto.control.addOrganization('atelier-cinq-5555', 'Cinq');
  expect((await link(eve, 'atelier-cinq-5555', secretKey)).status).toBe(201);
  await sql`update bank_connections set gone_at = ${clock.now()}::timestamptz where user_id = ${eve.id}`.execute(
    app.services.database.sql,
  );
  await addBanks(eve, 50);
  expect((await link(eve, 'atelier-cinq-5555', secretKey)).status).toBe(201);
});

test('of two banks that were added on pages that stood open, the last one is not kept at Bridge', async () => {
  const fay = await app.signUp();
  await addBanks(fay, 49, 'elsewhere');
  const pages = [1, 2].map(async () => (await fay.get('/bridge/items/connect')).body.redirect_url);
  const backs: string[] = [];
  for (const page of await Promise.all(pages)) {
    backs.push(
      await completeForms(page, [
        { bank: '574' },
        { action: 'login', login: 'success' },
        { action: 'accounts', account: 'all' },
      ]),
    );
  }
  expect(bridge.control.items(fay.id)).toHaveLength(2);
  const ends: (string | null)[] = [];
  for (const back of backs) {
    ends.push((await fetch(back, { redirect: 'manual' })).headers.get('location'));
  }
  expect(ends).toEqual(['bank-added', 'bank-limit'].map((end) => `${app.url}/?notice=${end}`));
  expect(await count(fay)).toBe(50);
  expect(bridge.control.items(fay.id)).toHaveLength(1);
});

test('a bank above the limit that Bridge does not end at once is ended by the next reading', async () => {
  const gil = await app.signUp();
  expect((await gil.get('/bridge/items/connect')).status).toBe(200);
  await addBanks(gil, 50, 'elsewhere');
  bridge.control.link({ externalUserId: gil.id, providerId: 574 });
  const match = 'DELETE /v3/aggregation/items';
  bridge.control.addFault({ match, kind: 'status', status: 503 });
  expect((await gil.get('/bridge/items?fresh=1')).status).toBe(200);
  expect(await count(gil)).toBe(50);
  expect(bridge.control.items(gil.id)).toHaveLength(1);
  bridge.control.clearFaults();
  clock.advance({ minutes: 5 });
  await gil.get('/bridge/items?fresh=1');
  expect(await count(gil)).toBe(50);
  expect(bridge.control.items(gil.id)).toEqual([]);
});

test('of consents that are given on pages that stood open, none is left at Enable Banking above the limit', async () => {
  const source = '/banks/sources/enablebanking';
  const hal = await app.signUp();
  const [{ id, privateKey } = { id: '', privateKey: '' }] = enable.control.applications();
  const values = { applicationId: id, privateKey };
  expect((await hal.post(`${source}/connections`, { values })).status).toBe(201);
  await addBanks(hal, 49, 'elsewhere');
  const names = ['Banque du Littoral', 'Crédit Coopérant', 'Néo Pécule'];
  const queries: Record<string, string>[] = [];
  for (const name of names) {
    const { body } = await hal.post(`${source}/pages`, { bank: `FR/${name}` });
    const back = new URL(enable.control.decide(body.redirect_url, 'allow'));
    queries.push(Object.fromEntries(back.searchParams));
  }
  const finish = (query?: object) => hal.post(`${source}/returns`, { query });
  const [first, second, third] = queries;
  // Both before either is stored.
  for (const _of of [first, second]) {
    enable.control.addFault({ kind: 'delay', ms: 500, path: '/sessions', times: 1 });
  }
  const answers = await Promise.all([finish(first), finish(second)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const refusal = { status: 409, body: { code: 'Too_Many_Banks', message: tooManyBanks } };
  expect(answers.find(({ status }) => status === 409)).toMatchObject(refusal);
  expect(await count(hal)).toBe(50);
  const states = () => enable.control.sessions().map(({ status }) => status);
  expect(states().sort()).toEqual(['AUTHORIZED', 'CLOSED']);
  expect(await finish(third)).toMatchObject(refusal);
  expect(states()).toHaveLength(2);
  // A consent among fifty banks is renewed all the same.
  const items: { id: number; bank: { name: string } }[] = (await hal.get('/bridge/items?stored=1'))
    .body;
  const own = items.find(({ bank }) => names.includes(bank.name));
  const { body } = await hal.get(`/bridge/items/edit/${own?.id}`);
  const again = new URL(enable.control.decide(body.redirect_url, 'allow'));
  expect(await finish(Object.fromEntries(again.searchParams))).toMatchObject({
    ...{ status: 200, body: { purpose: 'edit', outcome: 'done' } },
  });
  expect(states().sort()).toEqual(['AUTHORIZED', 'CLOSED', 'CLOSED']);
});
