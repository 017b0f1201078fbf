import { expect, test } from 'vitest';
import { atelier, ponto, setUpPonto } from './fixture.ts';

setUpPonto();

const pair = btoa(`${atelier.clientId}:${atelier.clientSecret}`);

async function ask(path: string, init: RequestInit = {}) {
  const answer = await fetch(`${ponto.url}${path}`, init);
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

const openToken = (change: { method?: string; headers?: Record<string, string> } = {}) =>
  ask('/oauth2/token', {
    method: change.method ?? 'POST',
    headers: {
      authorization: `Basic ${pair}`,
      'content-type': 'application/x-www-form-urlencoded',
      ...change.headers,
    },
    body: 'grant_type=client_credentials',
  });

const token = async () => String((await openToken()).body.access_token);

const askAs = async (path: string, init: RequestInit = {}) =>
  ask(path, { ...init, headers: { authorization: `Bearer ${await token()}` } });

test.for([
  ['by another method', { method: 'PUT' }, 401, undefined],
  ['without its scheme', { headers: { authorization: pair } }, 401, 'invalid_client'],
  ['as plain text', { headers: { 'content-type': 'text/plain' } }, 400, 'invalid_request'],
] as const)('a token that is asked for %s is refused', async ([, change, status, error]) => {
  const answer = await openToken(structuredClone(change) as object);
  expect([answer.status, answer.body.error]).toEqual([status, error]);
});

test('a token is taken as a bearer alone', async () => {
  const answer = await ask('/accounts', { headers: { authorization: await token() } });
  expect(answer.status).toBe(401);
});

test.for([
  ['100', 200],
  ['1', 200],
  ['101', 400],
  ['5000', 400],
  ['0', 400],
  ['beaucoup', 400],
] as const)('a page of %s rows is answered with %d', async ([size, status]) => {
  expect((await askAs(`/accounts?page[limit]=${size}`)).status).toBe(status);
});

test.for([
  ['with all that is needed', {}, 201],
  ['without its subtype', { subtype: undefined }, 400],
  ['of another subtype', { subtype: 'everything' }, 400],
  ['without the kind of its resource', { resourceType: undefined }, 400],
  ['without an address', { customerIpAddress: undefined }, 400],
  ['with an address that is none', { customerIpAddress: 'here' }, 400],
] as const)('a synchronization %s (%j) is answered with %d', async ([, change, status]) => {
  const [account] = ponto.control.organizations()[0]?.accounts ?? [];
  ponto.control.setAccount(account?.id ?? '', { synchronizedAt: null });
  const attributes = {
    ...{ resourceType: 'account', resourceId: account?.id, subtype: 'accountDetails' },
    ...{ customerIpAddress: '203.0.113.7', ...change },
  };
  const body = JSON.stringify({ data: { type: 'synchronization', attributes } });
  expect((await askAs('/synchronizations', { method: 'POST', body })).status).toBe(status);
});
