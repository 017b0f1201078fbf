import { createHash } from 'node:crypto';
import type { Randomness } from '../../src/server/platform/randomness.ts';

/** The same bytes in the same order on each run with one seed. */
export function seededRandomness(seed: string): Randomness {
  let count = 0;
  const block = () => {
    count += 1;
    return createHash('sha512').update(`${seed}:${count}`).digest();
  };
  return {
    bytes: (wanted) =>
      Buffer.concat(Array.from({ length: Math.ceil(wanted / 64) }, block)).subarray(0, wanted),
    uuid() {
      const hex = block().toString('hex');
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}` as const;
    },
  };
}
