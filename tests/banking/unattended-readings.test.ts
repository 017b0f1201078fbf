import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bankRefreshJobs } from '../../src/server/banking/jobs.ts';
import { createBankRefreshes } from '../../src/server/banking/refreshing/refreshes.ts';
import { readAsScheduled, scheduleDue } from '../../src/server/banking/refreshing/work.ts';
import type { ClientDetails } from '../../src/server/providers/banks/connect.ts';
import { BankSourceError } from '../../src/server/providers/banks/failures.ts';
import type { ReadingPolicy } from '../../src/server/providers/banks/port.ts';
import { dayMs, hourMs } from '../../src/shared/calendar/durations.ts';
import { type Application, startApplicationOn } from '../support/application.ts';
import { engines } from '../support/engines.ts';
import { takeJobs } from '../support/waiting-jobs.ts';
import { addNotification } from './customer.ts';
import { scriptedSource } from './scripted-source.ts';

const policy: ReadingPolicy = {
  atPageLoad: false,
  beforeMessage: { withinMs: hourMs, freshForMs: 6 * hourMs },
  forAlerts: { everyMs: 5 * hourMs },
  unattended: { most: 4, spanMs: dayMs, freshForMs: hourMs },
};

describe.each(engines)('a source that may be read four times a day, on %s', (engine) => {
  let app: Application;
  beforeAll(async () => {
    app = await startApplicationOn(engine);
  });
  afterAll(() => app.close());

  /** A person linked with the source, with a notification at each of these hours of the 12th. */
  async function addReader(hours: string[]) {
    app.clock.set('2026-01-11T23:30:00Z');
    const person = await app.signUp();
    const services = { ...app.services };
    let isFailing = false;
    const read = async () => {
      if (isFailing) throw new BankSourceError('unavailable', 'as the test says');
      return { connections: [], accounts: [] };
    };
    services.bankSources = new Map([['script', scriptedSource({ policy, read })]]);
    services.bankRefreshes = createBankRefreshes(services);
    const link = { user_id: person.id, source: 'script', created_at: app.clock.now() };
    await services.database.sql.insertInto('bank_links').values(link).execute();
    for (const hour of hours) await addNotification(app, person, { nextAt: `2026-01-12T${hour}Z` });
    const fail = (given: boolean) => {
      isFailing = given;
    };
    return { person, services, fail };
  }

  /** The hours at which the worker reads, which looks every ten minutes. */
  async function readUntil(
    { person, services }: Awaited<ReturnType<typeof addReader>>,
    until: string,
  ): Promise<string[]> {
    const hours: string[] = [];
    while (app.clock.now() < new Date(until)) {
      await scheduleDue(services);
      for (const { userId } of await takeJobs(services.database.sql, bankRefreshJobs)) {
        if (userId !== person.id) continue;
        const isRead = await readAsScheduled(services, { userId, source: 'script' }).then(
          () => true,
          () => false,
        );
        if (isRead) hours.push(app.clock.now().toISOString().slice(11, 13));
      }
      app.clock.advance({ minutes: 10 });
    }
    return hours;
  }

  test('is read before messages that follow one another, but for the reading of a later one', async () => {
    const reader = await addReader(['08:00:00', '12:00:00', '14:00:00', '16:00:00', '22:00:00']);
    expect(await readUntil(reader, '2026-01-12T23:00:00Z')).toEqual(['07', '11', '13', '21']);
  });

  test('is read before a message though its person has pressed the button often', async () => {
    const reader = await addReader(['08:00:00', '12:00:00']);
    const { bankRefreshes } = reader.services;
    expect(await readUntil(reader, '2026-01-12T08:00:00Z')).toEqual(['07']);
    for (let press = 0; press < 4; press += 1) {
      await bankRefreshes.refresh(reader.person.id, 'script', { ip: '192.0.2.1' } as ClientDetails);
      app.clock.advance({ minutes: 10 });
    }
    expect(await readUntil(reader, '2026-01-12T12:00:00Z')).toEqual(['11']);
  });

  test('is read on once its service answers again: what failed does not count', async () => {
    const reader = await addReader(['08:00:00', '12:00:00', '18:00:00']);
    reader.fail(true);
    await readUntil(reader, '2026-01-12T09:00:00Z');
    reader.fail(false);
    expect(await readUntil(reader, '2026-01-12T18:00:00Z')).toEqual(['09', '11', '17']);
  });

  test('is read for alerts between messages, four times in all', async () => {
    const reader = await addReader(['10:00:00', '12:00:00', '17:30:00']);
    const { database, randomness } = app.services;
    const messenger_id = await addNotification(app, reader.person);
    await database.sql
      .insertInto('alerts')
      .values({
        ...{ user_id: reader.person.id, messenger_id, id: randomness.uuid(), account_id: null },
        ...{ kind: 'below', currency: 'EUR', amount_minor: 0 },
        ...{ created_at: app.clock.now(), updated_at: app.clock.now() },
      })
      .execute();
    const hours = await readUntil(reader, '2026-01-12T23:00:00Z');
    // From 07:00 in Paris for the alert, before two messages, and once more for the alert.
    expect(hours).toEqual(['06', '09', '11', '16']);
  });
});
