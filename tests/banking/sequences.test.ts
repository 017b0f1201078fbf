import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBankRefreshes } from '../../src/server/banking/refreshing/refreshes.ts';
import { BankSourceError } from '../../src/server/providers/banks/failures.ts';
import type { BankReading } from '../../src/server/providers/banks/port.ts';
import { type Application, startApplication } from '../support/application.ts';
import { scriptedSource } from './scripted-source.ts';

let app: Application;
beforeAll(async () => {
  app = await startApplication();
});
afterAll(() => app.close());

/** What a source does at one reading, some hours after the one before. */
const step = fc.record({
  hours: fc.integer({ min: 0, max: 40 }),
  kind: fc.constantFrom(
    'read',
    'read',
    'read',
    'fail',
    'unrenewed',
    'empty',
    'renewed',
  ) as fc.Arbitrary<'read' | 'fail' | 'unrenewed' | 'empty' | 'renewed'>,
  minor: fc.integer({ min: -1_000_000, max: 1_000_000 }),
});

const bank = { id: null, name: 'Banque du Littoral' };

test('no sequence of readings shows a figure that was not given, a later date, or loses a day', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const person = await app.signUp();
      let next: () => BankReading = () => ({ connections: [], accounts: [] });
      const source = scriptedSource({
        connect: {
          kind: 'form',
          steps: [],
          fields: [],
          isDemonstration: true,
          page: null,
          check: async () => () => '',
          countAccesses: () => 1,
        },
        read: async () => next(),
      });
      const { sql } = app.services.database;
      const link = { user_id: person.id, source: 'script', created_at: app.clock.now() };
      await sql.insertInto('bank_links').values(link).execute();
      const refreshes = createBankRefreshes({
        ...app.services,
        bankSources: new Map([['script', source]]),
      });
      const given = new Map<string, number>();
      let [generation, days, missedSince] = [0, new Set<string>(), null as number | null];
      for (const { hours, kind, minor } of steps) {
        app.clock.advance({ hours });
        const now = app.clock.now();
        if (kind === 'renewed') generation += 1;
        if (kind === 'read' || kind === 'renewed') {
          given.set(now.toISOString(), minor);
          days.add(now.toLocaleDateString('sv-SE', { timeZone: 'Europe/Paris' }));
        }
        next = () => {
          if (kind === 'fail') throw new BankSourceError('unavailable', 'as told');
          return kind === 'empty'
            ? { connections: [], accounts: [] }
            : readingOf(generation, minor, now, kind);
        };
        await refreshes.refresh(person.id, 'script').catch(() => {});
        // Two empty readings an hour apart are the source's word: then all of it goes.
        if (kind === 'empty') {
          if (missedSince !== null && now.getTime() - missedSince >= 3_600_000) days = new Set();
          missedSince ??= now.getTime();
        } else if (kind !== 'fail') missedSince = null;
        if (days.size === 0) missedSince = null;
        const rows = await sql
          .selectFrom('bank_accounts')
          .select(['balance_minor', 'updated_at'])
          .where('user_id', '=', person.id)
          .execute();
        for (const row of rows) {
          if (row.updated_at === null) continue;
          expect(given.get(row.updated_at.toISOString())).toBe(row.balance_minor);
        }
        const kept = await sql
          .selectFrom('bank_balances')
          .select('day')
          .where('user_id', '=', person.id)
          .execute();
        expect(new Set(kept.map(({ day }) => day))).toEqual(days);
      }
    }),
    { numRuns: 25, seed: 15 },
  );
}, 120_000);

function readingOf(generation: number, minor: number, now: Date, kind: string): BankReading {
  const connectionId = `connection ${generation}`;
  const isUnrenewed = kind === 'unrenewed';
  return {
    connections: [
      {
        ...{ id: connectionId, state: 'ok', code: null, description: null, bank },
        ...{ lastSuccessfulRefresh: null, authenticationExpiresAt: null },
      },
    ],
    accounts: [
      {
        ...{
          id: `account ${generation}`,
          connectionId,
          name: 'Compte courant',
          type: 'checking',
          bank,
        },
        number: 'FR7630002005500000157841Z25',
        balance: {
          ...{ minor, currency: 'EUR', kind: 'booked', isUnrenewed },
          asOf: isUnrenewed ? null : now,
        },
      },
    ],
  };
}
