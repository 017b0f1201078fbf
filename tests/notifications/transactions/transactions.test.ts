import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startWorker, type Worker } from '../../../src/server/app/worker.ts';
import { deliverySettings } from '../../../src/server/notifications/deliveries/settings.ts';
import {
  endRestoredBankTransactions,
  forgetBankTransactions,
  storeBankTransactions,
} from '../../../src/server/notifications/transactions/queries.ts';
import { writeBackup } from '../../../src/server/operations/backup/writing.ts';
import { addCustomer, type Customer } from '../../banking/customer.ts';
import { plain } from '../../shared/message/setting.ts';
import { type Application, startApplication } from '../../support/application.ts';
import { addMessenger, bonnard, deliveriesOf } from '../deliveries/people.ts';

const message = 'Bonjour\n{{operations}}';

const soon = { timeout: 20_000 };

let app: Application;
let worker: Worker;
let customer: Customer;
let account: number;
let destinationId: string;

beforeAll(async () => {
  app = await startApplication();
});
beforeEach(async () => {
  app.clock.set('2026-01-12T07:00:00Z');
  customer = await addCustomer(app);
  await customer.person.get('/bridge/items?fresh=1');
  [account = 0] = customer.accounts;
  for (const id of customer.accounts) app.bank.control.setTransactions(id, []);
  destinationId = await addDestination();
  worker = await startWorker(app.services, {
    ...deliverySettings,
    ...{ backoffSeconds: () => 0.05, idleMs: 20, planAtLeastEveryMs: 20 },
  });
});
afterEach(async () => {
  await worker.stop();
  app.bank.control.clearFaults();
  app.chat.control.clearMessages();
  const { sql } = app.services.database;
  for (const table of ['messengers', 'slots', 'deliveries'] as const) {
    await sql.deleteFrom(table).execute();
  }
});
afterAll(() => app.close());

async function addDestination(): Promise<string> {
  const { database, vault, randomness, clock } = app.services;
  const [id, now] = [randomness.uuid(), clock.now()];
  const user_id = customer.person.id;
  const token = app.chat.control.install(bonnard.team);
  await database.sql
    .insertInto('destinations')
    .values({
      ...{ user_id, id, chat: 'slack', team_id: bonnard.team, team_name: 'Bonnard', scope: 'bot' },
      sealed_secret: vault.seal(token, `workspaces/${user_id}/${id}/token`),
      ...{ state: 'connected', created_at: now, updated_at: now },
    })
    .execute();
  return id;
}

const add = (differences: Parameters<typeof addMessenger>[2] = {}) =>
  addMessenger(
    { services: app.services } as Parameters<typeof addMessenger>[0],
    { userId: customer.person.id, destinationId, team: bonnard.team },
    { message, variables: true, operations: 'sums', ...differences },
  );

const transaction = (id: number, amount: number, date: string, label = `Opération ${id}`) => ({
  ...{ id, amount, date, booking_date: date, updated_at: `${date}T05:00:00Z` },
  ...{ clean_description: label, deleted: false, future: false },
});

const texts = () =>
  app.chat.control.messages(bonnard.team, bonnard.general).map(({ text }) => plain(text));

const pending = async () =>
  (await app.services.database.sql.selectFrom('message_operations').selectAll().execute())[0];

/** What the message of that day says of transactions; they are read two minutes before. */
async function sentOn(day: string): Promise<string> {
  const count = texts().length;
  app.clock.set(`${day}T07:58:30Z`);
  const due = new Date(`${day}T08:00:00Z`);
  const isRead = async () => {
    const row = await pending();
    return row?.due_at.getTime() === due.getTime() && row.sealed !== null;
  };
  await expect.poll(isRead, soon).toBe(true);
  app.clock.set(due);
  await expect.poll(() => texts().length, soon).toBe(count + 1);
  return (texts().at(-1) ?? '').split('\n').slice(1, -1).join('\n');
}

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

  it('are told again when the message that told them did not arrive', async () => {
    app.bank.control.setTransactions(account, [transaction(1, 10, '2026-01-12')]);
    const { id } = await add();
    app.chat.control.addFault({ kind: 'error', code: 'msg_too_long' });
    app.clock.set('2026-01-12T07:58:30Z');
    await expect.poll(async () => (await pending())?.sealed ?? null, soon).not.toBeNull();
    app.clock.set('2026-01-12T08:00:00Z');
    const ended = () => deliveriesOf({ services: app.services } as never, id);
    await expect.poll(async () => (await ended())[0]?.outcome, soon).toBe('failed');
    expect(await sentOn('2026-01-13')).toBe('1 opération : +10,00 €');
  });

  it('are told again when the message did not tell them', async () => {
    app.bank.control.setTransactions(account, [transaction(1, 10, '2026-01-12')]);
    const { id } = await add();
    app.clock.set('2026-01-12T07:58:30Z');
    await expect.poll(async () => (await pending())?.sealed ?? null, soon).not.toBeNull();
    const off = { operations: 'off' };
    expect((await customer.person.patch(`/messengers/${id}`, off)).status).toBe(200);
    app.clock.set('2026-01-12T08:00:00Z');
    await expect.poll(() => texts().join(), soon).toContain('opérations non affichées');
    await expect.poll(async () => (await pending())?.sealed, soon).toBeNull();
    const on = { operations: 'sums' };
    expect((await customer.person.patch(`/messengers/${id}`, on)).status).toBe(200);
    expect(await pending()).toMatchObject({ accounts: [], prints: null });
    expect(await sentOn('2026-01-13')).toBe('1 opération : +10,00 €');
  });

  it('are erased when the message does not speak of them any more, or is missed', async () => {
    const { id } = await add();
    const { sql } = app.services.database;
    app.clock.set('2026-01-12T07:58:30Z');
    await expect.poll(async () => (await pending())?.sealed ?? null, soon).not.toBeNull();
    await sql.updateTable('messengers').set({ message: 'Bonjour' }).execute();
    app.clock.set('2026-01-12T08:00:00Z');
    await expect.poll(() => texts().length, soon).toBe(1);
    await expect.poll(async () => (await pending())?.sealed, soon).toBeNull();
    await sql.updateTable('messengers').set({ message }).execute();
    app.clock.set('2026-01-13T07:58:30Z');
    await expect.poll(async () => (await pending())?.sealed ?? null, soon).not.toBeNull();
    app.clock.set('2026-01-13T20:00:00Z');
    const outcomes = async () =>
      (await deliveriesOf({ services: app.services } as never, id)).map(({ outcome }) => outcome);
    await expect.poll(outcomes, soon).toContain('missed');
    expect(await pending()).toMatchObject({ sealed: null, prints: null });
  });

  it('are erased when they are switched off, and a reading under way is not stored', async () => {
    const { id } = await add();
    app.clock.set('2026-01-12T07:58:30Z');
    await expect.poll(async () => (await pending())?.sealed ?? null, soon).not.toBeNull();
    const off = { operations: 'off' };
    expect((await customer.person.patch(`/messengers/${id}`, off)).status).toBe(200);
    const row = await pending();
    if (!row) throw new Error('nothing was read');
    expect(row).toMatchObject({ sealed: null, prints: null });
    const sending = { userId: row.user_id, messengerId: id, dueAt: row.due_at };
    const late = { accounts: [], sealed: 'late', fingerprints: [], now: app.clock.now() };
    await storeBankTransactions(app.services.database.sql, sending, late);
    expect(await pending()).toMatchObject({ sealed: null });
  });

  it('are not stored any more once their message is due', async () => {
    await add();
    app.clock.set('2026-01-12T07:58:30Z');
    await expect.poll(async () => (await pending())?.sealed ?? null, soon).not.toBeNull();
    const row = await pending();
    if (!row) throw new Error('nothing was read');
    app.clock.set('2026-01-12T08:00:00Z');
    await expect.poll(async () => (await pending())?.sealed, soon).toBeNull();
    const sending = { userId: row.user_id, messengerId: row.messenger_id, dueAt: row.due_at };
    const late = { accounts: [], sealed: 'late', fingerprints: [], now: app.clock.now() };
    await storeBankTransactions(app.services.database.sql, sending, late);
    expect(await pending()).toMatchObject({ sealed: null });
  });

  it('of sendings that a restored installation may have made count as told', async () => {
    app.bank.control.setTransactions(account, [transaction(1, 10, '2026-01-12')]);
    await add();
    app.clock.set('2026-01-12T07:58:30Z');
    await expect.poll(async () => (await pending())?.sealed ?? null, soon).not.toBeNull();
    const { sql } = app.services.database;
    await endRestoredBankTransactions(sql, app.clock.now());
    expect(await pending()).not.toMatchObject({ sealed: null });
    await endRestoredBankTransactions(sql, new Date('2026-01-12T08:00:00Z'));
    expect(await pending()).toMatchObject({ sealed: null, prints: null });
    const fingerprints = await sql.selectFrom('operation_prints').select('is_told').execute();
    expect(fingerprints).toEqual([{ is_told: true }]);
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
    app.clock.set('2026-01-12T07:58:30Z');
    await expect.poll(async () => (await pending())?.sealed ?? null, soon).not.toBeNull();
    expect(await backup()).not.toMatch(/Xylophone|123456/);
    app.clock.set('2026-01-12T08:00:00Z');
    await expect.poll(() => texts().join(), soon).toContain('Virement Xylophone');
    await expect.poll(async () => (await pending())?.sealed, soon).toBeNull();
    expect(await backup()).not.toMatch(/Xylophone|123456/);
    const { body } = await customer.person.get('/users/me/export');
    expect(JSON.stringify(body)).not.toContain('Xylophone');
  });

  it('say which bank was not read, and that there is no time left to read it', async () => {
    await add();
    const match = '/v3/aggregation/transactions';
    app.bank.control.addFault({ match, kind: 'status', status: 503, times: null });
    expect(await sentOn('2026-01-12')).toMatch(
      /^opérations non lues \(sans .+, qui ne répond pas\)$/,
    );
    // The clock of a machine that was asleep: nothing was read before this message.
    app.clock.set('2026-01-13T08:00:00Z');
    await expect.poll(() => texts().length, soon).toBe(2);
    expect(texts()[1]).toContain('opérations non lues');
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

describe('transactions before they are switched on', () => {
  it('are shown to their owner as the chat will see them, and count as untold', async () => {
    app.bank.control.setTransactions(account, [transaction(1, -5, '2026-01-12', 'Boulangerie')]);
    const { id } = await add({ operations: 'off' });
    const { status, body } = await customer.person.get(`/messengers/${id}/operations`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      operations: [{ day: '2026-01-12', minor: -500, currency: 'EUR', label: 'Boulangerie' }],
      ...{ failed: [], unable: [] },
    });
    const outsider = await app.signUp();
    expect((await outsider.get(`/messengers/${id}/operations`)).status).toBe(404);
    expect((await app.visitor.get(`/messengers/${id}/operations`)).status).toBe(401);
    const change = { operations: 'lines' };
    expect((await customer.person.patch(`/messengers/${id}`, change)).body.operations).toBe(
      'lines',
    );
    expect(await sentOn('2026-01-12')).toBe('1 opération : −5,00 €\n• −5,00 €  Boulangerie');
  });

  it('are in a test what they are on screen, and the test leaves nothing behind', async () => {
    app.bank.control.setTransactions(account, [transaction(1, -5, '2026-01-12', 'Boulangerie')]);
    const { id } = await add({ operations: 'off' });
    const test = await customer.person.post(`/messengers/slack/${id}`, { operations: 'sums' });
    expect(test.status).toBe(200);
    expect(texts()[0]).toContain('1 opération : −5,00 €');
    const [row] = await deliveriesOf({ services: app.services } as never, id);
    expect(row).toMatchObject({ kind: 'test', outcome: 'delivered', draft_settings: null });
  });
});

it('fingerprints of transactions are kept for a month, and what was not sent for some hours', async () => {
  app.bank.control.setTransactions(account, [transaction(1, 1, '2026-01-12')]);
  await add();
  await sentOn('2026-01-12');
  const fingerprints = () => app.services.database.sql.selectFrom('operation_prints').execute();
  app.clock.advance({ days: 29 });
  await forgetBankTransactions(app.services);
  expect(await fingerprints()).toHaveLength(1);
  app.clock.advance({ days: 2 });
  await app.services.database.sql.updateTable('message_operations').set({ sealed: 'x' }).execute();
  await forgetBankTransactions(app.services);
  expect(await fingerprints()).toEqual([]);
  expect(await pending()).toMatchObject({ sealed: null });
});
