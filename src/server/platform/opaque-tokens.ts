import { createHash } from 'node:crypto';
import type { Randomness } from './randomness.ts';

/** A value of 256 random bits. One that is given to a person is stored as its hash alone. */
export function newToken(randomness: Randomness): string {
  return randomness.bytes(32).toString('base64url');
}

/** A fast hash is enough for a random value. */
export function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
