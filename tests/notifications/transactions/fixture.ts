import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { startWorker, type Worker } from '../../../src/server/app/worker.ts';
import { addCustomer, type Customer } from '../../banking/customer.ts';
import { plain } from '../../shared/message/samples.ts';
import { type Application, startApplicationOn } from '../../support/application.ts';
import { addDestination, addMessenger, bonnard } from '../deliveries/people.ts';
import { quick } from '../deliveries/quick.ts';

export const message = 'Bonjour\n{{operations}}';

export const soon = { timeout: 20_000 };

/** A person whose bank is linked, with a chat; each test has others. */
export let app: Application;
export let customer: Customer;
/** The first of the accounts, as the bank names it. */
export let account: number;
let destinationId: string;
let worker: Worker;

/** To be called once in a file: it has a program of its own. */
export function setUpTransactions(): void {
  beforeAll(async () => {
    // Its many days cost a third less of the processor there than on the embedded engine.
    app = await startApplicationOn('postgres');
  });
  beforeEach(async () => {
    app.clock.set('2026-01-12T07:00:00Z');
    customer = await addCustomer(app);
    await customer.person.get('/bridge/items?fresh=1');
    [account = 0] = customer.accounts;
    for (const id of customer.accounts) app.bank.control.setTransactions(id, []);
    const secret = app.chat.control.install(bonnard.team);
    const { id: userId } = customer.person;
    destinationId = await addDestination(app, { userId, team: bonnard.team, secret });
    worker = await startWorker(app.services, quick);
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
}

export const add = (differences: Parameters<typeof addMessenger>[2] = {}) =>
  addMessenger(
    app,
    { userId: customer.person.id, destinationId, team: bonnard.team },
    { message, variables: true, operations: 'sums', ...differences },
  );

export const transaction = (
  id: number,
  amount: number,
  date: string,
  label = `Opération ${id}`,
) => ({
  ...{ id, amount, date, booking_date: date, updated_at: `${date}T05:00:00Z` },
  ...{ clean_description: label, deleted: false, future: false },
});

export const texts = () =>
  app.chat.control.messages(bonnard.team, bonnard.general).map(({ text }) => plain(text));

export const pending = async () =>
  (await app.services.database.sql.selectFrom('message_operations').selectAll().execute())[0];

/** What the message of that day says of transactions; they are read two minutes before. */
export async function sentOn(day: string): Promise<string> {
  await readNow(day);
  return await sendNow(day);
}

/** The transactions for the message of that day are read. */
export async function readNow(day = '2026-01-12'): Promise<void> {
  const due = Date.parse(`${day}T08:00:00Z`);
  // Calls count by the database's clock, for which all these days are a few seconds.
  await app.services.database.sql.deleteFrom('bank_calls').execute();
  // Days before it that were not sent are over first: readings are looked for once a minute of this clock.
  app.clock.set(`${day}T07:57:00Z`);
  const next = app.services.database.sql.selectFrom('slots').select('next_at');
  const nextMoments = async () => (await next.execute()).map((slot) => slot.next_at?.getTime());
  await expect.poll(nextMoments, soon).toContain(due);
  app.clock.set(`${day}T07:58:30Z`);
  const isRead = async () => {
    const row = await pending();
    return row?.due_at.getTime() === due && row.sealed !== null;
  };
  await expect.poll(isRead, soon).toBe(true);
}

/** What the message of that day says of transactions. */
export async function sendNow(day = '2026-01-12'): Promise<string> {
  const count = texts().length;
  app.clock.set(`${day}T08:00:00Z`);
  await expect.poll(() => texts().length, soon).toBe(count + 1);
  // What it told counts as told once its end is written, a moment after the post.
  await expect.poll(async () => (await pending())?.sealed ?? null, soon).toBeNull();
  const lines = (texts().at(-1) ?? '').split('\n').slice(1, -1);
  // Whether the figures of these days are new is no part of it.
  return lines.filter((line) => !line.startsWith('⚠️')).join('\n');
}

/** The chat refuses the message of that day for good. */
export async function refusedOn(day: string): Promise<void> {
  await readNow(day);
  app.chat.control.addFault({ kind: 'error', code: 'msg_too_long' });
  app.clock.set(`${day}T08:00:00Z`);
  const refused = app.services.database.sql
    .selectFrom('deliveries')
    .select('outcome')
    .where('local_date', '=', day);
  const outcomes = async () => (await refused.execute()).map(({ outcome }) => outcome);
  await expect.poll(outcomes, soon).toEqual(['failed']);
}

/** The bank is linked again, as another connection: its first account, as the bank names it. */
export function linkAgain(): number {
  const { control } = app.bank;
  const linked = control.link({ externalUserId: customer.person.id });
  const item = control.items(customer.person.id).find(({ id }) => id === linked);
  for (const id of item?.accounts ?? []) control.setTransactions(id, []);
  return item?.accounts[0] ?? 0;
}
