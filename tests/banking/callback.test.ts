import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { completeForms } from '../providers/banks/bridge/person-at-bank.ts';
import { type Application, startApplication } from '../support/application.ts';
import type { Person } from '../support/person.ts';
import { addCustomer, connectionIdOf } from './customer.ts';

let app: Application;
beforeAll(async () => {
  app = await startApplication();
});
// Together these tests ask more of the bank than one application may in so short a time.
beforeEach(() => app.services.database.sql.deleteFrom('bank_calls').execute());
afterAll(() => app.close());

test('a bank is added through the pages of the bank, and the way back says so', async () => {
  const person = await app.signUp();
  const { body } = await person.get('/bridge/items/connect');
  const back = await completeForms(body.redirect_url, [
    { bank: '574' },
    { action: 'login', login: 'success' },
    { action: 'accounts', account: 'all' },
  ]);
  expect(back.startsWith(`${app.url}/api/bridge/callback?`)).toBe(true);
  expect(await comeBack(back)).toBe(`${app.url}/?notice=bank-added`);
  app.clock.advance({ seconds: 5 });
  expect((await person.get('/bridge/items')).body).toMatchObject([{ status: 0 }]);
  expect(await comeBack(back)).toBe(`${app.url}/?notice=bank-failed`);
});

test('the validation of a business account clears its state', async () => {
  const { person } = await addCustomer(app, 'pro');
  expect((await person.get('/bridge/items')).body).toMatchObject([{ status: 1100 }]);
  const { body } = await person.get('/bridge/items/pro/confirmation/url');
  const back = await completeForms(body.redirect_url, [
    { action: 'certify', company: 'Durand SARL', person: 'Ana Durand' },
  ]);
  const page = await fetch(back);
  expect(page.headers.get('content-security-policy')).toMatch(
    /default-src 'none'; style-src 'sha256-/,
  );
  expect(await page.text()).toContain('Vous pouvez fermer cet onglet');
  app.clock.advance({ seconds: 5 });
  expect((await person.get('/bridge/items')).body).toMatchObject([{ status: 0 }]);
});

test('an edit that was abandoned says that nothing changed', async () => {
  const { person, itemId } = await addCustomer(app);
  await person.get('/bridge/items');
  const id = await connectionIdOf(app, itemId);
  const { body } = await person.get(`/bridge/items/edit/${id}`);
  const text = await (
    await fetch(await completeForms(body.redirect_url, [{ action: 'cancel' }]))
  ).text();
  expect(text).toContain("Rien n'a été modifié");
  expect(text).toContain('Vous pouvez fermer cet onglet');
});

test.for([
  ['success=false&step=sync_pending', 'bank-pending'],
  ['success=false&step=sync_error', 'bank-failed'],
  ['success=false&step=highlighted_banks', 'bank-cancelled'],
  ['', 'bank-cancelled'],
] as const)('coming back with "%s" is told as %s', async ([query, notice]) => {
  const context = await visitOf(await app.signUp());
  const back = `${app.url}/api/bridge/callback?context=${context}&${query}`;
  expect(await comeBack(back)).toBe(`${app.url}/?notice=${notice}`);
});

test('an unfinished visit may come back a second time', async () => {
  const context = await visitOf(await app.signUp());
  const back = (end: string) => `${app.url}/api/bridge/callback?context=${context}&${end}`;
  await comeBack(back('success=false&step=sync_pending'));
  expect(await comeBack(back('success=true'))).toBe(`${app.url}/?notice=bank-added`);
});

test('an unknown, expired, foreign or absurd return leads home and nowhere else', async () => {
  const context = await visitOf(await app.signUp());
  const failed = `${app.url}/?notice=bank-failed`;
  for (const query of [
    '',
    'context=unknown-nonce-0123456789&success=true',
    `context=${context}&user_uuid=somebody-else&success=true`,
    'context=https://elsewhere.test/&success=true&callback_url=https://elsewhere.test/',
    'context=a&context=b&success=true&success=false',
    'context=%0d%0aLocation:%20https://elsewhere.test/',
  ]) {
    const back = `${app.url}/api/bridge/callback?${query}`;
    expect([query, await comeBack(back)]).toEqual([query, failed]);
  }
  app.clock.advance({ hours: 24 });
  expect(await comeBack(`${app.url}/api/bridge/callback?context=${context}&success=true`)).toBe(
    failed,
  );
});

async function visitOf(person: Person): Promise<string> {
  const path = '/v3/aggregation/connect-sessions';
  app.bank.control.clearRequests();
  expect((await person.get('/bridge/items/connect')).status).toBe(200);
  const request = app.bank.control.requests().find((one) => one.path === path);
  return JSON.parse(request?.text ?? '{}').context;
}

async function comeBack(url: string): Promise<string | null> {
  const response = await fetch(url, { redirect: 'manual' });
  return response.headers.get('location');
}
