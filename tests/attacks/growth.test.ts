import { expect, test } from 'vitest';
import { worstInputs } from './worst-inputs.ts';

/** Processor time of this thread, in milliseconds each: what else the machine does is not in it. */
function costOf(work: () => unknown): number {
  work();
  const before = process.threadCpuUsage();
  for (let count = 0; count < rounds; count += 1) work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000 / rounds;
}

const rounds = 5;

/** Below, the clock and the compiler decide. */
const negligible = 1;

test.each(Object.entries(worstInputs))(
  'four times as much takes about four times as long: %s',
  (_name, { longest, prepare }) => {
    const some = Math.max(costOf(prepare(longest / 4)), negligible);
    // With the square of the length it would be sixteen times.
    expect(costOf(prepare(longest))).toBeLessThan(9 * some);
  },
);
