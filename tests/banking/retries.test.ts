import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBankRefreshes } from '../../src/server/banking/refreshing/refreshes.ts';
import { scheduleRetries } from '../../src/server/banking/refreshing/work.ts';
import { BankSourceError } from '../../src/server/providers/banks/failures.ts';
import type { BankSource } from '../../src/server/providers/banks/port.ts';
import { type Application, startApplication } from '../support/application.ts';
import { scriptedSource } from './scripted-source.ts';

let app: Application;
beforeAll(async () => {
  app = await startApplication();
});
afterAll(() => app.close());

/** Somebody with a link of which `read` says what its next reading brings. */
async function linkedWith(policy: BankSource['policy']) {
  const { clock } = app;
  const { database } = app.services;
  const { id: user_id } = await app.signUp();
  const read = { next: (): 'ok' | 'unreachable' => 'ok' };
  const told = { code: null, description: null, bank: { id: null, name: 'Banque' } };
  const dates = { lastSuccessfulRefresh: null, authenticationExpiresAt: null };
  const source = scriptedSource({
    policy,
    read: async () => ({
      connections: [{ id: 'one', state: read.next(), ...told, ...dates }],
      accounts: [],
    }),
  });
  const link = { user_id, source: 'script', created_at: clock.now() };
  await database.sql.insertInto('bank_links').values(link).execute();
  const services = { ...app.services, bankSources: new Map([['script', source]]) };
  const refreshes = createBankRefreshes(services);
  return {
    read,
    refresh: () => refreshes.refresh(user_id, 'script'),
    /** Whether the upkeep schedules a reading, this much later. */
    async isScheduledIn(minutes: number): Promise<boolean> {
      clock.advance({ minutes });
      await scheduleRetries(services);
      const row = await database.sql
        .selectFrom('bank_refreshes')
        .select('scheduled_at')
        .where('user_id', '=', user_id)
        .executeTakeFirst();
      return row?.scheduled_at?.getTime() === clock.now().getTime();
    },
  };
}

const beforeMessage = { withinMs: 3_600_000, freshForMs: 3_600_000 };
const unasked = { atPageLoad: false, beforeMessage };
const noAnswer = () => {
  throw new BankSourceError('unavailable', 'no answer');
};

test('a link that was never read is tried again each hour, without a message or a page', async () => {
  const { read, refresh, isScheduledIn } = await linkedWith(unasked);
  read.next = noAnswer;
  for (let time = 0; time < 2; time += 1) {
    await expect(refresh()).rejects.toThrow();
    expect(await isScheduledIn(59)).toBe(false);
    expect(await isScheduledIn(2)).toBe(true);
  }
  read.next = () => 'ok';
  await refresh();
  expect(await isScheduledIn(3 * 24 * 60)).toBe(false);
});

test.each<[string, () => 'ok' | 'unreachable']>([
  ['a bank of it', () => 'unreachable'],
  ['its source', noAnswer],
])('a link is tried again each day while there is no answer of %s', async (_of, silence) => {
  const { read, refresh, isScheduledIn } = await linkedWith(unasked);
  await refresh();
  read.next = silence;
  await refresh().catch(() => {});
  expect(await isScheduledIn(23 * 60)).toBe(false);
  expect(await isScheduledIn(61)).toBe(true);
});

test('a source that pages ask is left to them', async () => {
  const { read, refresh, isScheduledIn } = await linkedWith({ ...unasked, atPageLoad: true });
  read.next = noAnswer;
  await expect(refresh()).rejects.toThrow();
  expect(await isScheduledIn(24 * 60)).toBe(false);
});
