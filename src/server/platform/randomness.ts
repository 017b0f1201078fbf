import { randomBytes, randomUUID } from 'node:crypto';

/** The source of randomness, passed in so that tests can repeat it. */
export interface Randomness {
  bytes(count: number): Buffer;
  uuid(): string;
}

export const systemRandomness: Randomness = { bytes: randomBytes, uuid: randomUUID };
