import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWorker } from '../../src/server/app/worker.ts';
import { sendConsentReminders } from '../../src/server/banking/reminders/reminders.ts';
import type { BankSource } from '../../src/server/providers/banks/port.ts';
import { endingIn } from '../../src/shared/banks/consents.ts';
import { type Application, startApplication } from '../support/application.ts';
import type { Person } from '../support/person.ts';
import { addCustomer, connectionIdOf } from './customer.ts';

let app: Application;
beforeAll(async () => {
  app = await startApplication();
});
afterAll(() => app.close());

/** A person whose access to a bank ends in so many days. */
async function customer(days: number, status = 0): Promise<{ person: Person; itemId: number }> {
  const { person, itemId } = await addCustomer(app);
  const ends = new Date(app.clock.now().getTime() + days * 86_400_000).toISOString();
  app.bank.control.setItem(itemId, { authenticationExpiresAt: ends, status });
  await person.get('/bridge/items');
  return { person, itemId };
}

async function mailsTo({ id }: Person) {
  return await app.services.database.sql
    .selectFrom('mails')
    .select(['subject', 'body'])
    .where('user_id', '=', id)
    .where('cause', 'like', 'consent %')
    .orderBy('created_at')
    .execute();
}

const noticeOf = async (person: Person) => (await person.get('/bridge/items')).body[0].notice;

test('the end of an access is mailed 14 and 3 days before, once each, and never again', async () => {
  const { person, itemId } = await customer(14.5);
  const counts: number[] = [];
  // 12 hours a step, and two workers each time.
  for (let step = 0; step <= 30; step += 1) {
    await Promise.all([sendConsentReminders(app.services), sendConsentReminders(app.services)]);
    counts.push((await mailsTo(person)).length);
    app.clock.advance({ hours: 12 });
  }
  expect(counts).toEqual([0, ...Array(22).fill(1), ...Array(8).fill(2)]);
  const [first, second] = await mailsTo(person);
  expect(first?.subject).toBe("L'accès à Banque du Littoral se termine dans 14 jours");
  expect(second?.subject).toBe("L'accès à Banque du Littoral se termine dans 3 jours");
  const link = `${app.services.configuration.publicUrl}/renouveler/${await connectionIdOf(app, itemId)}`;
  expect(second?.body).toContain(link);
});

test('a renewed access is a new date, with reminders of its own', async () => {
  const { person, itemId } = await customer(2);
  await sendConsentReminders(app.services);
  const ends = new Date(app.clock.now().getTime() + 10 * 86_400_000).toISOString();
  app.bank.control.setItem(itemId, { authenticationExpiresAt: ends });
  await app.services.bankRefreshes.refresh(person.id);
  app.clock.advance({ minutes: 1 });
  await sendConsentReminders(app.services);
  expect((await mailsTo(person)).map(({ subject }) => subject)).toEqual([
    "L'accès à Banque du Littoral se termine dans 2 jours",
    "L'accès à Banque du Littoral se termine dans 10 jours",
  ]);
});

test('nothing is mailed about an access without an end, ended, or of a hidden bank', async () => {
  const people = [await customer(15), await customer(-1)];
  const hidden = await customer(5);
  await app.services.database.sql
    .updateTable('bank_connections')
    .set({ gone_at: app.clock.now() })
    .where('user_id', '=', hidden.person.id)
    .execute();
  await sendConsentReminders(app.services);
  for (const { person } of [...people, hidden]) expect(await mailsTo(person)).toEqual([]);
});

test('nothing is mailed about a bank whose service is not configured any more, which could not be renewed', async () => {
  const { person } = await customer(5);
  const banks = app.services.bankSources as Map<string, BankSource>;
  const configured = [...banks];
  banks.clear();
  await sendConsentReminders(app.services);
  expect(await mailsTo(person)).toEqual([]);
  for (const [kind, source] of configured) banks.set(kind, source);
  await sendConsentReminders(app.services);
  expect(await mailsTo(person)).toHaveLength(1);
});

test('a consent that was revoked keeps its date, and is not announced as ending', async () => {
  const { person } = await customer(2, 1010);
  await sendConsentReminders(app.services);
  expect(await mailsTo(person)).toEqual([]);
  const [item] = (await person.get('/bridge/items')).body;
  expect([item.state, item.endingNotice]).toEqual(['renew', undefined]);
});

test('they are mailed while no reading can be scheduled', async () => {
  const { person } = await customer(2);
  const figureNeeds = {
    ...app.services.figureNeeds,
    ofAlerts: () => Promise.reject(new Error('unreadable')),
  };
  const worker = await startWorker({ ...app.services, figureNeeds });
  try {
    await expect.poll(() => mailsTo(person), { timeout: 10_000 }).toHaveLength(1);
  } finally {
    await worker.stop();
  }
});

test('more than a hundred ends are all mailed', async () => {
  const { person, itemId } = await customer(10);
  const id = await connectionIdOf(app, itemId);
  const { sql } = app.services.database;
  const row = await sql
    .selectFrom('bank_connections')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  await sql
    .insertInto('bank_connections')
    .values(
      Array.from({ length: 120 }, (_, n) => ({ ...row, id: 900_000 + n, source_id: `more ${n}` })),
    )
    .execute();
  expect([
    await sendConsentReminders(app.services),
    await sendConsentReminders(app.services),
  ]).toEqual([100, 21]);
  expect(await mailsTo(person)).toHaveLength(121);
});

test('the card says it with the way to renew, which asks the bank for a new consent', async () => {
  const { person, itemId } = await customer(3);
  expect(await noticeOf(person)).toEqual({
    sentence: "L'accès à cette banque se termine dans 3 jours.",
    action: { kind: 'edit', label: 'Renouveler' },
  });
  await person.get(`/bridge/items/edit/${await connectionIdOf(app, itemId)}`);
  const session = app.bank.control.requests().at(-1);
  expect(JSON.parse(session?.text ?? '')).toMatchObject({
    item_id: itemId,
    force_reauthentication: true,
  });
});

test('the card of a bank that is in order for longer, or asks for something else, does not', async () => {
  const { person, itemId } = await customer(15);
  expect(await noticeOf(person)).toBeNull();
  await person.get(`/bridge/items/edit/${await connectionIdOf(app, itemId)}`);
  expect(app.bank.control.requests().at(-1)?.text).not.toContain('force_reauthentication');
  const waiting = await customer(3, 1003);
  expect((await noticeOf(waiting.person)).sentence).toContain('ne répond pas');
});

test('a card that asks for something else says the end of its access beside it', async () => {
  const { person } = await customer(3, 402);
  const [item] = (await person.get('/bridge/items')).body;
  expect(item.notice.sentence).toContain('refuse vos identifiants');
  expect(item.endingNotice.sentence).toBe("L'accès à cette banque se termine dans 3 jours.");
});

test.for([
  ['2026-01-12T23:30:00Z', '2026-01-13T08:00:00Z', "aujourd'hui"],
  ['2026-01-12T22:30:00Z', '2026-01-13T08:00:00Z', 'demain'],
  ['2026-03-28T12:00:00Z', '2026-03-31T08:00:00Z', 'dans 3 jours'],
] as const)('at %s, what ends at %s ends %s', ([now, end, words]) => {
  expect(endingIn(new Date(end), new Date(now))).toBe(words);
});
