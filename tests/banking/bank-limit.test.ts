import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { configuredBridge } from '../../src/server/providers/banks/bridge/definition.ts';
import { configuredPonto } from '../../src/server/providers/banks/ponto/definition.ts';
import { configuredQonto } from '../../src/server/providers/banks/qonto/definition.ts';
import { type BridgeStandin, startBridgeStandin } from '../../standins/bridge/server.ts';
import { type PontoStandin, startPontoStandin } from '../../standins/ponto/server.ts';
import { type QontoStandin, startQontoStandin } from '../../standins/qonto/server.ts';
import { type Application, startApplication } from '../support/application.ts';
import { manualClock } from '../support/clock.ts';
import type { Person } from '../support/person.ts';

const clock = manualClock();
let qonto: QontoStandin;
let ponto: PontoStandin;
let bridge: BridgeStandin;
let app: Application;
beforeAll(async () => {
  [qonto, ponto, bridge] = await Promise.all([
    startQontoStandin({ clock }),
    startPontoStandin({ clock }),
    startBridgeStandin({ clock }),
  ]);
  const { url: apiUrl, clientId, clientSecret } = bridge;
  const bridgeSource = configuredBridge({ apiUrl, clientId, clientSecret, webhookSecrets: [] });
  app = await startApplication({
    clock,
    configuration: {
      bankSources: [bridgeSource, configuredQonto(qonto.url), configuredPonto(ponto.url)],
    },
  });
});
afterAll(async () => {
  await app.close();
  await Promise.all([qonto.close(), ponto.close(), bridge.close()]);
});

async function addBanks(person: Person, count: number): Promise<void> {
  await sql`insert into bank_connections (user_id, source, id, source_id, bank_id, bank_name, state,
      status, seen_at)
    select ${person.id}, 'bridge', nextval('bank_connection_ids'), 'x' || number, 1, 'Banque', 'ok', 0,
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
