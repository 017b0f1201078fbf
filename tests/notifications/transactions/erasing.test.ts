import { describe, expect, it } from 'vitest';
import {
  endRestoredBankTransactions,
  forgetBankTransactions,
  storeBankTransactions,
} from '../../../src/server/notifications/transactions/store.ts';
import { writeBackup } from '../../../src/server/operations/backup/writing.ts';
import { deliveriesOf } from '../deliveries/people.ts';
import {
  account,
  add,
  app,
  customer,
  message,
  pending,
  readNow,
  sentOn,
  setUpTransactions,
  soon,
  texts,
  transaction,
} from './fixture.ts';

setUpTransactions();

const nothing = { byId: new Map(), byIban: new Map() };

describe('transactions that were read for a message', () => {
  it('are erased when the message does not speak of them any more, or is missed', async () => {
    const { id } = await add();
    const { sql } = app.services.database;
    await readNow();
    await sql.updateTable('messengers').set({ message: 'Bonjour' }).execute();
    app.clock.set('2026-01-12T08:00:00Z');
    await expect.poll(() => texts().length, soon).toBe(1);
    await expect.poll(async () => (await pending())?.sealed, soon).toBeNull();
    await sql.updateTable('messengers').set({ message }).execute();
    await readNow('2026-01-13');
    app.clock.set('2026-01-13T20:00:00Z');
    const outcomes = async () => (await deliveriesOf(app, id)).map(({ outcome }) => outcome);
    await expect.poll(outcomes, soon).toContain('missed');
    expect(await pending()).toMatchObject({ sealed: null, prints: null });
  });

  it('are erased when they are switched off, and read again when they are switched on', async () => {
    app.bank.control.setTransactions(account, [transaction(1, 10, '2026-01-12')]);
    const { id } = await add();
    await readNow();
    const row = await pending();
    if (!row) throw new Error('nothing was read');
    const choose = (operations: string) =>
      customer.person.patch(`/messengers/${id}`, { operations });
    expect((await choose('off')).status).toBe(200);
    // A reading under way is not stored any more.
    const sending = { userId: row.user_id, messengerId: id, dueAt: row.due_at };
    const late = { accounts: nothing, sealed: 'late', fingerprints: [], now: app.clock.now() };
    await storeBankTransactions(app.services.database.sql, sending, late);
    expect(await pending()).toMatchObject({ sealed: null, prints: null });
    expect((await choose('sums')).status).toBe(200);
    app.clock.set('2026-01-12T07:59:30Z');
    await expect.poll(async () => (await pending())?.sealed ?? null, soon).not.toBeNull();
    app.clock.set('2026-01-12T08:00:00Z');
    await expect.poll(() => texts().join(), soon).toContain('1 opération');
  });

  it('are not stored any more once their message is due', async () => {
    await add();
    await readNow();
    const row = await pending();
    if (!row) throw new Error('nothing was read');
    app.clock.set('2026-01-12T08:00:00Z');
    await expect.poll(async () => (await pending())?.sealed, soon).toBeNull();
    const sending = { userId: row.user_id, messengerId: row.messenger_id, dueAt: row.due_at };
    const late = { accounts: nothing, sealed: 'late', fingerprints: [], now: app.clock.now() };
    await storeBankTransactions(app.services.database.sql, sending, late);
    expect(await pending()).toMatchObject({ sealed: null });
  });

  it('of sendings that a restored installation may have made count as told', async () => {
    app.bank.control.setTransactions(account, [transaction(1, 10, '2026-01-12')]);
    await add();
    await readNow();
    const { sql } = app.services.database;
    await endRestoredBankTransactions(sql, app.clock.now());
    expect(await pending()).not.toMatchObject({ sealed: null });
    await endRestoredBankTransactions(sql, new Date('2026-01-12T08:00:00Z'));
    expect(await pending()).toMatchObject({ sealed: null, prints: null });
    const fingerprints = await sql.selectFrom('operation_prints').select('is_told').execute();
    expect(fingerprints).toEqual([{ is_told: true }, { is_told: true }]);
  });

  it('stand nowhere in clear, and nowhere at all once the message has ended', async () => {
    app.bank.control.setTransactions(account, [
      transaction(1, 1234.56, '2026-01-12', 'Virement Xylophone'),
    ]);
    await add({ operations: 'lines' });
    const backup = async () => {
      let lines = '';
      for await (const line of writeBackup(app.services, ['x'.repeat(32)])) lines += line;
      return lines;
    };
    await readNow();
    expect(await backup()).not.toMatch(/Xylophone|123456/);
    app.clock.set('2026-01-12T08:00:00Z');
    await expect.poll(() => texts().join(), soon).toContain('Virement Xylophone');
    await expect.poll(async () => (await pending())?.sealed, soon).toBeNull();
    expect(await backup()).not.toMatch(/Xylophone|123456/);
    const { body } = await customer.person.get('/users/me/export');
    expect(JSON.stringify(body)).not.toContain('Xylophone');
  });
});

it('fingerprints of transactions are kept while their day is read again, and what was not sent for some hours', async () => {
  app.bank.control.setTransactions(account, [transaction(1, 1, '2026-01-12')]);
  await add();
  await sentOn('2026-01-12');
  const fingerprints = () => app.services.database.sql.selectFrom('operation_prints').execute();
  // The last day on which the one of their reading is read again, whatever the hour of the message is by then.
  app.clock.set('2026-02-11T22:59:00Z');
  await forgetBankTransactions(app.services);
  expect(await fingerprints()).toHaveLength(2);
  app.clock.advance({ days: 2 });
  await app.services.database.sql.updateTable('message_operations').set({ sealed: 'x' }).execute();
  await forgetBankTransactions(app.services);
  expect(await fingerprints()).toEqual([]);
  expect(await pending()).toMatchObject({ sealed: null });
});
