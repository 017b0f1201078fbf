import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ComparedAccount, findDuplicates } from '../../../src/shared/banks/duplicates.ts';

const account = (given: Partial<ComparedAccount>): ComparedAccount => ({
  ...{
    id: 1,
    connectionId: 1,
    ibanFingerprint: 'a',
    currency: 'EUR',
    hasBalance: true,
    updatedAt: 1_000,
  },
  ...given,
});

const leftOut = (accounts: ComparedAccount[]) =>
  [...findDuplicates(accounts, (one) => one)].map(([one, original]) => [one.id, original.id]);

test.for([
  ['the newest balance counts', { updatedAt: 1_000 }, { updatedAt: 2_000 }, [[1, 2]]],
  ['the first of two as new', {}, {}, [[2, 1]]],
  ['a balance before none', { hasBalance: false, updatedAt: 9_000 }, {}, [[1, 2]]],
  ['a dated balance before an undated one', { updatedAt: null }, {}, [[1, 2]]],
  ['other accounts', {}, { ibanFingerprint: 'b' }, []],
  ['accounts without an IBAN', { ibanFingerprint: null }, { ibanFingerprint: null }, []],
  ['another currency under one IBAN', {}, { currency: 'USD' }, []],
  ['sub-accounts of one connection', {}, { connectionId: 1 }, []],
] as const)('%s', ([, one, other, expected]) => {
  const accounts = [account(one), account({ id: 2, connectionId: 2, ...other })];
  expect(leftOut(accounts)).toEqual(expected);
});

test('where a connection has two accounts of an IBAN, nothing is left out', () => {
  const accounts = [1, 1, 2].map((connectionId, at) => account({ id: at + 1, connectionId }));
  expect(leftOut(accounts)).toEqual([]);
});

test('of any list, what is left out has a newer or as new one that is counted', () => {
  const some = fc.record({
    connectionId: fc.integer({ min: 1, max: 4 }),
    ibanFingerprint: fc.constantFrom('a', 'b', null),
    currency: fc.constantFrom('EUR', 'USD'),
    hasBalance: fc.boolean(),
    updatedAt: fc.option(fc.integer({ min: 1, max: 5 })),
  });
  fc.assert(
    fc.property(fc.array(some), (given) => {
      const accounts = given.map((one, at) => account({ ...one, id: at + 1 }));
      const duplicates = findDuplicates(accounts, (one) => one);
      for (const [one, original] of duplicates) {
        expect(duplicates.has(original)).toBe(false);
        expect([one.ibanFingerprint, one.currency]).toEqual([
          original.ibanFingerprint,
          original.currency,
        ]);
        expect(one.ibanFingerprint).not.toBeNull();
        if (one.hasBalance)
          expect(original.updatedAt ?? 0).toBeGreaterThanOrEqual(one.updatedAt ?? 0);
      }
      // Counted and left out together are the whole list: none is lost.
      const kept = accounts.filter((one) => !duplicates.has(one));
      expect(kept.length + duplicates.size).toBe(accounts.length);
    }),
    { seed: 15 },
  );
});
