import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBankRefreshes } from '../../src/server/banking/refreshing/refreshes.ts';
import { scheduleAfterWebhook, startBankWork } from '../../src/server/banking/refreshing/work.ts';
import { BankSourceError } from '../../src/server/providers/banks/failures.ts';
import type { BankSource } from '../../src/server/providers/banks/port.ts';
import { type Application, startApplicationOn } from '../support/application.ts';
import { engines } from '../support/engines.ts';

const people = 12;

describe.each(engines)('a bank source that does not answer, on %s', (engine) => {
  let app: Application;
  beforeAll(async () => {
    app = await startApplicationOn(engine);
  });
  afterAll(() => app.close());

  test('delays no reading of the others, and takes no more than its own places', async () => {
    const released = Promise.withResolvers<void>();
    const waiting = { now: 0, most: 0 };
    const silent = sourceThat(async () => {
      waiting.now += 1;
      waiting.most = Math.max(waiting.most, waiting.now);
      await released.promise;
      waiting.now -= 1;
    });
    const bankSources = new Map([
      ['silent', silent],
      ['quick', sourceThat(async () => {})],
    ]);
    const services = { ...app.services, bankSources };
    services.bankRefreshes = createBankRefreshes(services);
    const users = await addUsers();
    for (const source of bankSources.keys()) {
      for (const user of users) await scheduleAfterWebhook(services, await link(user, source));
    }
    const work = startBankWork(services);
    await expect.poll(() => countRead('quick'), { timeout: 10_000 }).toBe(people);
    await expect.poll(() => waiting.now).toBe(8);
    expect(await countRead('silent')).toBe(0);
    released.resolve();
    await expect.poll(() => countRead('silent'), { timeout: 10_000 }).toBe(people);
    expect(waiting.most).toBe(8);
    await work.stop();
  });

  async function addUsers(): Promise<string[]> {
    const { database, randomness, clock } = app.services;
    const now = clock.now();
    const users = Array.from({ length: people }, () => {
      const id = randomness.uuid();
      const email = `${id}@exemple.fr`;
      const names = { firstname: 'Ana', lastname: 'Silva', email, email_key: email };
      return { id, ...names, password_hash: '', created_at: now, terms_accepted_at: now };
    });
    await database.sql
      .insertInto('users')
      .values(users as never)
      .execute();
    return users.map(({ id }) => id);
  }

  async function link(userId: string, source: string) {
    const providerUserId = `${source} ${userId}`;
    const { database, clock } = app.services;
    await database.sql
      .insertInto('bank_links')
      .values({
        ...{ user_id: userId, source, provider_user_id: providerUserId },
        created_at: clock.now(),
      })
      .execute();
    return { source, providerUserId };
  }

  async function countRead(source: string): Promise<number> {
    const rows = await app.services.database.sql
      .selectFrom('bank_refreshes')
      .select('user_id')
      .where('source', '=', source)
      .where('refreshed_at', 'is not', null)
      .execute();
    return rows.length;
  }
});

function sourceThat(answer: () => Promise<void>): BankSource {
  return {
    ...{ name: 'Banque', note: '', credentials: 'installation', connect: { kind: 'manual' } },
    policy: { atPageLoad: true, beforeMessage: null },
    async read() {
      await answer();
      return { connections: [], accounts: [] };
    },
    removeConnection: async () => {
      throw new BankSourceError('unavailable', 'not asked in this test');
    },
  };
}
