import { createHash } from 'node:crypto';
import type { Randomness } from '../../platform/randomness.ts';

/** An opaque value of 256 random bits. Only its hash is stored. */
export function newToken(randomness: Randomness): string {
  return randomness.bytes(32).toString('base64url');
}

/** SHA-256, hex: a fast hash is enough for a random value. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
