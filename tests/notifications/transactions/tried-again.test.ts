import { sql } from 'kysely';
import { expect, it } from 'vitest';
import {
  account,
  add,
  app,
  customer,
  linkAgain,
  readNow,
  refusedOn,
  sendNow,
  sentOn,
  setUpTransactions,
  soon,
  transaction,
} from './fixture.ts';

setUpTransactions();

/** The tries that come a minute and more later come now. */
async function tryAgain(): Promise<void> {
  const { sql: database } = app.services.database;
  const tries = async () =>
    (
      await sql<{ state: string; retry_count: number }>`select state, retry_count from pgboss.job
        where name = 'operations-reading' order by created_on desc limit 1`.execute(database)
    ).rows[0];
  await expect.poll(async () => (await tries())?.state, soon).toBe('retry');
  const count = (await tries())?.retry_count ?? 0;
  await sql`update pgboss.job set start_after = now()
    where name = 'operations-reading' and state = 'retry'`.execute(database);
  const isOver = async () => {
    const last = await tries();
    return last?.state === 'completed' || (last?.state === 'retry' && last.retry_count > count);
  };
  await expect.poll(isOver, soon).toBe(true);
}

it('the transactions of an account of which one is unreadable are told once after several tries', async () => {
  const { control } = app.bank;
  const good = transaction(1, -250, '2026-01-12', 'Loyer');
  control.setTransactions(account, [good, { ...transaction(9, 0, '2026-01-12'), amount: null }]);
  await add();
  await readNow();
  await tryAgain();
  control.setTransactions(account, [good]);
  await tryAgain();
  expect(await sendNow()).toBe('1 opération : −250,00 €');
});

it('of an account that its bank did not renew no message says that there were none, and nothing is lost', async () => {
  const { control } = app.bank;
  await add();
  control.setTransactions(account, [transaction(1, -250, '2026-01-12', 'Loyer')]);
  expect(await sentOn('2026-01-12')).toBe('1 opération : −250,00 €');
  control.setAccount(account, { last_refresh_status: 'failed' });
  const rest = '(sans Banque du Littoral, qui ne répond pas)';
  expect(await sentOn('2026-01-13')).toBe(`aucune opération sur les comptes lus ${rest}`);
  for (const id of customer.accounts) control.setAccount(id, { last_refresh_status: 'failed' });
  expect(await sentOn('2026-01-14')).toMatch(/^opérations non lues/);
  control.setTransactions(account, [
    transaction(1, -250, '2026-01-12', 'Loyer'),
    transaction(2, -40, '2026-01-12', 'Livre'),
  ]);
  expect(await sentOn('2026-01-15')).toBe(`1 opération : −40,00 € ${rest}`);
  for (const id of customer.accounts) control.setAccount(id, { last_refresh_status: 'successful' });
  control.setTransactions(account, [
    transaction(1, -250, '2026-01-12', 'Loyer'),
    transaction(2, -40, '2026-01-12', 'Livre'),
    transaction(3, -60, '2026-01-13', 'Gaz'),
  ]);
  expect(await sentOn('2026-01-16')).toBe('1 opération : −60,00 €');
});

it('the transactions of a silent bank are told by the message that arrives, however late', async () => {
  const { control } = app.bank;
  await add();
  expect(await sentOn('2026-01-12')).toBe('aucune opération');
  const days = [13, 14, 15, 16, 17, 18, 19, 20];
  const match = '/v3/aggregation/transactions';
  control.addFault({ match, kind: 'status', status: 503, times: null });
  for (const day of days.slice(0, 6)) {
    expect(await sentOn(`2026-01-${day}`)).toContain('opérations non lues');
  }
  control.clearFaults();
  control.setTransactions(
    account,
    days.map((day) => transaction(day, -1, `2026-01-${day}`)),
  );
  await refusedOn('2026-01-19');
  expect(await sentOn('2026-01-20')).toBe('8 opérations : −8,00 €');
  expect(await sentOn('2026-01-21')).toBe('aucune opération');
});

it('the transactions of a bank that is silent before the first message are told by a later one', async () => {
  const { control } = app.bank;
  const match = '/v3/aggregation/transactions';
  control.addFault({ match, kind: 'status', status: 503, times: null });
  await add();
  for (const day of [12, 13]) {
    expect(await sentOn(`2026-01-${day}`)).toContain('opérations non lues');
  }
  control.clearFaults();
  control.setTransactions(account, [
    transaction(10, -99, '2026-01-10'),
    // The first message would have told these.
    ...[11, 12].map((day) => transaction(day, -1, `2026-01-${day}`)),
    ...[13, 14].map((day) => transaction(day, -1, `2026-01-${day}`)),
  ]);
  expect(await sentOn('2026-01-14')).toBe('4 opérations : −4,00 €');
  expect(await sentOn('2026-01-15')).toBe('aucune opération');
});

it('what a bank posts late is told after a first reading of two tries whose message is refused', async () => {
  const { control } = app.bank;
  const match = '/v3/aggregation/transactions';
  control.addFault({ match, kind: 'status', status: 503, times: null });
  await add();
  await readNow();
  control.clearFaults();
  const days = [9, 11, 12].map((day) =>
    transaction(day, -1, `2026-01-${String(day).padStart(2, '0')}`),
  );
  control.setTransactions(account, days);
  await tryAgain();
  await refusedOn('2026-01-12');
  control.setTransactions(account, [...days, transaction(10, -5, '2026-01-10')]);
  expect(await sentOn('2026-01-13')).toBe('3 opérations : −7,00 €');
  expect(await sentOn('2026-01-14')).toBe('aucune opération');
});

it.each([true, false])(
  'what was read for a refused message is told through the link that replaces its own, silent before: %s',
  async (isSilent) => {
    const { control } = app.bank;
    const match = '/v3/aggregation/transactions';
    if (isSilent) control.addFault({ match, kind: 'status', status: 503, times: null });
    await add();
    const days = [11, 12, 13, 14];
    const ofDays = (from: number) =>
      days.map((day) => transaction(from + day, -1, `2026-01-${day}`));
    if (isSilent) expect(await sentOn('2026-01-12')).toContain('opérations non lues');
    control.clearFaults();
    control.setTransactions(account, ofDays(0).slice(0, 3));
    if (!isSilent) await refusedOn('2026-01-12');
    await refusedOn('2026-01-13');
    const again = linkAgain();
    await customer.person.get('/bridge/items?fresh=1');
    control.setItem(customer.itemId, { userUuid: 'nobody' });
    await customer.person.get('/bridge/items?fresh=1');
    control.setTransactions(again, ofDays(200));
    expect(await sentOn('2026-01-14')).toBe('4 opérations : −4,00 €');
    expect(await sentOn('2026-01-15')).toBe('aucune opération');
  },
);

it('what a bank posts late is told too where the bank was linked anew on that day', async () => {
  const { control } = app.bank;
  const days = [12, 13, 14];
  const give = (of: number, first: number, late: boolean) =>
    control.setTransactions(of, [
      ...days.map((day, at) => transaction(first + at, -1, `2026-01-${day}`)),
      ...(late ? [transaction(first + 90, -250, '2026-01-12')] : []),
    ]);
  give(account, 1, false);
  await add();
  expect(await sentOn('2026-01-14')).toBe('2 opérations : −2,00 €');
  control.setItem(customer.itemId, { userUuid: 'nobody' });
  give(linkAgain(), 201, true);
  await customer.person.get('/bridge/items?fresh=1');
  expect(await sentOn('2026-01-15')).toBe('1 opération : −250,00 €');
  expect(await sentOn('2026-01-16')).toBe('aucune opération');
});
