import { describe, expect, it } from 'vitest';
import {
  account,
  add,
  app,
  customer,
  linkAgain,
  refusedOn,
  sentOn,
  setUpTransactions,
  transaction,
} from './fixture.ts';

setUpTransactions();

function removeFirst(): void {
  app.bank.control.setItem(customer.itemId, { userUuid: 'nobody' });
}

async function readBalances(): Promise<void> {
  expect((await customer.person.get('/bridge/items?fresh=1')).status).toBe(200);
}

/** Their balances are not read again: transactions are read before them in the hour of a message. */
async function leaveBalancesUnread(): Promise<void> {
  await app.services.database.sql
    .updateTable('bank_refreshes')
    .set({ refreshed_at: new Date('2026-02-01T00:00:00Z') })
    .where('user_id', '=', customer.person.id)
    .execute();
}

/** Of 1 € on each day, the first with this id. */
const oneEach = (first: number, days: number[]) =>
  days.map((day, at) => transaction(first + at, -1, `2026-01-${day}`));

describe('transactions of an account that has other ids', () => {
  it.each([
    ['the day before', '2026-01-13T05:00:00Z'],
    ['some days before', '2026-01-10T05:00:00Z'],
  ])('are told once where its balance is of %s', async (_words, updated_at) => {
    const { control } = app.bank;
    control.setAccount(account, { updated_at });
    control.setTransactions(account, oneEach(1, [11]));
    await add();
    expect(await sentOn('2026-01-12')).toBe('1 opération : −1,00 €');
    // Two that look the same are two.
    control.setTransactions(account, oneEach(1, [11, 12, 12]));
    expect(await sentOn('2026-01-13')).toBe('2 opérations : −2,00 €');
    removeFirst();
    const again = linkAgain();
    control.setAccount(again, { updated_at });
    await readBalances();
    await leaveBalancesUnread();
    control.setTransactions(again, oneEach(11, [11, 12, 12, 12, 13]));
    expect(await sentOn('2026-01-14')).toBe('2 opérations : −2,00 €');
    expect(await sentOn('2026-01-15')).toBe('aucune opération');
  });

  it.each([1010, 1007])(
    'are read through the access that works, while the other is at %s',
    async (status) => {
      const { control } = app.bank;
      await add();
      expect(await sentOn('2026-01-12')).toBe('aucune opération');
      // Its service goes on answering.
      control.setItem(customer.itemId, { status });
      const again = linkAgain();
      control.setTransactions(again, oneEach(11, [13]));
      await readBalances();
      expect(await sentOn('2026-01-13')).toBe('1 opération : −1,00 €');
      control.setTransactions(again, oneEach(11, [13, 14]));
      expect(await sentOn('2026-01-14')).toBe('1 opération : −1,00 €');
    },
  );

  it('are told by the next message where the one that told them did not arrive', async () => {
    const { control } = app.bank;
    control.setTransactions(account, oneEach(1, [11]));
    await add();
    expect(await sentOn('2026-01-12')).toBe('1 opération : −1,00 €');
    control.setTransactions(account, oneEach(1, [11, 12]));
    await refusedOn('2026-01-13');
    removeFirst();
    const again = linkAgain();
    await readBalances();
    control.setTransactions(again, oneEach(11, [11, 12]));
    expect(await sentOn('2026-01-14')).toBe('1 opération : −1,00 €');
    expect(await sentOn('2026-01-15')).toBe('aucune opération');
  });
});

it('a transaction that its bank withdraws and gives again under another id is told once', async () => {
  const given = transaction(1, -250, '2026-01-12', 'CB Dupont');
  app.bank.control.setTransactions(account, [given]);
  await add();
  expect(await sentOn('2026-01-12')).toBe('1 opération : −250,00 €');
  const again = transaction(2, -250, '2026-01-12', 'CARTE DUPONT');
  app.bank.control.setTransactions(account, [{ ...given, deleted: true }, again]);
  expect(await sentOn('2026-01-13')).toBe('aucune opération');
  // One more is another one.
  app.bank.control.setTransactions(account, [again, transaction(3, -250, '2026-01-12')]);
  expect(await sentOn('2026-01-14')).toBe('1 opération : −250,00 €');
});

describe('transactions of an account that comes by two connections', () => {
  it('are told once, and none is left out, when the first one is removed', async () => {
    const { control } = app.bank;
    const other = linkAgain();
    await readBalances();
    const give = (days: number[]) => {
      control.setTransactions(account, oneEach(1, days));
      // Each source writes its own labels.
      control.setTransactions(
        other,
        oneEach(11, days).map((one) => ({ ...one, clean_description: 'Virement' })),
      );
    };
    give([12]);
    await add();
    expect(await sentOn('2026-01-12')).toBe('1 opération : −1,00 €');
    give([12, 13]);
    expect(await sentOn('2026-01-13')).toBe('1 opération : −1,00 €');
    removeFirst();
    await readBalances();
    give([12, 13, 14]);
    expect(await sentOn('2026-01-14')).toBe('1 opération : −1,00 €');
    expect(await sentOn('2026-01-15')).toBe('aucune opération');
  });

  it('are read by the other one while the first does not answer, and by it still when it is removed', async () => {
    const { control } = app.bank;
    const other = linkAgain();
    await readBalances();
    const give = (days: number[]) => control.setTransactions(other, oneEach(11, days));
    control.setTransactions(account, oneEach(1, [12]));
    give([12]);
    await add();
    expect(await sentOn('2026-01-12')).toBe('1 opération : −1,00 €');
    // One that cannot be read makes its account unread.
    const broken = { ...transaction(9, 0, '2026-01-12'), amount: null };
    control.setTransactions(account, [...oneEach(1, [12, 13]), broken]);
    const days = [13, 14, 15, 16];
    for (const day of days) {
      give([12, ...days.filter((one) => one <= day)]);
      expect(await sentOn(`2026-01-${day}`)).toBe('1 opération : −1,00 €');
    }
    removeFirst();
    await readBalances();
    give([12, ...days, 17]);
    expect(await sentOn('2026-01-17')).toBe('1 opération : −1,00 €');
    expect(await sentOn('2026-01-18')).toBe('aucune opération');
  });

  it('are told once when the notification is turned from one to the other and back', async () => {
    const { control } = app.bank;
    const other = linkAgain();
    await readBalances();
    const rows = await app.services.database.sql
      .selectFrom('bank_accounts')
      .select(['id', 'source_id'])
      .where('user_id', '=', customer.person.id)
      .execute();
    const numberOf = (id: number) => rows.find((row) => row.source_id === String(id))?.id ?? 0;
    const { id } = await add();
    const choose = async (chosen: number) => {
      const accounts = { scope: 'chosen', chosen: [numberOf(chosen)], includesNew: false };
      expect((await customer.person.patch(`/messengers/${id}`, { accounts })).status).toBe(200);
    };
    const days: number[] = [];
    for (const [day, chosen] of [
      [12, account],
      [13, other],
      [14, account],
    ] as const) {
      days.push(day);
      control.setTransactions(account, oneEach(1, days));
      control.setTransactions(other, oneEach(11, days));
      await choose(chosen);
      expect(await sentOn(`2026-01-${day}`)).toBe('1 opération : −1,00 €');
    }
  });
});
