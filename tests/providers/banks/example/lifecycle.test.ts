import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWorker, type Worker } from '../../../../src/server/app/worker.ts';
import { sealedColumns } from '../../../../src/server/operations/sealed-columns.ts';
import { countSealed } from '../../../../src/server/platform/vault/sealed-columns.ts';
import { configuredBridge } from '../../../../src/server/providers/banks/bridge/definition.ts';
import { type BridgeStandin, startBridgeStandin } from '../../../../standins/bridge/server.ts';
import { type Application, startApplication } from '../../../support/application.ts';
import { manualClock } from '../../../support/clock.ts';
import type { Person } from '../../../support/person.ts';
import { connectSlack } from '../../../support/slack.ts';
import { example as definition } from './definition.ts';
import { startExampleStandin } from './standin.ts';

const [team, channel] = ['T0FONTAINE', 'C0FGENERAL0'];
const key = 'sesame-0123456789';
const clock = manualClock();

let standin: Awaited<ReturnType<typeof startExampleStandin>>;
let bridge: BridgeStandin;
let app: Application;
let ana: Person;
beforeAll(async () => {
  [standin, bridge] = await Promise.all([startExampleStandin(), startBridgeStandin({ clock })]);
  const { url: apiUrl, clientId, clientSecret } = bridge;
  app = await startApplication({
    clock,
    configuration: {
      bankSources: [
        configuredBridge({ apiUrl, clientId, clientSecret, webhookSecrets: [] }),
        definition.configure({ EXAMPLE_API_URL: standin.url }) ?? [],
      ].flat(),
    },
  });
  ana = await app.signUp();
});
afterAll(async () => {
  await app.close();
  await Promise.all([standin.close(), bridge.close()]);
});

function hold(cents: number, at = clock.now()): void {
  const account = { ref: 'alpes/1', label: 'Compte des Alpes', cents, at: at.toISOString() };
  standin.keys.set(key, [account]);
}

const link = (values: object) => ana.post('/banks/sources/example/connections', { values });

const accounts = async () => (await ana.get('/bridge/accounts?types[]=checking')).body;

const secretsOf = () =>
  app.services.database.sql.selectFrom('bank_links').selectAll().where('user_id', '=', ana.id);

test('is offered beside the others, with the fields of its form', async () => {
  expect((await ana.get('/banks/sources')).body).toEqual([
    {
      ...{ source: 'bridge', name: 'Bridge', note: 'par Bridge', isLinked: false },
      connect: { kind: 'redirect', banks: 'there', access: null },
    },
    {
      ...{ source: 'example', name: 'Example', note: 'accès direct', isLinked: false },
      connect: {
        kind: 'form',
        steps: [],
        fields: [
          { name: 'key', label: 'Clé d’accès', secret: true, pattern: '\\S+', help: 'Un mot.' },
        ],
        isDemonstration: true,
        page: null,
      },
    },
  ]);
  expect((await ana.get('/bridge/items/connect')).body.redirect_url).toContain(bridge.url);
});

test('takes a key only when the service does, and says what was refused', async () => {
  expect(await link({ key: 'wrong' })).toMatchObject({
    status: 422,
    body: { code: 'Bank_Credentials_Refused', message: 'La banque refuse cette clé.' },
  });
  expect(await link({})).toMatchObject({
    status: 400,
    body: { details: [{ path: '/values/key' }] },
  });
  for (const source of ['bridge', 'nothing']) {
    const { status } = await ana.post(`/banks/sources/${source}/connections`, { values: { key } });
    expect([source, status]).toEqual([source, 404]);
  }
  expect((await ana.get('/bridge/items')).body).toEqual([]);
});

test('shows its balances beside those of another source, under numbers of ours', async () => {
  hold(123_456);
  const { status, body } = await link({ key });
  expect(status).toBe(201);
  expect(body).toMatchObject([
    {
      id: expect.any(Number),
      ...{ status: 0, state: 'ok', notice: null },
      bank: { id: expect.any(Number), name: 'Banque des Alpes' },
    },
  ]);
  bridge.control.link({ externalUserId: ana.id });
  const { body: items } = await ana.get('/bridge/items');
  expect(items.map(({ bank }: { bank: { name: string } }) => bank.name)).toEqual([
    'Banque des Alpes',
    'Banque du Littoral',
  ]);
  expect((await accounts())[0]).toMatchObject({
    ...{ name: 'Compte des Alpes', balance: 1234.56, currency_code: 'EUR' },
    ...{ item: { id: items[0].id }, updated_at: clock.now().toISOString() },
  });
});

test('keeps the key sealed, and shows it in no answer', async () => {
  const rows = await secretsOf().execute();
  expect(rows).toHaveLength(2);
  expect(JSON.stringify(rows)).not.toContain(key);
  expect(await countSealed(app.services, sealedColumns)).toMatchObject({ unreadable: 0 });
  const sealed = rows.find(({ source }) => source === 'example')?.sealed_secret ?? '';
  expect(app.services.vault.open(sealed, `bank_links/${ana.id}/example/secret`)).toBe(key);
  expect(JSON.stringify(app.answers)).not.toContain(key);
  expect(JSON.stringify((await ana.get('/users/me/export')).body)).not.toContain(key);
});

test('is read before a message, which says its balance', async () => {
  const { id } = await connectSlack(app, ana, team);
  const message = 'Le compte\u202f: {{solde:Compte des Alpes}}';
  await ana.patch(`/messengers/${id}`, { message, slackChannel: channel });
  const { body } = await ana.post(`/messengers/${id}/preview`, { message });
  expect(body.text).toContain('1\u202f234,56');
  hold(200_000, new Date('2026-01-13T07:00:00Z'));
  const worker: Worker = await startWorker(app.services);
  const posted = () => app.chat.control.messages(team, channel).map(({ text }) => text);
  clock.set('2026-01-13T07:58:30Z');
  await expect.poll(balanceStored, { timeout: 15_000 }).toBe(200_000);
  clock.set('2026-01-13T08:00:00Z');
  await expect.poll(posted, { timeout: 15_000 }).toHaveLength(1);
  await worker.stop();
  expect(posted()[0]).toContain('2\u202f000,00');
});

test('that no longer takes the key says so on the card, and a new key mends it', async () => {
  const [before] = (await ana.get('/bridge/items')).body;
  standin.keys.clear();
  const { status, body } = await ana.get('/bridge/items?fresh=1');
  expect(status).toBe(200);
  expect(body).toMatchObject([
    { id: before.id, state: 'credentials', notice: { action: { kind: 'edit' } } },
    { state: 'ok' },
  ]);
  hold(200_000);
  expect((await link({ key })).body).toMatchObject([{ id: before.id, state: 'ok' }]);
});

test('that does not answer leaves the last balances, and other sources, as they are', async () => {
  const before = await accounts();
  await standin.close();
  expect(await accounts()).toEqual(before);
});

test('is removed with its key, and the other source stays', async () => {
  const [mine, other] = (await ana.get('/bridge/items?stored=1')).body;
  expect((await ana.delete(`/bridge/items/${mine.id}`)).status).toBe(204);
  expect((await ana.get('/bridge/items')).body).toMatchObject([{ id: other.id }]);
  expect((await secretsOf().execute()).map(({ source }) => source)).toEqual(['bridge']);
});

async function balanceStored(): Promise<number | null> {
  const row = await app.services.database.sql
    .selectFrom('bank_accounts')
    .select('balance_minor')
    .where('user_id', '=', ana.id)
    .where('source', '=', 'example')
    .executeTakeFirst();
  return row?.balance_minor ?? null;
}
