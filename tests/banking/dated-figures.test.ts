import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Balance, BankReading } from '../../src/server/providers/banks/port.ts';
import { type Application, startApplicationOn } from '../support/application.ts';
import { engines } from '../support/engines.ts';
import { linkScriptedSource } from './scripted-source.ts';

/** Monday 09:00 in Paris: the balance that is stored. */
const monday = '2026-01-12T08:00:00Z';
/** Before the service's last try, which failed, it brought another. */
const tuesday = '2026-01-13T01:00:00Z';

describe.each(engines)('the dates of figures decide, on %s:', (engine) => {
  let app: Application;
  let source: Awaited<ReturnType<typeof readMonday>>;
  beforeAll(async () => {
    app = await startApplicationOn(engine);
  });
  beforeEach(async () => {
    source = await readMonday(app);
  });
  afterAll(() => app.close());

  test.for([
    ['with another amount and a later date', 90_000, tuesday],
    ['with another amount, below zero', -1, tuesday],
  ] as const)('a balance that could not be renewed is new %s', async ([, minor, asOf]) => {
    await source.read({ minor, asOf: new Date(asOf), isUnrenewed: true });
    expect(await source.stored()).toEqual([minor, new Date(asOf)]);
    expect(await source.history()).toEqual([
      ['2026-01-12', 100_000],
      ['2026-01-13', minor],
    ]);
    expect(source.journal()).toEqual([[minor, new Date(asOf)]]);
    // The next try fails as well: nothing is told twice.
    await source.read({ minor, asOf: new Date(asOf), isUnrenewed: true });
    expect(source.journal()).toEqual([]);
  });

  test.for([
    ['the amount is the same', 100_000, tuesday],
    ['it has no date', 90_000, null],
    ['its date is the stored one', 90_000, monday],
    ['its date is an earlier one', 90_000, '2026-01-12T07:59:00Z'],
    ['it was not given', null, tuesday],
  ] as const)(
    'one that could not be renewed leaves the stored one where %s',
    async ([, minor, asOf]) => {
      await source.read({ minor, asOf: asOf === null ? null : new Date(asOf), isUnrenewed: true });
      expect(await source.stored()).toEqual([100_000, new Date(monday)]);
      expect(await source.history()).toEqual([['2026-01-12', 100_000]]);
      expect(source.journal()).toEqual([]);
    },
  );

  test.for([false, true])(
    'the balance of the end of a day takes the place of one in its course (unrenewed: %s)',
    async (isUnrenewed) => {
      const ofMonday = new Date('2026-01-12T00:00:00Z');
      const endOfMonday = new Date('2026-01-12T22:59:59.999Z');
      await source.read({ minor: 80_000, asOf: ofMonday, isOfDay: true, isUnrenewed });
      expect(await source.stored()).toEqual([80_000, endOfMonday]);
      expect(await source.history()).toEqual([['2026-01-12', 80_000]]);
      expect(source.journal()).toEqual([[80_000, endOfMonday]]);
      // The day before has its own, and a later one of Monday is that of its end already.
      await source.read({ minor: 70_000, asOf: new Date('2026-01-11T00:00:00Z'), isOfDay: true });
      await source.read({ minor: 60_000, asOf: new Date('2026-01-12T20:00:00Z') });
      expect(await source.history()).toEqual([
        ['2026-01-11', 70_000],
        ['2026-01-12', 80_000],
      ]);
    },
  );

  test('the balance of a day that has not ended stands on it until another is given', async () => {
    const ofTuesday = new Date('2026-01-13T00:00:00Z');
    await source.read({ minor: 80_000, asOf: ofTuesday, isOfDay: true });
    expect(await source.stored()).toEqual([80_000, app.clock.now()]);
    app.clock.advance({ hours: 1 });
    await source.read({ minor: 70_000, asOf: app.clock.now() });
    expect(await source.history()).toEqual([
      ['2026-01-12', 100_000],
      ['2026-01-13', 70_000],
    ]);
  });

  test.for([
    ['the year 1', '0001-01-01T00:00:00Z', false],
    ['the first day of 1970', '1970-01-01T00:00:00Z', true],
  ] as const)(
    'a balance that is dated %s has no date, and stands on today',
    async ([, at, isOfDay]) => {
      await source.read({ minor: 90_000, asOf: new Date(at), isOfDay });
      expect(await source.stored()).toEqual([90_000, null]);
      expect(await source.history()).toContainEqual(['2026-01-13', 90_000]);
      expect(source.journal()).toEqual([[90_000, null]]);
    },
  );

  test('a balance that is dated in the future is as of its reading, and grows old', async () => {
    await source.read({ minor: 90_000, asOf: new Date('2027-01-01T00:00:00Z') });
    expect(await source.stored()).toEqual([90_000, app.clock.now()]);
    expect(await source.history()).toContainEqual(['2026-01-13', 90_000]);
    // Nothing keeps the next one away, whatever the date of the one before was.
    app.clock.advance({ hours: 1 });
    const asOf = new Date(app.clock.now().getTime() - 60_000);
    await source.read({ minor: 95_000, asOf, isUnrenewed: true });
    expect(await source.stored()).toEqual([95_000, asOf]);
  });
});

/** A person whose account was read on Monday, and what is stored of it later. */
async function readMonday(app: Application) {
  const { database, figureListener } = app.services;
  let recorded: unknown[] = [];
  const source = await linkScriptedSource(app, {
    ...figureListener,
    async record(_transaction, { figures }) {
      recorded = figures.map(({ minor, asOf }) => [minor, asOf]);
    },
  });
  const { person } = source;
  const read = (balance: Omit<Balance, 'currency' | 'kind'>) =>
    source.read(readingOf({ currency: 'EUR', kind: 'booked', ...balance }));
  app.clock.set(monday);
  await read({ minor: 100_000, asOf: new Date(monday) });
  app.clock.set('2026-01-13T07:10:00Z');
  return {
    read,
    async stored() {
      const { balance_minor, updated_at } = await database.sql
        .selectFrom('bank_accounts')
        .select(['balance_minor', 'updated_at'])
        .where('user_id', '=', person.id)
        .executeTakeFirstOrThrow();
      return [balance_minor, updated_at];
    },
    async history() {
      const rows = await database.sql
        .selectFrom('bank_balances')
        .select(['day', 'balance_minor'])
        .where('user_id', '=', person.id)
        .orderBy('day')
        .execute();
      return rows.map(({ day, balance_minor }) => [day, balance_minor]);
    },
    /** The figures of the last reading that alerts are told of. */
    journal: () => recorded,
  };
}

function readingOf(balance: Balance): BankReading {
  const bank = { id: null, name: 'Banque du Littoral' };
  const told = { code: null, description: null, authenticationExpiresAt: null };
  const id = 'connection';
  return {
    connections: [{ id, state: 'ok', bank, lastSuccessfulRefresh: null, ...told }],
    accounts: [
      { id: 'account', connectionId: id, name: 'Courant', type: 'checking', bank, balance },
    ],
  };
}
