import { describe, expect, it } from 'vitest';
import { readForMessage } from '../../../src/server/notifications/transactions/reading.ts';
import { BankSourceError } from '../../../src/server/providers/banks/failures.ts';
import {
  account,
  add,
  app,
  customer,
  pending,
  readNow,
  sendNow,
  sentOn,
  setUpTransactions,
  soon,
  transaction,
} from './fixture.ts';

setUpTransactions();

/** The two accounts, by our numbers. */
async function ours(): Promise<[number, number]> {
  const rows = await app.services.database.sql
    .selectFrom('bank_accounts')
    .select(['id', 'source_id'])
    .where('user_id', '=', customer.person.id)
    .execute();
  const idOf = (number = 0) => rows.find(({ source_id }) => source_id === String(number))?.id ?? 0;
  const [one, other] = customer.accounts;
  return [idOf(one), idOf(other)];
}

function giveBoth(): void {
  const [one = 0, other = 0] = customer.accounts;
  app.bank.control.setTransactions(one, [transaction(1, 10, '2026-01-12')]);
  app.bank.control.setTransactions(other, [transaction(2, 77, '2026-01-12')]);
}

async function choose(id: string, chosen: number[]): Promise<void> {
  const accounts = { scope: 'chosen', chosen, includesNew: false };
  expect((await customer.person.patch(`/messengers/${id}`, { accounts })).status).toBe(200);
}

/** Its accounts stay hidden as a test hides them: the bank, which lists them still, is not read again. */
async function leaveBankUnread(): Promise<void> {
  await app.services.database.sql
    .updateTable('bank_refreshes')
    .set({ refreshed_at: new Date('2026-02-01T00:00:00Z') })
    .where('user_id', '=', customer.person.id)
    .execute();
}

describe('transactions of the accounts that a notification covers', () => {
  it.each([
    ['whose owner takes it out before the message', true],
    ['that its bank does not list as the message is sent', false],
  ])('are told by a later message of an account %s', async (_words, isByOwner) => {
    const [one, other] = await ours();
    await leaveBankUnread();
    giveBoth();
    const { id } = await add();
    await readNow();
    const { sql: database } = app.services.database;
    const hide = (gone_at: Date | null) =>
      database.updateTable('bank_accounts').set({ gone_at }).where('id', '=', other).execute();
    if (isByOwner) await choose(id, [one]);
    else await hide(app.clock.now());
    expect(await sendNow()).toBe('1 opération : +10,00 €');
    if (isByOwner) await choose(id, [one, other]);
    else await hide(null);
    expect(await sentOn('2026-01-13')).toBe('1 opération : +77,00 €');
    expect(await sentOn('2026-01-14')).toBe('aucune opération');
  });

  it('are read of an account that is chosen after the reading', async () => {
    const [one, other] = await ours();
    giveBoth();
    const { id } = await add();
    await choose(id, [one]);
    await readNow();
    const before = (await pending())?.sealed;
    app.bank.control.clearRequests();
    await choose(id, [one, other]);
    await expect.poll(async () => (await pending())?.sealed, soon).not.toBe(before);
    expect(await sendNow()).toBe('2 opérations : +87,00 €');
    expect(await sentOn('2026-01-13')).toBe('aucune opération');
  });

  it('of an account that was not read before the message are not said to be none', async () => {
    const [one, other] = await ours();
    await leaveBankUnread();
    giveBoth();
    const [, second = 0] = customer.accounts;
    app.bank.control.setTransactions(second, [transaction(2, 77, '2026-01-13')]);
    await add();
    const { sql: database } = app.services.database;
    const hide = (id: number, gone_at: Date | null) =>
      database.updateTable('bank_accounts').set({ gone_at }).where('id', '=', id).execute();
    await hide(other, app.clock.now());
    await readNow();
    await hide(other, null);
    const unread = "sans un compte, qui n'a pas encore été lu";
    expect(await sendNow()).toBe(`1 opération : +10,00 € (${unread})`);
    await hide(other, app.clock.now());
    await readNow('2026-01-13');
    await hide(other, null);
    await hide(one, app.clock.now());
    expect(await sendNow('2026-01-13')).toBe('opérations non lues');
    await hide(one, null);
    expect(await sentOn('2026-01-14')).toBe('1 opération : +77,00 €');
  });

  it('stay read while their bank is asked again for what it did not give', async () => {
    giveBoth();
    await add();
    await readNow();
    const row = await pending();
    const bridge = app.services.bankSources.get('bridge');
    const read = bridge?.readTransactions?.bind(bridge);
    if (!row || !bridge || !read) throw new Error('nothing was read');
    const asked: string[][] = [];
    const answering = (readTransactions: typeof read) => ({
      ...app.services,
      bankSources: new Map([['bridge', { ...bridge, readTransactions }]]),
    });
    const job = { userId: row.user_id, messengerId: row.messenger_id, dueAt: row.due_at.getTime() };
    // As if the first try had not given the second account.
    await app.services.database.sql
      .updateTable('message_operations')
      .set({ sealed: null, prints: null })
      .execute();
    const partly = answering(async (link, ids, since) => {
      const { transactions } = await read(link, ids, since);
      const given = transactions.filter(({ accountId }) => accountId === String(account));
      return { transactions: given, unread: ids.filter((id) => id !== String(account)) };
    });
    await expect(readForMessage(partly, job)).rejects.toThrow();
    const silent = answering(async (_link, ids) => {
      asked.push(ids);
      throw new BankSourceError('unavailable', 'It is silent.');
    });
    await expect(readForMessage(silent, job)).rejects.toThrow();
    expect(asked).toEqual([[String(customer.accounts[1])]]);
    expect(await sendNow()).toMatch(/^1 opération : \+10,00 € \(sans .+, qui ne répond pas\)$/);
    expect(await sentOn('2026-01-13')).toBe('1 opération : +77,00 €');
  });
});
