import { afterAll, beforeAll, expect, test } from 'vitest';
import { type QontoStandin, startQontoStandin } from '../../../../standins/qonto/server.ts';
import { manualClock } from '../../../support/clock.ts';

let qonto: QontoStandin;
beforeAll(async () => {
  const clock = manualClock();
  qonto = await startQontoStandin({ clock });
  clock.advance({ days: 5 });
});
afterAll(() => qonto.close());

interface Answered {
  transactions?: { settled_at: string }[];
  errors?: { source?: { parameter: string } }[];
}

async function ask(change: Record<string, string>) {
  const [owner] = qonto.control.organizations();
  const query = new URLSearchParams({
    ...{ bank_account_id: owner?.accounts[0]?.id ?? '', 'status[]': 'completed' },
    ...change,
  });
  const headers = { authorization: `${owner?.slug}:${owner?.secretKey}` };
  const answer = await fetch(`${qonto.url}/v2/transactions?${query}`, { headers });
  return { status: answer.status, body: (await answer.json()) as Answered };
}

test.for([
  ['per_page', '0'],
  ['per_page', '101'],
  ['per_page', 'beaucoup'],
  ['page', '0'],
  ['page', '99'],
  ['status[]', 'nonsense'],
  ['settled_at_from', 'hier'],
  ['sort_by', 'colour:desc'],
  ['bank_account_id', ''],
] as const)('transactions by %s of %j are refused', async ([parameter, value]) => {
  const { status, body } = await ask({ [parameter]: value });
  expect([status, body.errors?.[0]?.source]).toEqual([422, { parameter }]);
});

test('transactions are those of the wanted states, in the wanted order', async () => {
  const days = async (change: Record<string, string>) =>
    (await ask(change)).body.transactions?.map(({ settled_at: at }) => at.slice(0, 10));
  const newestFirst = await days({});
  expect(newestFirst).toHaveLength(5);
  expect(await days({ sort_by: 'settled_at:desc', per_page: '100' })).toEqual(newestFirst);
  expect(await days({ sort_by: 'settled_at:asc' })).toEqual(newestFirst?.toReversed());
  expect(await days({ 'status[]': 'pending' })).toEqual([]);
});
