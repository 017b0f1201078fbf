import { expect, test } from 'vitest';
import { worstInputs } from './worst-inputs.ts';

/**
 * Processor time of this thread, in milliseconds each: what else the machine does is not in it. Many systems
 * count it in steps of four milliseconds, so that it is measured over many of them.
 */
function costOf(work: () => unknown): number {
  work();
  const before = process.threadCpuUsage();
  for (let count = 1; ; count += 1) {
    work();
    const { user, system } = process.threadCpuUsage(before);
    const spentMs = (user + system) / 1000;
    if (spentMs >= enoughMs || count >= mostRounds) return spentMs / count;
  }
}

const enoughMs = 60;
/** Of work that is negligible. */
const mostRounds = 60;

/** Below, the clock and the compiler decide. */
const negligible = 1;

/** On a busy machine the same work takes now more, now less processor time. */
const attempts = 3;

test.each(Object.entries(worstInputs))(
  'four times as much takes about four times as long: %s',
  (_name, { longest, prepare }) => {
    let growth = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < attempts && growth >= 9; attempt += 1) {
      const some = Math.max(costOf(prepare(longest / 4)), negligible);
      growth = costOf(prepare(longest)) / some;
    }
    // With the square of the length it would be sixteen times.
    expect(growth).toBeLessThan(9);
  },
);
