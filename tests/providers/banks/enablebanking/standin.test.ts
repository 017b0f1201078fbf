import { expect, test } from 'vitest';
import { createSigner } from '../../../../src/server/providers/banks/enablebanking/keys.ts';
import { callbackUrl, clock, coastBank, enable, setUpEnableBanking, values } from './fixture.ts';

setUpEnableBanking();

const inDays = (days: number) => new Date(clock.now().getTime() + days * 86_400_000).toISOString();

const token = () => createSigner(clock)({ id: values.applicationId, key: values.privateKey });

/** A consent that is asked for as enablebanking.com/docs/api writes it, but for these fields. */
async function askConsent(change: object, authorization = `Bearer ${token()}`) {
  const body = {
    access: { valid_until: inDays(90), balances: true, transactions: false },
    aspsp: { name: coastBank, country: 'FR' },
    ...{ psu_type: 'personal', state: 'nonce', redirect_url: callbackUrl },
    ...change,
  };
  const headers = { authorization, 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  const answer = await fetch(`${enable.url}/auth`, init);
  const { error } = (await answer.json()) as { error?: string };
  return [answer.status, error];
}

test('a consent that asks for all that is needed has an address', async () => {
  expect(await askConsent({})).toEqual([200, undefined]);
});

test.for([
  ['of yesterday', { access: { valid_until: '2026-01-11T07:00:00Z' } }],
  ['up to this moment', { access: { valid_until: '2026-01-12T07:00:00Z' } }],
  ['of a day alone', { access: { valid_until: '2026-03-01' } }],
  ['without its zone', { access: { valid_until: '2026-03-01T00:00:00' } }],
  ['longer than the bank grants', { access: { valid_until: '2027-01-01T00:00:00Z' } }],
  ['without an end', { access: {} }],
  ['for nobody', { psu_type: undefined }],
  ['for a kind of person that is none', { psu_type: 'pirate' }],
  [
    'for a private person at a bank of companies',
    {
      aspsp: { name: 'Banque Ardoise Pro', country: 'FR' },
    },
  ],
  ['without a state', { state: undefined }],
  ['with an empty state', { state: '' }],
] as const)('a consent %s is refused', async ([, change]) => {
  clock.set('2026-01-12T07:00:00Z');
  expect(await askConsent(change)).toEqual([422, 'WRONG_REQUEST_PARAMETERS']);
});

test('a token is taken as a bearer alone', async () => {
  expect(await askConsent({}, token())).toEqual([401, 'UNAUTHORIZED_ACCESS']);
});
