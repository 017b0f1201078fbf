import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { bankRefreshJobs } from '../../src/server/banking/jobs.ts';
import { startBankWork } from '../../src/server/banking/refreshing/work.ts';
import { runHourlyUpkeep } from '../../src/server/operations/upkeep/hourly.ts';
import { type Application, startApplication } from '../support/application.ts';
import type { Person } from '../support/person.ts';
import { takeJobs } from '../support/waiting-jobs.ts';
import { addCustomer, asked, connectionIdOf } from './customer.ts';

const [newer, older] = ['the newer secret', 'the older secret'];

let app: Application;
let closed: Application;
beforeAll(async () => {
  [app, closed] = await Promise.all([
    startApplication({ webhookSecrets: [newer, older] }),
    startApplication(),
  ]);
});
afterAll(() => Promise.all([app.close(), closed.close()]));
beforeEach(() => jobs());

test.for([
  ['the newer secret', sign([newer], 'upper')],
  ['the older secret', sign([older], 'upper')],
  ['lower-case digits', sign([newer], 'lower')],
  ['both secrets, the known one last', sign(['another', older], 'upper')],
  ['another scheme beside it', (body: string) => `v0=00, ${sign([newer], 'upper')(body)}`],
] as const)('a webhook signed with %s is taken', async ([, signature]) => {
  const body = JSON.stringify({ type: 'TEST_EVENT', content: {}, timestamp: 1 });
  expect(await post(app, body, signature(body))).toMatchObject({
    status: 200,
    body: { received: true },
  });
});

const forged = '0'.repeat(64);

test.for([
  ['without a signature', null],
  ['with an empty one', ''],
  ['signed by somebody else', sign(['another'], 'upper')('{}')],
  ['signed over another body', sign([newer], 'upper')('{ }')],
  ['with zeros', `v1=${forged}`],
  ['of another scheme', sign([newer], 'upper')('{}').replace('v1', 'v2')],
  ['cut short', sign([newer], 'upper')('{}').slice(0, -2)],
  ['with a bare digest', sign([newer], 'upper')('{}').slice(3)],
  ['with a thousand wrong ones', `v1=${forged},`.repeat(200)],
] as const)('a webhook %s is refused', async ([, signature]) => {
  expect(await post(app, '{}', signature)).toMatchObject({
    status: 401,
    body: { code: 'Signature_Invalid' },
  });
});

test('without a secret, nothing is believed', async () => {
  for (const signature of [null, sign([''], 'upper')('{}'), sign([newer], 'upper')('{}')]) {
    expect((await post(closed, '{}', signature)).status).toBe(401);
  }
});

test('a huge notice is not read', async () => {
  const body = `{"type":"item.refreshed","content":"${'x'.repeat(70_000)}"}`;
  expect((await post(app, body, sign([newer], 'upper')(body))).status).toBe(413);
});

test.for([
  ['no JSON', 'item.refreshed'],
  ['nothing', ''],
  ['a list', '[]'],
  ['null', 'null'],
  ['an unknown event', notice('bank.merged', { user_uuid: 'somebody' })],
  ['an event without content', '{"type":"item.refreshed"}'],
  ['an unknown user', notice('item.refreshed', { user_uuid: 'nobody', item_id: 1 })],
  ['a user who is no text', notice('item.refreshed', { user_uuid: { a: 1 } })],
  ['a user with U+0000', notice('item.refreshed', { user_uuid: 'a\u0000b' })],
] as const)('%s does no harm', async ([, body]) => {
  expect((await post(app, body, sign([newer], 'upper')(body))).status).toBe(200);
  expect(await jobs()).toEqual([]);
});

test('many webhooks of one refresh become one reading', async () => {
  const { person } = await addCustomer(app);
  for (let again = 0; again < 5; again += 1) await tell(person, 'item.account.updated');
  expect(await jobs()).toEqual([
    { userId: person.id, source: 'bridge', scheduledAt: app.clock.now().getTime() },
  ]);
});

test('what is forgotten by the queue is wanted again after ten minutes', async () => {
  const { person } = await addCustomer(app);
  await tell(person, 'item.refreshed');
  expect(await jobs()).toHaveLength(1);
  app.clock.advance({ minutes: 11 });
  await tell(person, 'item.refreshed');
  expect(await jobs()).toHaveLength(1);
});

test('each webhook has the bank read as it is now, whatever it says', async () => {
  const { person, itemId } = await addCustomer(app);
  await person.get('/bridge/items');
  await working(async () => {
    app.bank.control.setItem(itemId, { status: 1010 });
    await tell(person, 'item.refreshed', { item_id: itemId, status_code: 0 });
    await expect.poll(() => stored(person), polling).toMatchObject([{ status: 1010 }]);
    await tell(person, 'item.deleted', { item_id: itemId });
    app.bank.control.clearRequests();
    await expect.poll(() => asked(app, 'items'), polling).toBe(1);
    expect(await stored(person)).toMatchObject([{ status: 1010 }]);
  });
});

test('a bank that was deleted at the provider is erased here', async () => {
  const { person, itemId } = await addCustomer(app);
  await person.get('/bridge/items');
  await working(async () => {
    app.bank.control.setItem(itemId, { userUuid: 'nobody' });
    await tell(person, 'item.deleted', { item_id: itemId });
    await expect.poll(() => stored(person), polling).toEqual([]);
  });
});

test('a user who was deleted at the provider is erased here, and may come back', async () => {
  const [{ person }, other] = [await addCustomer(app), await addCustomer(app)];
  await person.get('/bridge/items');
  await other.person.get('/bridge/items');
  const uuid = await uuidOf(person);
  await working(async () => {
    app.bank.control.forgetUser(person.id);
    await tellOf(uuid, 'user.deleted');
    await expect.poll(() => isUnknown(person), polling).toBe(true);
    expect(await stored(person)).toHaveLength(1);
    await runHourlyUpkeep(app.services);
    expect(await jobs()).toEqual([]);
    app.clock.advance({ hours: 1 });
    // Neither a page nor a message asks: the data goes all the same.
    await runHourlyUpkeep(app.services);
    await expect.poll(() => stored(person), polling).toEqual([]);
    await expect.poll(() => uuidOf(person), polling).toBe('');
  });
  expect((await person.get('/bridge/items/connect')).status).toBe(200);
  app.bank.control.link({ externalUserId: person.id });
  expect((await person.get('/bridge/items')).body).toHaveLength(1);
});

test('the stand-in of the bank is believed when it links a bank', async () => {
  app.bank.control.setWebhook({
    url: `${app.url}/api/bridge/webhooks`,
    secrets: ['of a day ago', older],
  });
  const { person, itemId } = await addCustomer(app);
  await app.bank.control.settled();
  app.bank.control.setWebhook(null);
  await working(async () => {
    await expect.poll(() => stored(person), polling).toHaveLength(1);
    expect(await stored(person)).toMatchObject([{ id: await connectionIdOf(app, itemId) }]);
  });
});

const polling = { timeout: 15_000, interval: 50 };

async function working(act: () => Promise<void>): Promise<void> {
  const work = startBankWork(app.services);
  try {
    await act();
  } finally {
    await work.stop();
  }
}

async function stored(person: Person) {
  return (await person.get('/bridge/items?stored=1')).body;
}

async function jobs() {
  return await takeJobs(app.services.database.sql, bankRefreshJobs);
}

async function uuidOf(person: Person): Promise<string> {
  const row = await app.services.database.sql
    .selectFrom('bank_links')
    .select('provider_user_id')
    .where('user_id', '=', person.id)
    .executeTakeFirst();
  return row?.provider_user_id ?? '';
}

async function isUnknown(person: Person): Promise<boolean> {
  const row = await app.services.database.sql
    .selectFrom('bank_refreshes')
    .select('unknown_since')
    .where('user_id', '=', person.id)
    .executeTakeFirst();
  return Boolean(row?.unknown_since);
}

async function tell(person: Person, type: string, content: object = {}): Promise<void> {
  await tellOf(await uuidOf(person), type, content);
}

async function tellOf(user_uuid: string, type: string, content: object = {}): Promise<void> {
  const body = notice(type, { ...content, user_uuid });
  expect((await post(app, body, sign([newer], 'upper')(body))).status).toBe(200);
}

function notice(type: string, content: object): string {
  return JSON.stringify({ content, timestamp: 1_611_681_789_915, type });
}

function sign(secrets: string[], letters: 'upper' | 'lower') {
  return (body: string): string =>
    secrets
      .map((secret) => createHmac('sha256', secret).update(body).digest('hex'))
      .map((hex) => `v1=${letters === 'upper' ? hex.toUpperCase() : hex}`)
      .join(',');
}

function post(to: Application, body: string, signature: string | null) {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (signature !== null) headers['bridgeapi-signature'] = signature;
  return to.visitor.send('POST', '/bridge/webhooks', { body, headers });
}
