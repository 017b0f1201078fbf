import fc from 'fast-check';
import { expect, test } from 'vitest';
import { accountLineLength, accountLineText } from '../../../src/shared/message/capacity.ts';

test('the letters of a line are counted as many as they are', () => {
  const texts = fc.string({ unit: 'binary', maxLength: 20 });
  const lines = fc.record({
    ...{ name: texts, amount: texts, change: fc.option(texts), age: texts },
    ...{ isOverdrawn: fc.boolean(), isOld: fc.boolean() },
  });
  fc.assert(
    fc.property(lines, (line) => {
      expect(accountLineLength(line)).toBe(accountLineText(line).length);
    }),
    { numRuns: 200, seed: 5 },
  );
});
