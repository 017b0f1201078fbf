import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bankRefreshJobs } from '../../src/server/banking/jobs.ts';
import { acquireLease, markScheduled } from '../../src/server/banking/refreshing/queries.ts';
import {
  readAsScheduled,
  scheduleDue,
  scheduleLink,
  startBankWork,
} from '../../src/server/banking/refreshing/work.ts';
import { type Application, startApplicationOn } from '../support/application.ts';
import { insertCrowd } from '../support/crowd.ts';
import { engines } from '../support/engines.ts';
import { passes, whileGateIsShut } from '../support/waiting.ts';
import { takeJobs } from '../support/waiting-jobs.ts';
import { addCustomer, addNotification, asked, refreshedAt } from './customer.ts';

describe.each(engines)('the reading of banks, on %s', (engine) => {
  let app: Application;
  beforeAll(async () => {
    app = await startApplicationOn(engine);
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    app.clock.set('2026-01-12T07:00:00Z');
    await takeJobs(app.services.database.sql, bankRefreshJobs);
    await app.services.database.sql.deleteFrom('messengers').execute();
  });

  const wanted = async (): Promise<string[]> => {
    await scheduleDue(app.services);
    const jobs = await takeJobs(app.services.database.sql, bankRefreshJobs);
    return jobs.map(({ userId }) => userId);
  };
  /** Two minutes before, everybody's moment has come. */
  const dueSoon = '2026-01-12T07:02:00Z';

  test('happens before a message that speaks of figures, once', async () => {
    const { person } = await addCustomer(app);
    await addNotification(app, person, { nextAt: dueSoon });
    await addNotification(app, person, { nextAt: dueSoon });
    expect(await wanted()).toEqual([person.id]);
    expect(await wanted()).toEqual([]);
  });

  test('is done first for the message that is due first, whichever was scheduled first', async () => {
    const [late, soon] = [await addCustomer(app), await addCustomer(app)];
    await addNotification(app, late.person, { nextAt: '2026-01-12T07:02:00Z' });
    await scheduleDue(app.services);
    await addNotification(app, soon.person, { nextAt: '2026-01-12T07:01:00Z' });
    await scheduleDue(app.services);
    const { queue } = app.services;
    const taken: string[] = [];
    queue.work(bankRefreshJobs, async ({ userId }) => void taken.push(userId));
    await expect.poll(() => taken).toEqual([soon.person.id, late.person.id]);
    await queue.stopWork();
  });

  test('is scheduled for a link whose first reading has failed', async () => {
    const { person } = await addCustomer(app);
    await scheduleLink(app.services, { source: 'bridge', userId: person.id });
    const jobs = await takeJobs(app.services.database.sql, bankRefreshJobs);
    expect(jobs.map(({ userId }) => userId)).toEqual([person.id]);
  });

  test('is scheduled for the others while one account is being erased', async () => {
    if (engine === 'embedded') return;
    const { sql: database } = app.services.database;
    const [kept, gone] = [await addCustomer(app), await addCustomer(app)];
    const ids = [kept.person.id, gone.person.id];
    const links = sql`select user_id, now() as due_at from bank_links
      where user_id = any(${ids}::uuid[]) and ${sql.raw(passes)}`;
    const marked = await whileGateIsShut(
      app.services.database,
      () =>
        database
          .transaction()
          .execute((transaction) => markScheduled(transaction, 'bridge', app.clock.now(), links)),
      () => database.deleteFrom('users').where('id', '=', gone.person.id).execute(),
    );
    expect(marked.map(({ user_id }) => user_id)).toEqual([kept.person.id]);
  });

  test('happens before a message with a chart, whatever its text is', async () => {
    const { person } = await addCustomer(app);
    const id = await addNotification(app, person, { nextAt: dueSoon, message: 'Bonjour' });
    const { sql: database } = app.services.database;
    await database
      .updateTable('messengers')
      .set({ chart: true, variables: false })
      .where('id', '=', id)
      .execute();
    expect(await wanted()).toEqual([person.id]);
  });

  test('does not happen for a text without a variable, or without a bank', async () => {
    const { person } = await addCustomer(app);
    await addNotification(app, person, { nextAt: dueSoon, message: 'Bonjour {à tous}' });
    await addNotification(app, await app.signUp(), { nextAt: dueSoon });
    expect(await wanted()).toEqual([]);
  });

  test('happens only when the figures would be older than six hours', async () => {
    const { person } = await addCustomer(app);
    await person.get('/bridge/accounts');
    await addNotification(app, person, { nextAt: '2026-01-12T13:00:00Z' });
    app.clock.set('2026-01-12T12:58:00Z');
    expect(await wanted()).toEqual([]);
    await addNotification(app, person, { nextAt: '2026-01-12T13:00:01Z' });
    expect(await wanted()).toEqual([person.id]);
  });

  test('is spread over the hour before, each user at a moment of his own', async () => {
    const { sql: database } = app.services.database;
    const dueAt = new Date('2026-01-12T09:00:00Z');
    await insertCrowd(app.services, { count: 40, dueAt, message: '{{soldes}}' });
    await database.updateTable('messengers').set({ variables: true }).execute();
    await sql`insert into bank_links (user_id, source, provider_user_id, created_at)
      select user_id, 'bridge', user_id::text, created_at from messengers`.execute(database);
    const seen = new Set<string>();
    const quarters: number[] = [];
    for (const at of ['08:00', '08:15', '08:30', '08:45', '08:58']) {
      app.clock.set(`2026-01-12T${at}:00Z`);
      const before = seen.size;
      for (const id of await wanted()) seen.add(id);
      quarters.push(seen.size - before);
    }
    expect(quarters[0]).toBeLessThan(5);
    expect(Math.max(...quarters)).toBeLessThan(25);
    expect(seen.size).toBe(40);
  });

  test('happens at the moment of its own though a page has failed a minute before', async () => {
    const { person } = await addCustomer(app);
    await addNotification(app, person, { nextAt: '2026-01-12T08:02:00Z' });
    while ((await wanted()).length === 0) app.clock.advance({ minutes: 1 });
    await addNotification(app, person, { nextAt: '2026-01-13T08:02:00Z' });
    app.clock.advance({ hours: 23, minutes: 59 });
    app.bank.control.addFault({ match: '/v3/', kind: 'status', status: 503 });
    expect((await person.get('/bridge/accounts?fresh=1')).status).toBe(503);
    app.bank.control.clearFaults();
    expect(await wanted()).toEqual([]);
    app.clock.advance({ minutes: 1 });
    expect(await wanted()).toEqual([person.id]);
  });

  test('is tried again after ten minutes, not sooner', async () => {
    app.clock.set('2026-01-12T07:15:00Z');
    let userId: string | undefined;
    // Until the moment of one has come.
    while (!userId) {
      const { person } = await addCustomer(app);
      await addNotification(app, person, { nextAt: '2026-01-12T07:30:00Z' });
      [userId] = await wanted();
    }
    app.bank.control.addFault({ match: '/v3/', kind: 'status', status: 503 });
    const scheduledAt = app.clock.now().getTime();
    await expect(readAsScheduled(app.services, { userId, scheduledAt })).rejects.toThrow('503');
    app.bank.control.clearFaults();
    app.clock.set('2026-01-12T07:24:59Z');
    expect(await wanted()).not.toContain(userId);
    app.clock.set('2026-01-12T07:28:00Z');
    expect(await wanted()).toContain(userId);
  });

  test('is begun again before the message once the lease of a killed worker has run out', async () => {
    const { person } = await addCustomer(app);
    await addNotification(app, person, { nextAt: '2026-01-12T07:05:00Z' });
    app.clock.set('2026-01-12T07:03:00Z');
    const lease = await acquireLease(app.services, { userId: person.id, source: 'bridge' });
    expect(lease).not.toBeNull();
    expect(await wanted()).toEqual([]);
    const { sql: database } = app.services.database;
    const leased_until = sql<Date>`now() - interval '31 s'`;
    await database.updateTable('bank_refreshes').set({ leased_until }).execute();
    expect(await wanted()).toEqual([person.id]);
  });

  test('is done by the worker in time for a message that is a second away', async () => {
    const { person } = await addCustomer(app);
    await addNotification(app, person, { nextAt: '2026-01-13T08:00:00Z' });
    const work = startBankWork(app.services);
    app.clock.set('2026-01-13T07:59:59Z');
    await expect.poll(() => refreshedAt(app, person), { timeout: 10_000 }).toEqual(app.clock.now());
    await work.stop();
  });

  test('is not done by a job that another reading has made needless', async () => {
    const { person } = await addCustomer(app);
    const scheduledAt = app.clock.now().getTime();
    app.clock.advance({ seconds: 61 });
    await person.get('/bridge/items');
    app.bank.control.clearRequests();
    await readAsScheduled(app.services, { userId: person.id, scheduledAt });
    expect(asked(app, 'items')).toBe(0);
    await readAsScheduled(app.services, { userId: person.id, scheduledAt: scheduledAt + 62_000 });
    expect(asked(app, 'items')).toBe(2);
  });

  test('is done where the one before it may be later by the clock of another process alone', async () => {
    const { person } = await addCustomer(app);
    await person.get('/bridge/items');
    app.bank.control.clearRequests();
    // Webhooks come to a process whose clock is behind that of the worker.
    const scheduledAt = app.clock.now().getTime() - 20_000;
    await readAsScheduled(app.services, { userId: person.id, scheduledAt });
    expect(asked(app, 'items')).toBe(1);
  });
});
