import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { pendingBankTransactions } from '../../../src/server/notifications/transactions/sealing.ts';
import { sealedColumns } from '../../../src/server/operations/sealed-columns.ts';
import { resealEverything } from '../../../src/server/platform/vault/sealed-columns.ts';
import { deliveriesOf } from '../deliveries/people.ts';
import {
  account,
  add,
  app,
  customer,
  message,
  pending,
  readNow,
  sendNow,
  sentOn,
  setUpTransactions,
  soon,
  texts,
  transaction,
} from './fixture.ts';

setUpTransactions();

describe('transactions in a daily message', () => {
  it('are those since yesterday at first, then what no message has told', async () => {
    app.bank.control.setTransactions(account, [
      transaction(1, 1200, '2026-01-11'),
      transaction(2, -340.5, '2026-01-12'),
      transaction(3, -99, '2026-01-09'),
      { ...transaction(4, -1, '2026-01-12'), deleted: true },
      { ...transaction(5, -2, '2026-01-12'), future: true },
    ]);
    await add();
    expect(await sentOn('2026-01-12')).toBe('2 opérations : +1 200,00 €, −340,50 €');
    // As an earlier version noted the accounts that were read.
    await sql`update message_operations set accounts =
      (select jsonb_agg(id::int) from jsonb_object_keys(accounts) id where id ~ '^[0-9]+$')`.execute(
      app.services.database.sql,
    );
    // One of an earlier day comes late, as card payments do.
    app.bank.control.setTransactions(account, [
      transaction(1, 1200, '2026-01-11'),
      transaction(2, -340.5, '2026-01-12'),
      transaction(3, -99, '2026-01-09'),
      transaction(6, -12, '2026-01-10'),
    ]);
    expect(await sentOn('2026-01-13')).toBe('1 opération : −12,00 €');
    expect(await sentOn('2026-01-14')).toBe('aucune opération');
  });

  it('are told on the day on which they are booked, however long before the payment was', async () => {
    await add();
    for (const day of [12, 13, 14]) {
      expect(await sentOn(`2026-01-${day}`)).toBe('aucune opération');
    }
    app.bank.control.setTransactions(account, [
      { ...transaction(1, -250, '2026-01-15'), date: '2025-12-28' },
      { ...transaction(2, -20, '2026-01-15'), date: '2026-01-11' },
      { ...transaction(3, -4, '2025-12-30'), date: '2025-12-28' },
    ]);
    expect(await sentOn('2026-01-15')).toBe('2 opérations : −270,00 €');
    expect(await sentOn('2026-01-16')).toBe('aucune opération');
  });

  it('are told once of an account that comes by two connections', async () => {
    const [, other = 0] = customer.accounts;
    app.bank.control.setTransactions(account, [transaction(1, 10, '2026-01-12')]);
    app.bank.control.setTransactions(other, [transaction(2, 10, '2026-01-12')]);
    const { database } = app.services;
    const given = `{"id": ${99_000 + other}, "source_id": "second"}`;
    await sql`insert into bank_connections overriding system value
      select (jsonb_populate_record(c, ${given}::text::jsonb)).* from bank_connections c
      where user_id = ${customer.person.id} limit 1`.execute(database.sql);
    await sql`update bank_accounts set iban_print = 'same', connection_id =
        case when source_id = ${String(other)} then ${99_000 + other}::int else connection_id end
      where source_id in (${String(account)}, ${String(other)})`.execute(database.sql);
    await add();
    expect(await sentOn('2026-01-12')).toBe('1 opération : +10,00 €');
  });

  it('are told once although the key changes, while the old one stays until the next message', async () => {
    app.bank.control.setTransactions(account, [transaction(1, 10, '2026-01-12')]);
    await add();
    expect(await sentOn('2026-01-12')).toBe('1 opération : +10,00 €');
    const [old, fresh] = ['the secret of the tests', 'the secret that comes after it'];
    app.services.vault.replaceSecrets([fresh, old]);
    onTestFinished(() => app.services.vault.replaceSecrets([old]));
    await resealEverything(app.services, sealedColumns);
    expect(await sentOn('2026-01-13')).toBe('aucune opération');
    app.services.vault.replaceSecrets([fresh]);
    expect(await sentOn('2026-01-14')).toBe('aucune opération');
  });

  it('are told again when the message that told them did not arrive', async () => {
    app.bank.control.setTransactions(account, [transaction(1, 10, '2026-01-12')]);
    const { id } = await add();
    app.chat.control.addFault({ kind: 'error', code: 'msg_too_long' });
    await readNow();
    app.clock.set('2026-01-12T08:00:00Z');
    const ended = () => deliveriesOf(app, id);
    await expect.poll(async () => (await ended())[0]?.outcome, soon).toBe('failed');
    expect(await sentOn('2026-01-13')).toBe('1 opération : +10,00 €');
  });

  it('are told again when the message did not tell them', async () => {
    app.bank.control.setTransactions(account, [transaction(1, 10, '2026-01-12')]);
    const { id } = await add();
    await readNow();
    const off = { operations: 'off' };
    expect((await customer.person.patch(`/messengers/${id}`, off)).status).toBe(200);
    app.clock.set('2026-01-12T08:00:00Z');
    await expect.poll(() => texts().join(), soon).toContain('opérations non affichées');
    expect(await pending()).toMatchObject({ sealed: null, prints: null });
    const on = { operations: 'sums' };
    expect((await customer.person.patch(`/messengers/${id}`, on)).status).toBe(200);
    expect(await sentOn('2026-01-13')).toBe('1 opération : +10,00 €');
  });

  it('are told once although an earlier version read them', async () => {
    app.bank.control.setTransactions(account, [transaction(1, 10, '2026-01-12')]);
    await add();
    await readNow();
    const { database, vault } = app.services;
    const row = await pending();
    if (!row?.sealed) throw new Error('nothing was read');
    const key = pendingBankTransactions.additionalData(row.user_id, row.messenger_id);
    const { read: _read, ...earlier } = JSON.parse(vault.open(row.sealed, key));
    const sealed = vault.seal(JSON.stringify(earlier), key);
    await sql`update message_operations set sealed = ${sealed}, prints =
      (select jsonb_agg(one->'print') from jsonb_array_elements(prints) one)`.execute(database.sql);
    expect(await sendNow()).toBe('1 opération : +10,00 €');
    expect(await sentOn('2026-01-13')).toBe('aucune opération');
  });

  it('are read for a text that speaks of them only in the last minutes', async () => {
    app.bank.control.setTransactions(account, [transaction(1, 10, '2026-01-12')]);
    const { id } = await add({ message: 'Le {{date}}' });
    app.clock.set('2026-01-12T07:57:00Z');
    await expect.poll(pending, soon).toBeDefined();
    const readings = sql`select 1 from pgboss.job
      where name = 'operations-reading' and state <> 'completed'`;
    const waiting = async () => (await readings.execute(app.services.database.sql)).rows;
    await expect.poll(waiting, soon).toEqual([]);
    expect((await customer.person.patch(`/messengers/${id}`, { message })).status).toBe(200);
    expect(await sentOn('2026-01-12')).toBe('1 opération : +10,00 €');
  });

  it('say which bank was not read, and that there is no time left to read it', async () => {
    await add();
    const match = '/v3/aggregation/transactions';
    app.bank.control.addFault({ match, kind: 'status', status: 503, times: null });
    expect(await sentOn('2026-01-12')).toMatch(/^opérations non lues : .+ ne répond pas$/);
    // The clock of a machine that was asleep: nothing was read before this message.
    app.clock.set('2026-01-13T08:00:00Z');
    await expect.poll(() => texts().length, soon).toBe(2);
    expect(texts()[1]).toContain('opérations non lues');
  });

  it('are told after a bank was silent for longer than banks post late', async () => {
    const days = (first: number, last: number) =>
      Array.from({ length: last - first + 1 }, (_, at) => `2026-01-${first + at}`);
    const [, other = 0] = customer.accounts;
    await add();
    expect(await sentOn('2026-01-12')).toBe('aucune opération');
    const late = [transaction(1, -10, '2026-01-13'), transaction(2, -20, '2026-01-19')];
    const match = '/v3/aggregation/';
    app.bank.control.addFault({ match, kind: 'status', status: 503, times: null });
    for (const day of days(13, 19)) expect(await sentOn(day)).toContain('opérations non lues');
    app.bank.control.clearFaults();
    app.bank.control.setTransactions(account, late);
    // What was older than a first message tells stays untold.
    app.bank.control.setTransactions(other, [transaction(3, -5, '2026-01-07')]);
    expect(await sentOn('2026-01-20')).toBe('2 opérations : −30,00 €');
    expect(await sentOn('2026-01-21')).toBe('aucune opération');
  });

  it('of more than a month are told with the day from which they are known', async () => {
    app.bank.control.setTransactions(account, [transaction(1, -1, '2026-01-12')]);
    const { id } = await add();
    expect(await sentOn('2026-01-12')).toBe('1 opération : −1,00 €');
    const pause = { pausedUntil: '2026-02-20' };
    app.bank.control.setAccount(account, { updated_at: '2026-02-20T05:00:00Z' });
    expect((await customer.person.patch(`/messengers/${id}`, pause)).status).toBe(200);
    app.bank.control.setTransactions(account, [
      transaction(2, -2, '2026-01-20'),
      transaction(3, -4, '2026-01-21'),
    ]);
    expect(await sentOn('2026-02-20')).toBe('1 opération : −4,00 € (depuis le 21 janvier)');
    expect(await sentOn('2026-02-21')).toBe('aucune opération');
  });

  it('are told once, and none is left out, of a bank that is linked anew after it was silent', async () => {
    const days = ['2026-01-09', '2026-01-10', '2026-01-11', '2026-01-12'];
    const told = (first: number) => days.map((day, at) => transaction(first + at, -1, day));
    app.bank.control.setTransactions(account, told(1).slice(0, 3));
    await add();
    expect(await sentOn('2026-01-12')).toBe('1 opération : −1,00 €');
    const match = '/v3/aggregation/';
    app.bank.control.addFault({ match, kind: 'status', status: 503, times: null });
    expect(await sentOn('2026-01-13')).toContain('opérations non lues');
    app.bank.control.clearFaults();
    const { person, itemId } = customer;
    app.bank.control.setItem(itemId, { userUuid: 'nobody' });
    const linked = app.bank.control.link({ externalUserId: person.id });
    const item = app.bank.control.items(person.id).find(({ id }) => id === linked);
    for (const id of item?.accounts ?? []) app.bank.control.setTransactions(id, []);
    const missed = [transaction(15, -2, '2026-01-13'), transaction(16, -4, '2026-01-14')];
    app.bank.control.setTransactions(item?.accounts[0] ?? 0, [...told(11), ...missed]);
    await person.get('/bridge/items?fresh=1');
    expect(await sentOn('2026-01-14')).toBe('3 opérations : −7,00 €');
    expect(await sentOn('2026-01-15')).toBe('aucune opération');
  });

  it('are told of an account whose bank brought nothing new for a week', async () => {
    const give = (updated_at: string) => app.bank.control.setAccount(account, { updated_at });
    give('2026-01-12T05:00:00Z');
    await customer.person.get('/bridge/items?fresh=1');
    await add();
    for (const day of [12, 13, 14, 15, 16, 17, 18, 19]) {
      expect(await sentOn(`2026-01-${day}`)).toBe('aucune opération');
    }
    give('2026-01-20T05:00:00Z');
    app.bank.control.setTransactions(account, [transaction(1, -10, '2026-01-13')]);
    expect(await sentOn('2026-01-20')).toBe('1 opération : −10,00 €');
  });

  it('are not called none of a bank whose service answers and has no access to it any more', async () => {
    await add();
    expect(await sentOn('2026-01-12')).toBe('aucune opération');
    app.bank.control.setItem(customer.itemId, { status: 1010 });
    await customer.person.get('/bridge/items?fresh=1');
    expect(await sentOn('2026-01-13')).toBe(
      'opérations non lues : Banque du Littoral est à reconnecter',
    );
    app.bank.control.setItem(customer.itemId, { status: 0 });
    await customer.person.get('/bridge/items?fresh=1');
    app.bank.control.setTransactions(account, [transaction(1, -7, '2026-01-13')]);
    expect(await sentOn('2026-01-14')).toBe('1 opération : −7,00 €');
  });

  it('are read for no message whose owner did not switch them on', async () => {
    app.bank.control.clearRequests();
    await add({ operations: 'off' });
    app.clock.set('2026-01-12T08:00:00Z');
    await expect.poll(() => texts().length, soon).toBe(1);
    expect(texts()[0]).toContain('opérations non affichées');
    const paths = app.bank.control.requests().map(({ path }) => path);
    expect(paths).not.toContain('/v3/aggregation/transactions');
  });
});
