import { setTimeout as sleep } from 'node:timers/promises';
import { type KyselyPlugin, type QueryResult, type RawBuilder, sql, type UnknownRow } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createBankRefreshes } from '../../src/server/banking/refreshing/refreshes.ts';
import { BankSourceError } from '../../src/server/providers/banks/failures.ts';
import { type Application, startApplicationOn } from '../support/application.ts';
import { engines } from '../support/engines.ts';
import type { Person } from '../support/person.ts';
import { addCustomer, asked, connectionIdOf, refreshedAt } from './customer.ts';

describe.each(engines)('the reading of banks that several want, on %s', (engine) => {
  let app: Application;
  beforeAll(async () => {
    app = await startApplicationOn(engine);
  });
  afterAll(() => app.close());
  beforeEach(() => app.clock.set('2026-01-12T07:00:00Z'));

  test('is done once for two workers who want it at once', async () => {
    const { person } = await addCustomer(app);
    await person.get('/bridge/items');
    const others = [1, 2, 3].map(() => createBankRefreshes(app.services));
    app.bank.control.clearRequests();
    // Longer than a busy machine needs until each of them has asked whose turn it is.
    app.bank.control.addFault({ match: '/items', kind: 'delay', ms: 1500 });
    await Promise.all(others.map((other) => other.refresh(person.id)));
    app.bank.control.clearFaults();
    expect([asked(app, 'items'), asked(app, 'accounts')]).toEqual([1, 1]);
  });

  test('that took too long leaves alone what a later one has stored', async () => {
    const { person } = await addCustomer(app);
    const [slow, quick] = [createBankRefreshes(app.services), createBankRefreshes(app.services)];
    app.bank.control.clearRequests();
    app.bank.control.addFault({ match: '/accounts', kind: 'delay', ms: 400 });
    const late = slow.refresh(person.id);
    await expect.poll(() => asked(app, 'accounts')).toBe(1);
    app.bank.control.clearFaults();
    await sql`update bank_refreshes set leased_until = now() where user_id = ${person.id}`.execute(
      app.services.database.sql,
    );
    const added = app.bank.control.link({ externalUserId: person.id, providerId: 575 });
    app.clock.advance({ seconds: 50 });
    await quick.refresh(person.id);
    await late;
    const { body } = await person.get('/bridge/items?stored=1');
    expect(body.map(({ id }: { id: number }) => id)).toContain(await connectionIdOf(app, added));
    expect(await refreshedAt(app, person)).toEqual(app.clock.now());
  });

  test('that took too long and failed does not end a later one’s turn', async () => {
    const { person } = await addCustomer(app);
    const user = { leased_until: new Date('2100-01-01T00:00:00Z') };
    const { sql: database } = app.services.database;
    app.bank.control.addFault({ match: '/accounts', kind: 'status', status: 503 });
    app.bank.control.addFault({ match: '/items', kind: 'delay', ms: 300 });
    app.bank.control.clearRequests();
    const late = createBankRefreshes(app.services).refresh(person.id);
    await expect.poll(() => asked(app, 'items')).toBe(1);
    await database
      .updateTable('bank_refreshes')
      .set(user)
      .where('user_id', '=', person.id)
      .execute();
    await expect(late).rejects.toMatchObject({ kind: 'unavailable' });
    app.bank.control.clearFaults();
    const row = await database
      .selectFrom('bank_refreshes')
      .select('leased_until')
      .where('user_id', '=', person.id)
      .executeTakeFirst();
    expect(row).toEqual(user);
  });

  test('begins after the wish for it: what was under way may have missed the change', async () => {
    const { person } = await addCustomer(app);
    for (const refreshes of [app.services.bankRefreshes, createBankRefreshes(app.services)]) {
      app.bank.control.clearRequests();
      app.bank.control.addFault({ match: '/items', kind: 'delay', ms: 400 });
      const before = app.services.bankRefreshes.refresh(person.id);
      await expect.poll(() => asked(app, 'items'), { interval: 10 }).toBe(1);
      await sleep(150);
      await Promise.all([before, refreshes.refresh(person.id), refreshes.refresh(person.id)]);
      app.bank.control.clearFaults();
      expect(asked(app, 'items')).toBe(2);
    }
  });

  test.for([
    ['has just ended', sql`null`],
    ['broke off', sql`now() - interval '1 s'`],
  ] as const)(
    'follows another worker’s that %s: nobody knows what that one missed',
    async ([, until]) => {
      const { person } = await addCustomer(app);
      await leaseUntil(person, sql`now() + interval '45 s'`);
      app.bank.control.clearRequests();
      const services = afterRefusedLease(() => leaseUntil(person, until));
      await createBankRefreshes(services).refresh(person.id);
      expect(asked(app, 'items')).toBe(1);
    },
  );

  test('that fails is told to all who share it', async () => {
    const { person } = await addCustomer(app);
    const others = [1, 2].map(() => createBankRefreshes(app.services));
    app.bank.control.addFault({ match: '/items', kind: 'status', status: 503 });
    const ends = await Promise.allSettled(others.map((other) => other.refresh(person.id)));
    app.bank.control.clearFaults();
    expect(ends).toMatchObject([1, 2].map(() => ({ reason: { kind: 'unavailable' } })));
  });

  test('that breaks off on an error of ours is done again by another who waits for it', async () => {
    const { person } = await addCustomer(app);
    await person.get('/bridge/items');
    const source = app.services.bankSources.get('bridge');
    if (!source) throw new Error('no source');
    const { read } = source;
    onTestFinished(() => void Object.assign(source, { read }));
    const looked = Promise.withResolvers<void>();
    const fault = new TypeError('a fault of ours');
    source.read = async () => {
      source.read = read;
      await looked.promise;
      throw fault;
    };
    app.bank.control.clearRequests();
    const ends = await Promise.allSettled(
      [1, 2].map(() => createBankRefreshes(looking(looked.resolve)).refresh(person.id)),
    );
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(ends).toContainEqual({ status: 'rejected', reason: fault });
    expect(asked(app, 'items')).toBe(1);
  });

  test('that ends in refused credentials fails for none of those who share it', async () => {
    const { person } = await addCustomer(app);
    await person.get('/bridge/items');
    const { looked, readings } = refusedOnceLookedAt(2);
    const others = [1, 2, 3].map(() => createBankRefreshes(looking(looked)));
    await Promise.all(others.map((other) => other.refresh(person.id)));
    expect(readings()).toBe(1);
    const { body } = await person.get('/bridge/items?stored=1');
    expect(body).toMatchObject([{ state: 'credentials' }]);
  });

  test('is shared by a call of before it, however late that call has found what to read', async () => {
    const { person } = await addCustomer(app);
    await person.get('/bridge/items');
    const { looked, readings } = refusedOnceLookedAt(1);
    const { services } = app;
    let other = Promise.resolve();
    const late = afterResult(
      looking(looked),
      ({ rows }) => rows.some((row) => Object.keys(Object(row)).join() === 'source'),
      async () => {
        other = createBankRefreshes(services).refresh(person.id);
        await expect.poll(readings).toBe(1);
        // Longer than calls may be apart to share a reading.
        await sleep(300);
      },
    );
    await createBankRefreshes(late).refresh(person.id);
    await other;
    expect(readings()).toBe(1);
  });

  test('begins after the wish for it, however late the answer about another worker’s comes', async () => {
    const { person } = await addCustomer(app);
    await person.get('/bridge/items');
    const { looked, readings } = refusedOnceLookedAt(1);
    const other = createBankRefreshes(app.services).refresh(person.id);
    await expect.poll(readings).toBe(1);
    await sleep(150);
    const services = looking(async () => {
      await sleep(400);
      looked();
      await other;
    });
    await createBankRefreshes(services).refresh(person.id);
    expect(readings()).toBe(2);
  });

  /** The bank refuses the credentials at a reading, once so many others have looked whether it is over. */
  function refusedOnceLookedAt(count: number) {
    const source = app.services.bankSources.get('bridge');
    if (!source) throw new Error('no source');
    const { read } = source;
    onTestFinished(() => void Object.assign(source, { read }));
    const all = Promise.withResolvers<void>();
    let [readings, lookers] = [0, 0];
    source.read = async () => {
      readings += 1;
      await all.promise;
      throw new BankSourceError('credentials', 'refused');
    };
    return {
      readings: () => readings,
      looked() {
        lookers += 1;
        if (lookers === count) all.resolve();
      },
    };
  }

  /** A worker's services; `looked` is called when it has looked at another one's reading for the first time. */
  function looking(looked: () => Promise<void> | void): Application['services'] {
    const isLook = ({ rows }: QueryResult<UnknownRow>) =>
      typeof Object(rows[0]).leasedForMs === 'number';
    return afterResult(app.services, isLook, looked);
  }

  async function leaseUntil(person: Person, until: RawBuilder<unknown>): Promise<void> {
    await sql`insert into bank_refreshes (user_id, source, leased_until)
      values (${person.id}, 'bridge', ${until}) on conflict (user_id, source) do update set leased_until = excluded.leased_until`.execute(
      app.services.database.sql,
    );
  }

  /** A worker's services, where something happens between its being refused the lease and its next look. */
  function afterRefusedLease(happen: () => Promise<void>): Application['services'] {
    return afterResult(app.services, ({ rows }) => rows.length === 0, happen);
  }

  /** A worker's services, where something happens after the first result for which `isMeant` holds. */
  function afterResult(
    services: Application['services'],
    isMeant: (result: QueryResult<UnknownRow>) => boolean,
    happen: () => Promise<void> | void,
  ): Application['services'] {
    let isAwaited = true;
    const plugin: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (isAwaited && isMeant(result)) {
          isAwaited = false;
          await happen();
        }
        return result;
      },
    };
    return {
      ...services,
      database: { ...services.database, sql: services.database.sql.withPlugin(plugin) },
    };
  }
});
