import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  decimalsOf,
  fromMinor,
  hasTooManyDecimals,
  toMinor,
} from '../../../src/shared/money/minor-units.ts';

test.for([
  [0.1 + 0.2, 'EUR', 30],
  [1.005, 'EUR', 101],
  [-1.005, 'EUR', -101],
  [1234.56, 'EUR', 123456],
  [1234, 'JPY', 1234],
  [1234.4, 'XPF', 1234],
  [1.2345, 'TND', 1235],
  [5e-7, 'EUR', 0],
  [-0.001, 'EUR', 0],
  [-0, 'EUR', 0],
  [12.5, 'no such currency', 1250],
] as const)('%d %s is %d minor units', ([amount, currency, minor]) => {
  expect(toMinor(amount, currency)).toBe(minor);
});

test.for([Number.NaN, Number.POSITIVE_INFINITY, 1e20])('%d is no amount', (amount) => {
  expect(toMinor(amount, 'EUR')).toBeNull();
});

test('a currency keeps its own decimals, whatever the case of its code', () => {
  expect(['EUR', 'jpy', 'KWD', 'HUF', 'XXX', ''].map(decimalsOf)).toEqual([2, 0, 3, 2, 2, 2]);
});

test('an amount written to the minor unit and read again is the same, and never -0', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -(10 ** 13), max: 10 ** 13 }),
      fc.constantFrom('EUR', 'JPY', 'BHD', 'CLF'),
      (minor, currency) => {
        const amount = fromMinor(minor, currency);
        expect(toMinor(amount, currency)).toBe(minor);
        expect(Object.is(amount, -0)).toBe(false);
        expect(String(amount)).toMatch(/^-?\d+(\.\d{1,4})?$|e-/);
      },
    ),
  );
});

test.for([
  [12.5, 'JPY', true],
  [-1234.4, 'XPF', true],
  [1.005, 'EUR', true],
  [1.2345, 'TND', true],
  [1250, 'JPY', false],
  [0.1 + 0.2, 'EUR', false],
  [-12.3, 'EUR', false],
  [1e12, 'EUR', false],
] as const)('%d %s has too many decimals: %s', ([amount, currency, is]) => {
  expect(hasTooManyDecimals(amount, currency)).toBe(is);
});
