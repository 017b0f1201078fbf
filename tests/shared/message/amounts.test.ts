import fc from 'fast-check';
import { expect, test } from 'vitest';
import { amountText, changeText } from '../../../src/shared/message/amounts.ts';
import { decimalsOf, fromMinor } from '../../../src/shared/money/minor-units.ts';

const currencies = fc.constantFrom('EUR', 'USD', 'GBP', 'CHF', 'JPY', 'KWD', 'XPF', 'MAD');
const minors = fc.integer({ min: -9_999_999_999_999, max: 9_999_999_999_999 });

test('amounts are written as French writes them', () => {
  fc.assert(
    fc.property(minors, currencies, (minor, currency) => {
      const digits = decimalsOf(currency);
      const written = (signDisplay: 'negative' | 'exceptZero') =>
        new Intl.NumberFormat('fr-FR', {
          ...{ style: 'currency', currency, signDisplay },
          ...{ minimumFractionDigits: digits, maximumFractionDigits: digits },
        })
          .format(fromMinor(minor, currency))
          .replace('-', '−');
      expect(amountText(minor, currency)).toBe(written('negative'));
      expect(changeText(minor, currency)).toBe(written('exceptZero'));
    }),
    { numRuns: 500, seed: 3 },
  );
});

test('an integer of any size is written whole', () => {
  expect(amountText(Number.MAX_SAFE_INTEGER, 'EUR')).toBe(
    '90\u202f071\u202f992\u202f547\u202f409,91\u00a0€',
  );
  expect(amountText(-0, 'EUR')).toBe('0,00\u00a0€');
});
