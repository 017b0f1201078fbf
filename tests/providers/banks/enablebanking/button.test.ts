import { beforeAll, beforeEach, expect, test } from 'vitest';
import {
  ana,
  clock,
  enable,
  items,
  linkNew,
  registerAddress,
  setUpHousehold,
} from './household.ts';

setUpHousehold();
beforeAll(() => registerAddress());
beforeEach(async () => {
  enable.control.setAccount(current(), { error: null, balances: null });
  await linkNew();
});

const current = () => enable.control.accounts('Banque du Littoral')[0]?.hash ?? '';
const press = async () => {
  const [{ id }] = await items();
  return await ana.post(`/banks/connections/${id}/refreshes`);
};
const closing = {
  ...{ balance_type: 'CLBD', balance_amount: { currency: 'EUR', amount: '12.00' } },
  reference_date: '2026-01-05',
};

test.for<[string, { error: string } | { balances: object[] }]>([
  ['does not answer', { error: 'ASPSP_ERROR' }],
  ['gives no figure', { balances: [] }],
  ['gives the figure of an earlier day', { balances: [closing] }],
])('a bank that %s when it is asked has given no newer figure', async ([, change]) => {
  clock.advance({ hours: 1 });
  enable.control.setAccount(current(), change);
  expect(await press()).toMatchObject({ status: 200, body: { has_newer_balances: false } });
});

test('a bank of which only an account that is not shown was read has given no newer figure', async () => {
  clock.advance({ hours: 1 });
  enable.control.setAccount(current(), { error: 'ASPSP_PSU_ACTION_REQUIRED' });
  expect((await press()).body).toMatchObject({ has_newer_balances: false, state: 'unreachable' });
  clock.advance({ hours: 1 });
  enable.control.setAccount(current(), { error: null });
  expect((await press()).body).toMatchObject({ has_newer_balances: true, state: 'ok' });
});
