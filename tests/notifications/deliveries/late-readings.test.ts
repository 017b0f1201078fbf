import { setTimeout as sleep } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startWorker, type Worker } from '../../../src/server/app/worker.ts';
import { LateReadings } from '../../../src/server/notifications/deliveries/late-readings.ts';
import { deliverySettings } from '../../../src/server/notifications/deliveries/settings.ts';
import { addCustomer, addNotification, asked, type Customer } from '../../banking/customer.ts';
import { type Application, startApplicationOn } from '../../support/application.ts';
import { engines } from '../../support/engines.ts';
import { connectSlack } from '../../support/slack.ts';
import { quick } from './quick.ts';

const [team, channel] = ['T0FONTAINE', 'C0FGENERAL0'];

describe.each(engines)('a message that an outage made late, on %s', (engine) => {
  let app: Application;
  let customer: Customer;
  let worker: Worker | undefined;
  beforeAll(async () => {
    app = await startApplicationOn(engine);
    app.clock.set('2026-01-12T07:00:00Z');
    customer = await addCustomer(app);
    const { person } = customer;
    const { id } = await connectSlack(app, person, team);
    await person.patch(`/messengers/${id}`, {
      ...{ slackChannel: channel, message: 'Total : {{total}}' },
      hour: { hours: 9, minutes: 0, zone: 'Europe/Paris' },
    });
  });
  beforeEach(async () => {
    // Two of them are current accounts.
    for (const account of customer.accounts) {
      const updated_at = app.clock.now().toISOString();
      app.bank.control.setAccount(account, { balance: 100, updated_at });
    }
    await customer.person.get('/bridge/items?fresh=1');
    app.chat.control.clearMessages();
    app.bank.control.clearRequests();
  });
  afterEach(async () => {
    app.bank.control.clearFaults();
    await worker?.stop();
  });
  afterAll(() => app.close());

  const texts = () => app.chat.control.messages(team, channel).map(({ text }) => text);

  it('says what its bank says now', async () => {
    // The service was off from the evening on.
    app.clock.set('2026-01-13T09:30:00Z');
    for (const account of customer.accounts) {
      app.bank.control.setAccount(account, { balance: 50, updated_at: '2026-01-13T06:00:00Z' });
    }
    worker = await startWorker(app.services, quick);
    await expect.poll(texts, { timeout: 10_000 }).toHaveLength(1);
    expect(texts()[0]).toContain('Total : 100,00');
    expect(asked(app, 'accounts')).toBe(1);
  });

  it('leaves with the figures that there are where its bank does not answer in time', async () => {
    app.clock.set('2026-01-14T09:30:00Z');
    app.bank.control.addFault({ kind: 'stall', match: '/accounts' });
    worker = await startWorker(app.services, { ...quick, lateReadingsMs: 700 });
    await expect.poll(texts, { timeout: 10_000 }).toHaveLength(1);
    expect(texts()[0]).toContain('Total : 200,00');
  });

  it('holds up none that is due now, however many are late', async () => {
    const { person } = customer;
    for (let minute = 0; minute < 25; minute += 1) {
      await addNotification(app, person, { nextAt: `2026-01-16T06:${10 + minute}:00Z` });
    }
    app.clock.set('2026-01-16T08:00:00Z');
    app.bank.control.addFault({ kind: 'stall', match: '/accounts' });
    worker = await startWorker(app.services, { ...quick, lateReadingsMs: 60_000 });
    await expect.poll(texts, { timeout: 10_000 }).toHaveLength(1);
    await app.services.database.sql
      .deleteFrom('messengers')
      .where('channel_id', '=', 'C1')
      .execute();
  });

  it('is not held until it is of no use', async () => {
    app.clock.set('2026-01-19T13:59:30Z');
    app.bank.control.addFault({ kind: 'stall', match: '/accounts' });
    worker = await startWorker(app.services, quick);
    await expect.poll(texts, { timeout: 10_000 }).toHaveLength(1);
  });

  it('waits for a reading that another worker has taken and not begun', async () => {
    const { sql: database } = app.services.database;
    app.clock.set('2026-01-21T09:30:00Z');
    const leased = async (until: RawBuilder<Date> | null) => {
      const row = { attempted_at: app.clock.now(), scheduled_at: null, leased_until: until };
      await database.updateTable('bank_refreshes').set(row).execute();
    };
    await leased(null);
    const slot = await database
      .selectFrom('slots')
      .selectAll()
      .where('id', 'in', database.selectFrom('messengers').select('slot_id'))
      .executeTakeFirstOrThrow();
    slot.next_at = new Date('2026-01-21T08:00:00Z');
    const readings = new LateReadings(app.services, { ...deliverySettings, idleMs: 20 });
    const isHeld = async () => {
      await sleep(25);
      return await readings.isHeld(slot, app.clock.now());
    };
    expect(await isHeld()).toBe(true);
    await leased(sql`now() + interval '45 s'`);
    expect([await isHeld(), await isHeld()]).toEqual([true, true]);
    await leased(null);
    expect([await isHeld(), await isHeld()]).toEqual([true, false]);
  });

  it('leaves where no reading can be scheduled', async () => {
    app.clock.set('2026-01-20T09:30:00Z');
    const queue = {
      ...app.services.queue,
      insert: async () => {
        throw new Error('The queue took no job.');
      },
    };
    worker = await startWorker({ ...app.services, queue }, quick);
    await expect.poll(texts, { timeout: 10_000 }).toHaveLength(1);
  });
});
